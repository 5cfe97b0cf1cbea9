#include <criterion/criterion.h>

#include "load.h"
#include "load_verdict.h"

/* Loads, asks for verdicts, and gives the messages, one a line. */
static const char *verdicts(struct arena *a, const char *text, struct cluster **ret_c, bool *ret_ok)
{
	const struct load_options options = {0};
	struct diags d;
	struct docs docs = {0};
	struct buf out;
	const char *got;

	diags_init(&d, a);
	doc_read(a, &d, source_from_text(a, "t", str_of(text)), &docs);
	*ret_c = load_cluster(a, &d, &docs, &options);
	cr_assert(*ret_c, "%s", d.msgs.n ? d.msgs.v[0].text : "");
	d.msgs.n = 0;
	*ret_ok = load_verdicts(&d, &docs, *ret_c);
	buf_init(&out);
	for (uint32_t i = 0; i < d.msgs.n; i++)
		buf_addf(&out, "%u KS%04d %s\n", d.msgs.v[i].span.line, (int)d.msgs.v[i].code,
			 d.msgs.v[i].text);
	got = arena_strndup(a, buf_cstr(&out), out.n);
	buf_release(&out);
	return got;
}

#define POOL(name, reqs)                                                                                    \
	"apiVersion: karpenter.sh/v1\nkind: NodePool\nmetadata: {name: " name                               \
	"}\nspec:\n  template:\n    spec:\n"                                                                \
	"      nodeClassRef: {group: karpenter.k8s.aws, kind: EC2NodeClass, name: c}\n      requirements: " \
	"[" reqs "]\n---\n"

Test(load_verdict, refused)
{
	struct arena a;
	struct cluster *c;
	bool ok;

	arena_init(&a);
	cr_assert_str_eq(
		verdicts(&a, POOL("a", "") "apiVersion: v1\nkind: Namespace\nmetadata: {name: Not-A-Name}\n", &c, &ok),
		"");
	cr_assert(ok);
	cr_assert_str_eq(
		verdicts(&a, POOL("a", "") POOL("b", "{key: karpenter.sh/x, operator: Exists}"), &c, &ok),
		"17 KS0601 NodePool 'b' would be refused: spec.template.spec.requirements[0].key: Invalid "
		"value: "
		"\"karpenter.sh/x\": label domain \"karpenter.sh\" is restricted\n");
	cr_assert_not(ok);
	arena_release(&a);
}

Test(load_verdict, not_used)
{
	static const char text[] = POOL("a", "{key: karpenter.k8s.aws/ec2nodeclass, operator: Exists}")
		POOL("b", "{key: karpenter.sh/capacity-type, operator: In, values: [cheap]}") POOL("c", "");
	struct arena a;
	struct cluster *c;
	const char *got;
	bool ok;

	arena_init(&a);
	got = verdicts(&a, text, &c, &ok);
	cr_assert(ok);
	cr_assert(strstr(got, "1 KS0501 NodePool 'a' is not used: invalid value: using label "
			      "karpenter.k8s.aws/ec2nodeclass"));
	cr_assert(strstr(
		got, "10 KS0501 NodePool 'b' is not used: invalid value: no valid values found in [cheap]"));
	cr_assert_null(strstr(got, "'c'"));
	cr_assert_eq(c->pools.n, 3);
	cr_assert_neq(c->pools.v[0].invalid, SID_NONE);
	cr_assert_neq(c->pools.v[1].invalid, SID_NONE);
	cr_assert_eq(c->pools.v[2].invalid, SID_NONE);
	arena_release(&a);
}
