/* JUnit XML: a test case for each object, failed when one of its findings makes the check fail. */
#include "file.h"
#include "finding.h"

/* Text of an element or an attribute; what XML 1.0 cannot hold becomes U+FFFD. */
static void add_xml(struct buf *out, const char *s)
{
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		switch (c) {
		case '<':
			buf_adds(out, "&lt;");
			break;
		case '>':
			buf_adds(out, "&gt;");
			break;
		case '&':
			buf_adds(out, "&amp;");
			break;
		case '"':
			buf_adds(out, "&quot;");
			break;
		case '\n':
		case '\t':
			buf_addf(out, "&#%d;", (int)c);
			break;
		default:
			if (c < 0x20)
				buf_adds(out, "\xef\xbf\xbd");
			else
				buf_addch(out, (char)c);
		}
	}
}

static uint32_t count_failures(const struct findings *f, const struct finding_unit *u)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < u->n; i++)
		n += !f->msgs.v[u->from + i].attached && finding_fails(f, &f->msgs.v[u->from + i]);
	return n;
}

static void add_case(struct buf *out, const struct findings *f, const struct finding_unit *u)
{
	buf_adds(out, "    <testcase classname=\"");
	add_xml(out, u->file);
	buf_adds(out, "\" name=\"");
	add_xml(out, u->name);
	buf_adds(out, count_failures(f, u) ? "\">\n" : "\"/>\n");
	if (!count_failures(f, u))
		return;
	for (uint32_t i = 0; i < u->n; i++) {
		const struct diag_msg *m = &f->msgs.v[u->from + i];

		if (m->attached || !finding_fails(f, m))
			continue;
		buf_addf(out, "      <failure type=\"KS%04d\" message=\"", (int)m->code);
		add_xml(out, m->text);
		buf_adds(out, "\">");
		add_xml(out, m->span.src ? m->span.src->name : u->file);
		buf_addf(out, ":%u:%u", m->span.line, m->span.col);
		if (m->hint) {
			buf_adds(out, " ");
			add_xml(out, m->hint);
		}
		buf_adds(out, "</failure>\n");
	}
	buf_adds(out, "    </testcase>\n");
}

void rep_findings_junit(struct buf *out, const struct findings *f, const char *suite)
{
	uint32_t failed = 0;

	for (uint32_t i = 0; i < f->units.n; i++)
		failed += count_failures(f, &f->units.v[i]) > 0;
	buf_addf(out,
		 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
		 "  <testsuite name=\"%s\" tests=\"%u\" failures=\"%u\" errors=\"0\" skipped=\"0\">\n",
		 suite, f->units.n, failed);
	for (uint32_t i = 0; i < f->units.n; i++)
		add_case(out, f, &f->units.v[i]);
	buf_adds(out, "  </testsuite>\n</testsuites>\n");
}
