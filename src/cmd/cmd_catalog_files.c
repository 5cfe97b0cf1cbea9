/* kspot catalog check and import: directories of CSV files. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bits.h"
#include "catalog_action.h"
#include "catalog_import.h"
#include "cmd.h"
#include "label.h"
#include "load_catalog.h"

/* -- check -- */

struct tally {
	uint32_t offered, on_demand, spot; /* pools; of them with a price */
	uint32_t unpriced;                 /* types that can be bought nowhere */
};

static struct tally tally_region(const struct catalog *cat)
{
	struct tally t = {0};

	for (uint32_t i = 0; i < cat->ntype; i++) {
		bool any = cat->on_demand[i] >= 0 && cat->type[i].on_demand;

		for (uint32_t z = 0; z < cat->nzone; z++) {
			uint32_t pool = i * cat->nzone + z;

			if (!bits_test(cat->offered, pool))
				continue;
			t.offered++;
			t.on_demand += cat->on_demand[i] >= 0;
			t.spot += cat->spot[pool] >= 0;
			any |= cat->spot[pool] >= 0;
		}
		t.unpriced += !any;
	}
	return t;
}

/* One read tells the regions; each is then counted by itself. */
int catalog_check(struct run *r)
{
	const char *dir = r->opts.args.n > 1 ? r->opts.args.v[1] : r->opts.catalog;
	struct intern in;
	const struct catalog *cat;

	if (!dir) {
		diag(&r->diags, KS_CATALOG_ACTION, SPAN_NONE, "no directory to check");
		diag_hint(&r->diags, "the catalogue that is built in was checked when kspot was built");
		return RC_BAD_INPUT;
	}
	intern_init(&in, &r->arena);
	labels_init(&in);
	cat = catalog_read_dir(&r->arena, &r->diags, &in, dir,
			       r->opts.region ? intern_cstr(&in, r->opts.region) : CATALOG_ANY_REGION);
	if (!cat)
		return RC_FAILED;
	for (uint32_t i = 0; i < cat->nregion; i++) {
		const struct catalog *c = catalog_read_dir(&r->arena, &r->diags, &in, dir, cat->regions[i]);
		struct tally t = c ? tally_region(c) : (struct tally){0};

		if (!c)
			return RC_FAILED;
		buf_addf(&r->out, "%s: %u types, %u zones, %u offerings; priced: %u on-demand, %u spot\n",
			 intern_c(&in, c->region), c->ntype, c->nzone, t.offered, t.on_demand, t.spot);
		if (t.unpriced)
			buf_addf(&r->out, "  types without any price: %u\n", t.unpriced);
	}
	return RC_OK;
}

/* -- import -- */

static bool write_file(struct run *r, const char *dir, const char *name, const struct buf *text)
{
	const char *path = arena_printf(&r->arena, "%s/%s", dir, name), *p = text->p;
	size_t left = text->n;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	bool ok = fd >= 0;

	while (ok && left) {
		ssize_t n = write(fd, p, left);

		if (n < 0 && errno == EINTR)
			continue;
		ok = n >= 0;
		if (ok) {
			p += n;
			left -= (size_t)n;
		}
	}
	if (fd >= 0 && close(fd) != 0)
		ok = false;
	if (!ok)
		diag(&r->diags, KS_FILE_WRITE, SPAN_NONE, "cannot write %s: %s", path, strerror(errno));
	return ok;
}

static bool read_all(struct run *r, struct catalog_import *im)
{
	for (uint32_t i = 1; i < r->opts.args.n; i++) {
		const struct source *src = source_read(&r->arena, &r->diags, r->opts.args.v[i]);
		struct docs docs = {0};

		if (!src || !doc_read(&r->arena, &r->diags, src, &docs))
			continue;
		for (uint32_t k = 0; k < docs.v.n; k++)
			catalog_import_doc(im, &docs.v.v[k]);
	}
	return r->diags.errors == 0;
}

int catalog_import_files(struct run *r)
{
	const char *dir = r->opts.into;
	struct buf file[CATALOG_FILES_];
	struct catalog_import im;
	struct intern in;
	int rc = RC_OK;

	if (!dir) {
		diag(&r->diags, KS_CATALOG_ACTION, SPAN_NONE, "where to?");
		diag_hint(&r->diags, "name the directory to write with --into");
		return RC_BAD_INPUT;
	}
	intern_init(&in, &r->arena);
	labels_init(&in);
	catalog_import_init(&im, &r->arena, &r->diags, &in,
			    r->opts.region ? intern_cstr(&in, r->opts.region) : SID_NONE);
	if (!read_all(r, &im))
		return RC_BAD_INPUT;
	for (unsigned i = 0; i < CATALOG_FILES_; i++)
		buf_init(&file[i]);
	catalog_import_finish(&im, file);
	if (mkdir(dir, 0777) != 0 && errno != EEXIST) {
		diag(&r->diags, KS_FILE_WRITE, SPAN_NONE, "cannot make the directory %s: %s", dir,
		     strerror(errno));
		rc = RC_BAD_INPUT;
	}
	for (unsigned i = 0; rc == RC_OK && i < CATALOG_FILES_; i++) {
		uint32_t rows = 0;

		for (size_t k = 0; k < file[i].n; k++)
			rows += file[i].p[k] == '\n';
		if (!write_file(r, dir, catalog_file_names[i], &file[i]))
			rc = RC_BAD_INPUT;
		buf_addf(&r->out, "%s: %u rows\n", catalog_file_names[i], rows - 1);
	}
	for (unsigned i = 0; i < CATALOG_FILES_; i++)
		buf_release(&file[i]);
	return rc;
}
