/* kspot check: what an API server and Karpenter would say of the objects. */
#include "cmd.h"
#include "file.h"
#include "load.h"
#include "rep_check.h"

/* Whether a file could not be read at all: errors of documents are findings, those of files are not. */
static bool input_missing(const struct run *r)
{
	for (uint32_t i = 0; i < r->diags.msgs.n; i++)
		if (r->diags.msgs.v[i].code >= KS_FILE_OPEN && r->diags.msgs.v[i].code < KS_TEXT_UTF16)
			return true;
	return false;
}

static const char *format_of(const struct run *r)
{
	return r->opts.output ? r->opts.output : "text";
}

/* The reader's messages about documents become findings; moved, they are not printed by themselves. */
static void take_messages(struct run *r, struct findings *f, bool move)
{
	const struct source *file = NULL;
	uint32_t kept = 0;
	bool taken = false;

	for (uint32_t i = 0; i < r->diags.msgs.n; i++) {
		struct diag_msg *m = &r->diags.msgs.v[i];

		if (!m->attached)
			taken = m->span.src != NULL;
		if (taken && !m->attached && m->span.src != file) {
			file = m->span.src;
			findings_unit(f, file->name, "syntax");
		}
		if (taken)
			findings_take(f, m);
		if (!taken || !move)
			r->diags.msgs.v[kept++] = *m;
	}
	r->diags.msgs.n = kept;
}

static void print_findings(struct run *r, const struct check_result *result, const struct findings *f)
{
	const char *format = format_of(r);

	if (strcmp(format, "junit") == 0) {
		rep_findings_junit(&r->out, f, "kspot check");
	} else if (strcmp(format, "sarif") == 0) {
		rep_findings_sarif(&r->out, f);
	} else if (strcmp(format, "github") == 0) {
		rep_findings_github(&r->out, f);
	} else {
		rep_findings_text(&r->out, f, r->colour,
				  r->opts.quiet     ? SEV_ERROR
				  : r->opts.verbose ? SEV_NOTE
						    : SEV_WARNING);
		rep_check_summary(&r->out, result);
	}
}

int cmd_check(struct run *r)
{
	const struct load_options options = {
		.paths = r->opts.filename.v, .npaths = r->opts.filename.n, .recursive = r->opts.recursive};
	struct docs docs = {0};
	const struct check_result *result;
	struct lint_findings lints = {0};
	struct findings f;
	bool missing, json = strcmp(format_of(r), "json") == 0;

	if (!r->opts.filename.n) {
		diag(&r->diags, KS_NO_INPUT, SPAN_NONE, "no input");
		diag_hint(&r->diags, "name files or directories with -f, or - for standard input");
		return RC_BAD_INPUT;
	}
	load_inputs(&r->arena, &r->diags, &options, &docs);
	missing = input_missing(r);
	result = check_docs(&r->arena, &docs);
	findings_init(&f, &r->arena, r->opts.strict);
	take_messages(r, &f, !json);
	lint_docs(&r->arena, result, &lints);
	rep_check_findings(&f, result, &lints);
	if (json)
		rep_check_json(&r->out, result);
	else
		print_findings(r, result, &f);
	return missing ? RC_BAD_INPUT : findings_failed(&f) ? RC_FAILED : RC_OK;
}
