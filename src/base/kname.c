#include "kname.h"

#include <stdbool.h>

#define NAME_FORM                                                                                            \
	"must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "          \
	"alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is " \
	"'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
#define SUBDOMAIN_FORM                                                                                      \
	"a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', "   \
	"and "                                                                                              \
	"must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation " \
	"is "                                                                                               \
	"'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

static bool lower_alnum(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static bool alnum(char c)
{
	return lower_alnum(c) || (c >= 'A' && c <= 'Z');
}

/* ([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9] */
static bool is_name(struct str s)
{
	if (s.n == 0 || !alnum(s.p[0]) || !alnum(s.p[s.n - 1]))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!alnum(s.p[i]) && s.p[i] != '-' && s.p[i] != '_' && s.p[i] != '.')
			return false;
	return true;
}

static bool is_subdomain(struct str s)
{
	char last = '.';

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (!lower_alnum(c) && (last == '.' || (c != '-' && c != '.')))
			return false;
		if (c == '.' && last == '-')
			return false;
		last = c;
	}
	return lower_alnum(last);
}

static void add(struct kname_errors *e, const char *text)
{
	const char **v = e->v;

	while (*v)
		v++;
	*v = text;
}

struct kname_errors kname_subdomain(struct str s)
{
	struct kname_errors e = {{NULL}};

	if (s.n > 253)
		add(&e, "must be no more than 253 characters");
	if (!is_subdomain(s))
		add(&e, SUBDOMAIN_FORM);
	return e;
}

struct kname_errors kname_label(struct str s)
{
	struct kname_errors e = {{NULL}};

	if (s.n > 63)
		add(&e, "must be no more than 63 characters");
	if (!is_subdomain(s) || memchr(s.p, '.', s.n))
		add(&e, "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or "
			"'-', and must "
			"start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex "
			"used for "
			"validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')");
	return e;
}

struct kname_errors kname_qualified(struct str s)
{
	struct kname_errors e = {{NULL}};
	const char *slash = s.n ? memchr(s.p, '/', s.n) : NULL;
	struct str name = s;

	if (slash) {
		struct str prefix = {s.p, (size_t)(slash - s.p)};

		name = (struct str){slash + 1, s.n - prefix.n - 1};
		if (name.n && memchr(name.p, '/', name.n)) {
			add(&e, "a valid label key " NAME_FORM
				" with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
			return e;
		}
		if (prefix.n == 0)
			add(&e, "prefix part must be non-empty");
		else if (prefix.n > 253)
			add(&e, "prefix part must be no more than 253 bytes");
		if (prefix.n && !is_subdomain(prefix))
			add(&e, "prefix part " SUBDOMAIN_FORM);
	}
	if (name.n == 0)
		add(&e, "name part must be non-empty");
	else if (name.n > 63)
		add(&e, "name part must be no more than 63 bytes");
	if (!is_name(name))
		add(&e, "name part " NAME_FORM);
	return e;
}

struct kname_errors kname_label_value(struct str s)
{
	struct kname_errors e = {{NULL}};

	if (s.n > 63)
		add(&e, "must be no more than 63 bytes");
	if (s.n && !is_name(s))
		add(&e,
		    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' "
		    "or '.', "
		    "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  "
		    "or "
		    "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
	return e;
}
