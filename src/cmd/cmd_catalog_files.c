/* kspot catalog check and import: directories of CSV files. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bits.h"
#include "catalog_action.h"
#include "catalog_import.h"
#include "cmd.h"
#include "label.h"
#include "load_catalog.h"
#include "write_all.h"

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

/* A file that cannot be read is no fault that a check found. */
static int check_failed(const struct diags *d)
{
	for (uint32_t i = 0; i < d->msgs.n; i++)
		if (d->msgs.v[i].code >= KS_FILE_OPEN && d->msgs.v[i].code <= KS_FILE_TOO_LARGE)
			return RC_BAD_INPUT;
	return RC_FAILED;
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
		return check_failed(&r->diags);
	for (uint32_t i = 0; i < cat->nregion; i++) {
		const struct catalog *c = catalog_read_dir(&r->arena, &r->diags, &in, dir, cat->regions[i]);
		struct tally t = c ? tally_region(c) : (struct tally){0};

		if (!c)
			return check_failed(&r->diags);
		buf_addf(&r->out, "%s: %u types, %u zones, %u offerings; priced: %u on-demand, %u spot\n",
			 intern_c(&in, c->region), c->ntype, c->nzone, t.offered, t.on_demand, t.spot);
		if (t.unpriced)
			buf_addf(&r->out, "  types without any price: %u\n", t.unpriced);
	}
	return RC_OK;
}

/* -- import -- */

static bool cannot_write(struct run *r, const char *path)
{
	diag(&r->diags, KS_FILE_WRITE, SPAN_NONE, "cannot write %s: %s", path, strerror(errno));
	return false;
}

static const char *file_path(struct run *r, unsigned i, const char *suffix)
{
	return arena_printf(&r->arena, "%s/%s%s", r->opts.into, catalog_file_names[i], suffix);
}

static bool write_file(struct run *r, unsigned i, const struct buf *text)
{
	const char *path = file_path(r, i, ".new");
	int fd;
	bool ok;

	do {
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	} while (fd < 0 && errno == EINTR);
	ok = fd >= 0 && write_all(fd, text->p, text->n);

	if (!ok)
		cannot_write(r, path);
	/* After EINTR the descriptor is gone all the same. */
	if (fd >= 0 && close(fd) != 0 && errno != EINTR && ok)
		ok = cannot_write(r, path);
	return ok;
}

/* All files get their names once all are whole: half a catalogue must not look like one. */
static bool write_files(struct run *r, const struct buf *file)
{
	bool ok = mkdir(r->opts.into, 0777) == 0 || errno == EEXIST || cannot_write(r, r->opts.into);
	unsigned n;

	for (n = 0; ok && n < CATALOG_FILES_; n++)
		ok = write_file(r, n, &file[n]);
	for (unsigned i = 0; ok && i < CATALOG_FILES_; i++)
		ok = rename(file_path(r, i, ".new"), file_path(r, i, "")) == 0 ||
		     cannot_write(r, file_path(r, i, ""));
	for (unsigned i = 0; !ok && i < n; i++)
		unlink(file_path(r, i, ".new"));
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
	struct buf file[CATALOG_FILES_];
	struct catalog_import im;
	struct intern in;
	int rc = RC_OK;

	if (!r->opts.into) {
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
	if (!write_files(r, file))
		rc = RC_BAD_INPUT;
	for (unsigned i = 0; rc == RC_OK && i < CATALOG_FILES_; i++) {
		uint32_t rows = 0;

		for (size_t k = 0; k < file[i].n; k++)
			rows += file[i].p[k] == '\n';
		buf_addf(&r->out, "%s: %u rows\n", catalog_file_names[i], rows - 1);
	}
	for (unsigned i = 0; i < CATALOG_FILES_; i++)
		buf_release(&file[i]);
	return rc;
}
