#include <criterion/criterion.h>
#include <stdio.h>

#include "poolhash.h"
#include "stage.h"

#define N(a) (sizeof(a) / sizeof((a)[0]))

/*
 * The vectors of karpenter-core A18.4, without that for expireAfter: Never, which is wrong: v1.14.1 decodes
 * Never to the zero value, and the hash skips zero values.
 */
Test(pool_hash, vectors)
{
	static const struct {
		const char *metadata, *spec, *want;
	} rows[] = {
		{"", "expireAfter: 720h", "6821555240594823858"},
		{"labels: {team: a, env: prod}", "expireAfter: 720h", "14252226014800573201"},
		{"",
		 "expireAfter: 720h, taints: [{key: dedicated, value: gpu, effect: NoSchedule}, {key: k2, "
		 "effect: NoExecute}]",
		 "3457171381992711758"},
		{"annotations: {x: 'y'}", "expireAfter: 720h, terminationGracePeriod: 30m",
		 "14104185158909157547"},
		{"",
		 "expireAfter: 720h, taints: [{key: d, effect: NoSchedule}, {key: d, effect: NoSchedule}]",
		 "17700736223175069915"},
		/* A list that is there and empty is no zero value; like taints had cancelled each other out.
		 */
		{"", "expireAfter: 720h, taints: []", "17700736223175069915"},
		/* Requirements are no part of it. */
		{"", "expireAfter: 720h, requirements: [" REQ("a", "In", "b") "]", "6821555240594823858"},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct stage s;
		char text[600], hash[24];

		snprintf(
			text, sizeof(text),
			"{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: p}, spec: {template: "
			"{metadata: {%s}, spec: {nodeClassRef: {group: karpenter.k8s.aws, kind: "
			"EC2NodeClass, "
			"name: default}, %s}}}}",
			rows[i].metadata, rows[i].spec);
		stage_init(&s, text);
		pool_hash_text(s.c->in, &s.c->pools.v[0], hash);
		cr_expect_str_eq(hash, rows[i].want, "row %zu: %s", i, hash);
		stage_release(&s);
	}
}
