#include "label.h"

#include "bug.h"

static const struct {
	const char *text;
	unsigned flags;
} rows[] = {
	[LABEL_NULL_] = {"", 0},
#define LABEL(id, text, flags) [id] = {text, flags},
#include "label.def"
#undef LABEL
};

/* Karpenter v1.14.1, scheduling requirements (A6.2), with the provider's alias (IT-41). */
static const struct {
	const char *old;
	sid now;
} aliases[] = {
	{"failure-domain.beta.kubernetes.io/zone", LBL_ZONE},
	{"failure-domain.beta.kubernetes.io/region", LBL_REGION},
	{"beta.kubernetes.io/arch", LBL_ARCH},
	{"beta.kubernetes.io/os", LBL_OS},
	{"beta.kubernetes.io/instance-type", LBL_INSTANCE_TYPE},
	{"topology.ebs.csi.aws.com/zone", LBL_ZONE},
};

void labels_init(struct intern *in)
{
	for (sid i = 1; i < LABEL_MAX_; i++) {
		sid got = intern_cstr(in, rows[i].text);

		KS_BUG_ON(got != i);
	}
}

unsigned label_flags(sid id)
{
	return id < LABEL_MAX_ ? rows[id].flags : 0;
}

sid label_normalize(struct intern *in, sid key)
{
	struct str text = intern_str(in, key);

	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (str_is(text, aliases[i].old))
			return aliases[i].now;
	return key;
}

struct str label_domain(struct str key)
{
	const char *slash = memchr(key.p, '/', key.n);

	return slash ? (struct str){key.p, (size_t)(slash - key.p)} : (struct str){"", 0};
}
