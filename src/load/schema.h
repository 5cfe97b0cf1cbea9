#pragma once
/*
 * The schema engine: a kind of object is a table of fields, each with its name, where its value goes in a
 * record, and the decoder that puts it there. The tables are the one place that says what kspot knows of the
 * API; a field without a decoder is known to the API and not needed here.
 *
 * Null counts as absent. A value of the wrong type is an error with its place and its path from the object
 * on; a field that the table does not list is a warning that names the nearest one, or where in the object it
 * belongs.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "doc.h"
#include "intern.h"

struct loader;
struct field;
struct schema;

/* Decodes n, which is no null, into rec. false after an error. */
typedef bool (*field_fn)(struct loader *l, const struct field *f, const struct doc_node *n, void *rec);

struct field {
	struct str name;
	field_fn decode;           /* NULL: known, not read */
	size_t off;                /* of the target in the record */
	size_t count;              /* of the element count in the record: lists */
	size_t size;               /* of an element: lists */
	const struct schema *sub;  /* of the map, or of the elements of the list */
	const char *const *choice; /* the values of an enumeration, NULL terminated */
	const char *gone;          /* the API had the field once: what to write now */
	/* Lists: whether an element says nothing that is read; it is left out. */
	bool (*skip)(const struct doc_node *element);
	bool required;
};

struct schema {
	const struct field *field;
	uint32_t n;
	void (*init)(void *rec); /* sets what is not zero when absent; may be NULL */
};

#define SCHEMA_OF(fields, init)                                  \
	{                                                        \
		fields, sizeof(fields) / sizeof(*(fields)), init \
	}

#define FIELD_NAME(nm) .name = {nm, sizeof(nm) - 1}
/* A value decoded by fn into T.member. */
#define FIELD(nm, fn, T, member)                                         \
	{                                                                \
		FIELD_NAME(nm), .decode = fn, .off = offsetof(T, member) \
	}
#define FIELD_REQUIRED(nm, fn, T, member)                                                  \
	{                                                                                  \
		FIELD_NAME(nm), .decode = fn, .off = offsetof(T, member), .required = true \
	}
/* As FIELD, and the number of elements goes to T.count_member. */
#define FIELD_COUNTED(nm, fn, T, count_member, member)                                                       \
	{                                                                                                    \
		FIELD_NAME(nm), .decode = fn, .off = offsetof(T, member), .count = offsetof(T, count_member) \
	}
/* A map whose fields go to the struct T.member. */
#define FIELD_MAP(nm, schema, T, member)                                                         \
	{                                                                                        \
		FIELD_NAME(nm), .decode = load_map, .off = offsetof(T, member), .sub = &(schema) \
	}
/* A map whose fields go to the same record. */
#define FIELD_IN(nm, schema)                                         \
	{                                                            \
		FIELD_NAME(nm), .decode = load_map, .sub = &(schema) \
	}
/* A list of maps, each an element of the array T.member. */
#define FIELD_LIST(nm, schema, E, T, count_member, member)                                              \
	{                                                                                               \
		FIELD_NAME(nm), .decode = load_list, .off = offsetof(T, member),                        \
				.count = offsetof(T, count_member), .size = sizeof(E), .sub = &(schema) \
	}
/* A special decoder that looks into sub. */
#define FIELD_WITH(nm, fn, schema, T, member)                                              \
	{                                                                                  \
		FIELD_NAME(nm), .decode = fn, .off = offsetof(T, member), .sub = &(schema) \
	}
/* One of some strings; its place in the list goes to T.member, a bool or an enum. */
#define FIELD_CHOICE(nm, choices, T, member)                                          \
	{                                                                             \
		FIELD_NAME(nm), .decode = load_choice, .off = offsetof(T, member),    \
				.size = sizeof(((T *)0)->member), .choice = (choices) \
	}
/* A field that the API no longer has; hint: what to write in its place. */
#define FIELD_GONE(nm, hint)                   \
	{                                      \
		FIELD_NAME(nm), .gone = (hint) \
	}
#define FIELD_KNOWN(nm)        \
	{                      \
		FIELD_NAME(nm) \
	}

/* Where in the object decoding is, for messages. */
struct frame {
	const struct frame *up;
	struct str name;
	uint32_t index; /* UINT32_MAX: no list element */
};

bool schema_decode(struct loader *l, const struct schema *s, const struct doc_node *n, void *rec);
/* The field of a table, or NULL. */
const struct field *schema_field(const struct schema *s, struct str name);

/* A hash of what the schema reads of a value: equal values have equal hashes. */
uint64_t schema_hash(const struct schema *s, const struct doc_node *n);
/* Whether the schema reads the same from two values. */
bool schema_same(const struct schema *s, const struct doc_node *a, const struct doc_node *b);

/* Decoders for FIELD and its like. */
bool load_map(struct loader *l, const struct field *f, const struct doc_node *n, void *rec);
bool load_list(struct loader *l, const struct field *f, const struct doc_node *n, void *rec);
bool load_string(struct loader *l, const struct field *f, const struct doc_node *n, void *rec); /* sid */
bool load_text(struct loader *l, const struct field *f, const struct doc_node *n,
	       void *rec); /* sid; string or number */
bool load_bool(struct loader *l, const struct field *f, const struct doc_node *n, void *rec); /* bool */
bool load_present(struct loader *l, const struct field *f, const struct doc_node *n,
		  void *rec); /* bool: true */
bool load_int32(struct loader *l, const struct field *f, const struct doc_node *n, void *rec); /* int32_t */
bool load_int64(struct loader *l, const struct field *f, const struct doc_node *n, void *rec); /* int64_t */
bool load_count(struct loader *l, const struct field *f, const struct doc_node *n,
		void *rec); /* int64_t, not negative */
bool load_amount(struct loader *l, const struct field *f, const struct doc_node *n,
		 void *rec); /* double, not negative */
bool load_double(struct loader *l, const struct field *f, const struct doc_node *n, void *rec); /* double */
bool load_quantity(struct loader *l, const struct field *f, const struct doc_node *n,
		   void *rec); /* struct quantity */
bool load_reslist(struct loader *l, const struct field *f, const struct doc_node *n,
		  void *rec); /* struct reslist */
bool load_strmap(struct loader *l, const struct field *f, const struct doc_node *n,
		 void *rec); /* struct labels */
bool load_strings(struct loader *l, const struct field *f, const struct doc_node *n,
		  void *rec); /* uint32_t and sid * */
bool load_choice(struct loader *l, const struct field *f, const struct doc_node *n, void *rec);
/* One of some strings; whether it is the one at place `wanted` goes to a bool. */
bool load_choice_is(struct loader *l, const struct field *f, const struct doc_node *n, void *rec,
		    const char *const *choice, uint32_t wanted);
bool load_nonempty(struct loader *l, const struct field *f, const struct doc_node *n,
		   void *rec); /* bool: list not empty */
bool load_time(struct loader *l, const struct field *f, const struct doc_node *n, void *rec); /* int64_t */
/* As load_time; the time is one of the past, which the clock's default follows (design 3.2). */
bool load_past(struct loader *l, const struct field *f, const struct doc_node *n, void *rec);
bool load_duration(struct loader *l, const struct field *f, const struct doc_node *n,
		   void *rec); /* int64_t */
bool load_nillable(struct loader *l, const struct field *f, const struct doc_node *n,
		   void *rec); /* int64_t; Never */

/* RFC 3339 to whole seconds; fractions are cut off. */
bool parse_time(struct str s, int64_t *ret_seconds);
/* RFC 3339, in UTC. */
const char *time_text(struct arena *a, int64_t seconds);
