/* kspot explain: the meaning of a message, or how a verdict on a thing comes about. */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "explain.h"
#include "explain_node.h"
#include "explain_pod.h"
#include "explain_type.h"
#include "print.h"
#include "table.h"

bool explain_json(const struct run *r)
{
	return output_of(&r->opts) == OUTPUT_JSON;
}

void explain_open(struct emit *e, struct run *r, const char *subject, const char *name)
{
	emit_init(e, EMIT_JSON, &r->out);
	emit_map(e);
	emit_kv_cstr(e, "apiVersion", "kspot.dev/v1");
	emit_kv_cstr(e, "kind", "Explanation");
	emit_kv_int(e, "formatVersion", 1);
	emit_kv_cstr(e, "subject", subject);
	emit_kv_cstr(e, "name", name);
}

void explain_close(struct emit *e)
{
	emit_end(e);
	emit_finish(e);
}

static const struct diag_info *find_code(const char *text)
{
	uint32_t n;
	const struct diag_info *table = diag_table(&n);
	char *end;
	long code;

	if (strncmp(text, "KS", 2) != 0 || strlen(text) != 6)
		return NULL;
	code = strtol(text + 2, &end, 10);
	for (uint32_t i = 0; i < n && !*end; i++)
		if ((long)table[i].code == code)
			return &table[i];
	return NULL;
}

static void explain_message(struct run *r, const struct diag_info *info)
{
	static const char *const names[] = {
		[SEV_NOTE] = "note", [SEV_WARNING] = "warning", [SEV_ERROR] = "error"};
	const char *code = arena_printf(&r->arena, "KS%04d", (int)info->code);
	const char *severity = names[info->severity];
	struct emit e;

	if (!explain_json(r)) {
		buf_addf(&r->out, "%s (%s): %s\n\n", code, severity, info->summary);
		text_wrap(&r->out, info->explanation, 0, 0, SCREEN_WIDTH);
		return;
	}
	explain_open(&e, r, "message", code);
	emit_kv_cstr(&e, "severity", severity);
	emit_kv_cstr(&e, "summary", info->summary);
	emit_kv_cstr(&e, "explanation", info->explanation);
	explain_close(&e);
}

int cmd_explain(struct run *r)
{
	const char *what = r->opts.args.v[0];
	const struct diag_info *info = find_code(what);

	if (strncmp(what, "node/", 5) == 0)
		return explain_node(r, what + 5);
	if (r->opts.scale.n)
		diag(&r->diags, KS_OPTION_EFFECT, SPAN_NONE, "--scale has no effect but on node/NAME");
	if (strncmp(what, "pod/", 4) == 0)
		return explain_pod(r, what + 4);
	if (strncmp(what, "type/", 5) == 0)
		return explain_type(r, what + 5);
	if (!info) {
		diag(&r->diags, KS_EXPLAIN_SUBJECT, SPAN_NONE, "cannot explain '%s': no such message", what);
		if (strchr(what, '/'))
			diag_hint(&r->diags,
				  "what can be explained are KSnnnn, pod/NAME, node/NAME and type/NAME");
		return RC_BAD_INPUT;
	}
	explain_message(r, info);
	return RC_OK;
}
