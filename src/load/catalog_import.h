#pragma once
/*
 * A catalogue from what the AWS CLI prints: describe-instance-types, describe-instance-type-offerings (by
 * zone or zone id), describe-spot-price-history, describe-availability-zones, pricing get-products. Any
 * number of files, in any order: whole answers, pages, lists of pages, or the lists that a query took out of
 * them. What they say is merged and written as the CSV files of catalog_read_dir.
 *
 * The importer keeps its facts in the arena it was made with. It reports what is missing as warnings and
 * never leaves anything out in silence.
 */
#include "catalog.h"
#include "diag.h"
#include "doc.h"
#include "idmap.h"

enum catalog_file_id {
	CATALOG_ZONES,
	CATALOG_TYPES,
	CATALOG_OFFERINGS,
	CATALOG_ON_DEMAND,
	CATALOG_SPOT,
	CATALOG_FILES_,
};

extern const char *const catalog_file_names[CATALOG_FILES_];

struct import_zone {
	sid name, zone_id, region;
	uint32_t noffer; /* types offered in it */
};

/* A type in a place: an offering or a price. The last told stands, of spot prices the newest. */
struct import_pool {
	uint32_t type;
	sid place; /* zone or region */
	sid price; /* text as the CSV has it; SID_EMPTY for offerings */
	sid date;
};

struct import_offer {
	sid type, location;
	bool by_id;
	struct span at;
};

struct import_type {
	struct ec2_type t;
	bool known;  /* by describe-instance-types */
	bool limits; /* Karpenter's tables have it */
};

struct catalog_import {
	struct arena *arena;
	struct diags *d;
	struct intern *in;
	sid region; /* for products that tell none; SID_NONE */
	VEC(struct import_type) types;
	VEC(struct import_zone) zones;
	VEC(struct import_offer) offers;
	VEC(struct import_pool) spot, on_demand;
	struct idmap type_of, zone_of, zone_by_id, spot_of, on_demand_of;
	struct idmap unwanted; /* types that Karpenter does not ask EC2 for, left out */
	VEC(sid) unwanted_types;
	uint32_t other_products; /* prices of other systems than Linux, left out */
};

void catalog_import_init(struct catalog_import *im, struct arena *a, struct diags *d, struct intern *in,
			 sid region);
/* One document of the CLI; false after an error. */
bool catalog_import_doc(struct catalog_import *im, const struct doc *doc);
/* Writes the files and reports what is missing. */
void catalog_import_finish(struct catalog_import *im, struct buf ret_file[CATALOG_FILES_]);

/* Private to the importer: the number of a type or zone, new or known. */
uint32_t catalog_import_type_index(struct catalog_import *im, sid name);
uint32_t catalog_import_zone_index(struct catalog_import *im, sid name);
/* Private to the importer: the text of a scalar, if it is what a name or a date can be; else SID_EMPTY.
 * Nothing that is written needs quotes then. */
sid catalog_import_text(const struct catalog_import *im, const struct doc_node *n);
/* Private to the importer: decodes an element of InstanceTypes. */
bool catalog_import_type(struct catalog_import *im, const struct doc *doc, const struct doc_node *n,
			 struct ec2_type *ret_t);
