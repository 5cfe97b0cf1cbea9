/* kspot explain: the meaning of a message, or how a verdict on a thing comes about. */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "explain_node.h"
#include "explain_pod.h"
#include "explain_type.h"
#include "table.h"

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

int cmd_explain(struct run *r)
{
	static const char *const severity[] = {
		[SEV_NOTE] = "note", [SEV_WARNING] = "warning", [SEV_ERROR] = "error"};
	const char *what = r->opts.args.v[0];
	const struct diag_info *info = find_code(what);

	if (strncmp(what, "node/", 5) == 0)
		return explain_node(r, what + 5);
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
	buf_addf(&r->out, "KS%04d (%s): %s\n\n", (int)info->code, severity[info->severity], info->summary);
	text_wrap(&r->out, info->explanation, 0, 0, SCREEN_WIDTH);
	return RC_OK;
}
