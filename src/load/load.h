#pragma once
/*
 * From files to objects: reads the input, decodes every document that kspot knows, applies the defaults of
 * the API server, expands workloads to pods, and settles what the rest of the program takes for granted.
 * Rule: design 3.1, 3.2, 3.5; the README of the recorded real-world cases (expansion, defaults); determinism,
 * "Reading the recorded cases".
 *
 * An object with a uid was stored by an API server: its defaults were applied then, and it stands as written.
 * Others get the defaults that the server would give.
 *
 * Left to the layers above, because they need the catalogue:
 *  - settings.region SID_NONE: nothing in the input tells; us-east-1 is meant, with a note;
 *  - settings.now TIME_NONE: no timestamp in the input; the date of the catalogue is meant. Made-up pods are
 * then created at TIME_NONE, as are pods without a timestamp;
 *  - ec2_node_class.has_status false: subnets in all zones and placeholder images are meant (ec2/). A class
 * that a NodePool names is made up, without status, if the input has neither an EC2NodeClass nor Settings;
 * else its NodePools are left out, as in Karpenter;
 *  - node_pool.invalid is SID_NONE here.
 */
#include "cluster.h"
#include "diag.h"
#include "doc.h"

/* NULL or 0: not given on the command line. Text as the user wrote it. */
struct load_options {
	const char *const *paths; /* files, directories, "-" */
	uint32_t npaths;
	bool recursive;
	const char *types_file; /* ready instance types: an InstanceTypeSet, or a list in the form of KWOK */
	const char *region;
	const char *const *zones; /* each may hold several, with commas */
	uint32_t nzones;
	const char *now;
	const char *karpenter_version;
	const char *const *gates; /* "NAME=BOOL", several with commas */
	uint32_t ngates;
	const char *preference_policy; /* Respect, Ignore */
	const char *min_values_policy; /* Strict, BestEffort */
	const char *const *ice;        /* "TYPE:ZONE:CAPACITY", parts may be * */
	uint32_t nice;
};

/*
 * Reads files, directories (their .yaml, .yml and .json files by name; with recursive also those below) and
 * standard input into documents, in the order given. false if any error was raised; what could be read is in
 * ret_docs all the same.
 */
bool load_inputs(struct arena *session, struct diags *d, const struct load_options *o, struct docs *ret_docs);
/* The objects of a run, or NULL after errors (of this call; errors of load_inputs are the caller's to heed).
 */
struct cluster *load_cluster(struct arena *session, struct diags *d, const struct docs *docs,
			     const struct load_options *o);
