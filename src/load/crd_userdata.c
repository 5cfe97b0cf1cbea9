/*
 * What becomes of an EC2NodeClass's user data when Karpenter makes the launch template. Rule: "Validation
 * rules", section 6, `userData`; bootstrap of the AWS provider v1.14.1.
 */
#include "crd_runtime.h"
#include "mime.h"

static bool has_mime_form(struct str text)
{
	while (text.n && strchr(" \t\r\n\v\f", text.p[0]))
		text = (struct str){text.p + 1, text.n - 1};
	return str_starts(text, "MIME-Version:") || str_starts(text, "Content-Type:");
}

static const char *al2023_error(struct arena *a, const struct mime_error *e)
{
	switch (e->stage) {
	case MIME_MESSAGE:
		return e->text;
	case MIME_CONTENT_TYPE:
		return arena_printf(a, "archive doesn't have Content-Type header, %s", e->text);
	case MIME_NOT_MULTIPART:
		return "archive is not in multipart format, %!w(<nil>)";
	case MIME_PART:
		return arena_printf(a, "parsing content, %s", e->text);
	case MIME_BODY:
		return arena_printf(a, "parsing content, %.*s, %s", STR_ARG(e->body), e->text);
	}
	return NULL;
}

static const char *al2_error(struct arena *a, const struct mime_error *e)
{
	switch (e->stage) {
	case MIME_MESSAGE:
		return arena_printf(a, "unreadable user data %s", e->text);
	case MIME_CONTENT_TYPE:
		return arena_printf(a, "user data does not define a content-type header %s", e->text);
	case MIME_NOT_MULTIPART:
		return "user data is not in multipart MIME format";
	case MIME_PART:
	case MIME_BODY:
		return e->text;
	}
	return NULL;
}

const char *userdata_error(struct arena *a, const char *family, struct str text)
{
	bool al2023 = strcmp(family, "AL2023") == 0;
	struct mime_error mime;
	const char *error;

	if (strcmp(family, "Bottlerocket") == 0) {
		error = bottlerocket_error(a, text);
		return error ? arena_printf(a, "invalid UserData toml: %s", error) : NULL;
	}
	if ((!al2023 && strcmp(family, "AL2") != 0) || !has_mime_form(text) || mime_read(a, text, &mime))
		return NULL;
	return al2023 ? arena_printf(a, "parsing custom UserData, %s", al2023_error(a, &mime))
		      : arena_printf(a, "parsing custom user data input %s", al2_error(a, &mime));
}
