/* Any bytes as objects: verdicts, lints and every form of the report. */
#include "fuzz.h"
#include "rep_check.h"

static void check_results(const struct check_result *r)
{
	for (uint32_t i = 0; i < r->docs.n; i++) {
		const struct check_doc *d = &r->docs.v[i];

		require(d->api_version && d->kind && d->name && d->src);
		require((d->verdict == CHECK_ACCEPTED || d->verdict == CHECK_NOT_KARPENTER) ==
			(d->errors.n == 0));
		require(d->verdict == CHECK_ACCEPTED || d->runtime.n == 0);
		for (uint32_t k = 0; k < d->errors.n; k++)
			require(d->errors.v[k].path && d->errors.v[k].type && *d->errors.v[k].message);
		for (uint32_t k = 0; k < d->strict.n; k++)
			require(d->strict.v[k].text && *d->strict.v[k].text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena a;
	struct diags d;
	struct docs docs = {0};
	struct lint_findings lints = {0};
	struct findings f;
	struct check_result *result;
	struct buf out;

	arena_init(&a);
	diags_init(&d, &a);
	buf_init(&out);
	doc_read(&a, &d,
		 source_from_text(&a, "input",
				  (struct str){arena_strndup(&a, (const char *)data, size), size}),
		 &docs);
	result = check_docs(&a, &docs);
	require(result->docs.n >= docs.bad.n);
	check_results(result);
	lint_docs(&a, result, &lints);
	lint_settle(&a, result, &lints);
	findings_init(&f, &a, size % 2);
	rep_check_findings(&f, result, &lints);
	rep_findings_text(&out, &f, size % 3 == 0, SEV_NOTE);
	rep_check_summary(&out, result);
	rep_check_json(&out, result);
	rep_findings_junit(&out, &f, "check");
	rep_findings_sarif(&out, &f);
	rep_findings_github(&out, &f);
	require(strlen(out.p) == out.n);
	buf_release(&out);
	arena_release(&a);
	return 0;
}
