#include "settings.h"

static const struct {
	const char *name;
	bool on;
} gate_rows[GATE_MAX_] = {
	[GATE_NODE_REPAIR] = {"NodeRepair", false},
	[GATE_RESERVED_CAPACITY] = {"ReservedCapacity", true},
	[GATE_SPOT_TO_SPOT] = {"SpotToSpotConsolidation", false},
	[GATE_NODE_OVERLAY] = {"NodeOverlay", false},
	[GATE_STATIC_CAPACITY] = {"StaticCapacity", false},
	[GATE_CAPACITY_BUFFER] = {"CapacityBuffer", false},
};

const char *gate_name(enum gate g)
{
	return gate_rows[g].name;
}

bool gate_default(enum gate g)
{
	return gate_rows[g].on;
}

void settings_defaults(struct settings *s, struct intern *in)
{
	*s = (struct settings){
		.karpenter_version = intern_cstr(in, "v1.14.1"),
		.cluster_name = intern_cstr(in, "kspot"),
		.region = SID_NONE,
		.now = TIME_NONE,
		.vm_memory_overhead = 0.075,
		.max_instance_types = 600,
		.reservation_label = SID_NONE,
	};
	for (unsigned g = 0; g < GATE_MAX_; g++)
		s->gates[g] = gate_rows[g].on;
}
