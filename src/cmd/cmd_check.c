/* kspot check: what an API server and Karpenter would say of the objects. */
#include "cmd.h"
#include "file.h"
#include "input.h"
#include "rep_check.h"
#include "world.h"

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

/* The world of an input that was accepted, or NULL: what loading it says is not what a check is asked. */
static const struct world *quiet_world(struct run *r, const struct docs *docs)
{
	const struct diags kept = r->diags;
	const struct world *w = NULL;
	struct cluster *c;

	diags_init(&r->diags, &r->arena);
	c = input_decode(r, docs);
	if (c)
		w = world_of(r, c);
	r->diags = kept;
	return w;
}

static bool all_accepted(const struct docs *docs, const struct check_result *result)
{
	for (uint32_t i = 0; i < result->docs.n; i++)
		if (result->docs.v[i].verdict != CHECK_ACCEPTED &&
		    result->docs.v[i].verdict != CHECK_NOT_KARPENTER)
			return false;
	return docs->bad.n == 0;
}

static void lint(struct run *r, const struct docs *docs, const struct check_result *result,
		 struct lint_findings *ret_lints)
{
	const struct world *w = all_accepted(docs, result) ? quiet_world(r, docs) : NULL;

	lint_docs(&r->arena, result, ret_lints);
	if (w && w->catalog)
		lint_types(&r->arena, result, w->c, w->types, ret_lints);
	lint_settle(&r->arena, result, ret_lints);
}

int cmd_check(struct run *r)
{
	struct docs docs = {0};
	const struct check_result *result;
	struct lint_findings lints = {0};
	struct findings f;
	bool missing, json = strcmp(format_of(r), "json") == 0;

	if (!input_read(r, &docs))
		return RC_BAD_INPUT;
	missing = input_missing(r);
	result = check_docs(&r->arena, &docs);
	lint(r, &docs, result, &lints);
	findings_init(&f, &r->arena, r->opts.strict);
	take_messages(r, &f, !json);
	rep_check_findings(&f, result, &lints);
	if (json)
		rep_check_json(&r->out, result);
	else
		print_findings(r, result, &f);
	return missing ? RC_BAD_INPUT : findings_failed(&f) ? RC_FAILED : RC_OK;
}
