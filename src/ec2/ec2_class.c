#include <ctype.h>
#include <stdio.h>
#include <strings.h>

#include "ec2_types.h"

static const struct {
	const char *name;  /* spec.amiFamily */
	const char *alias; /* family part of an alias */
	struct ami_traits traits;
} families[] = {
	[AMI_AL2] = {"AL2", "al2", {true, true, true, false, "/dev/xvda", 20, NULL}},
	[AMI_AL2023] = {"AL2023", "al2023", {true, true, true, false, "/dev/xvda", 20, NULL}},
	[AMI_BOTTLEROCKET] = {"Bottlerocket",
			      "bottlerocket",
			      {false, false, true, false, "/dev/xvdb", 20, NULL}},
	[AMI_WINDOWS2019] = {"Windows2019",
			     "windows2019",
			     {false, true, false, true, "/dev/sda1", 50, "10.0.17763"}},
	[AMI_WINDOWS2022] = {"Windows2022",
			     "windows2022",
			     {false, true, false, true, "/dev/sda1", 50, "10.0.20348"}},
	[AMI_WINDOWS2025] = {"Windows2025",
			     "windows2025",
			     {false, true, false, true, "/dev/sda1", 50, "10.0.26100"}},
	[AMI_CUSTOM] = {"Custom", "", {true, true, true, false, NULL, 20, NULL}},
};

#define NFAMILY (sizeof(families) / sizeof(families[0]))

enum ami_family ec2_ami_family(const struct intern *in, const struct ec2_node_class *nc)
{
	struct str alias = intern_str(in, nc->alias);
	const char *at = memchr(alias.p, '@', alias.n);

	if (nc->ami_family != SID_NONE) {
		for (unsigned i = 0; i < NFAMILY; i++)
			if (str_is(intern_str(in, nc->ami_family), families[i].name))
				return (enum ami_family)i;
		return AMI_AL2;
	}
	if (nc->alias == SID_NONE)
		return AMI_CUSTOM;
	if (at)
		alias.n = (size_t)(at - alias.p);
	for (unsigned i = 0; i < NFAMILY; i++)
		if (alias.n == strlen(families[i].alias) &&
		    strncasecmp(alias.p, families[i].alias, alias.n) == 0)
			return (enum ami_family)i;
	return AMI_AL2;
}

const struct ami_traits *ec2_ami_traits(enum ami_family f)
{
	return &families[f].traits;
}

enum variant { ANY, STANDARD, NVIDIA, NEURON };

/* IT-62: which images a family has. */
static const struct {
	enum ami_family family;
	sid arch;
	enum variant variant;
} images[] = {
	{AMI_AL2, STR_AMD64, STANDARD},
	{AMI_AL2, STR_AMD64, NVIDIA},
	{AMI_AL2, STR_AMD64, NEURON},
	{AMI_AL2, STR_ARM64, STANDARD},
	{AMI_AL2023, STR_AMD64, STANDARD},
	{AMI_AL2023, STR_AMD64, NVIDIA},
	{AMI_AL2023, STR_AMD64, NEURON},
	{AMI_AL2023, STR_ARM64, STANDARD},
	{AMI_AL2023, STR_ARM64, NVIDIA},
	{AMI_BOTTLEROCKET, STR_AMD64, STANDARD},
	{AMI_BOTTLEROCKET, STR_AMD64, NVIDIA},
	{AMI_BOTTLEROCKET, STR_AMD64, NEURON},
	{AMI_BOTTLEROCKET, STR_ARM64, STANDARD},
	{AMI_BOTTLEROCKET, STR_ARM64, NVIDIA},
	{AMI_WINDOWS2019, STR_AMD64, ANY},
	{AMI_WINDOWS2022, STR_AMD64, ANY},
	{AMI_WINDOWS2025, STR_AMD64, ANY},
	{AMI_CUSTOM, STR_AMD64, ANY},
	{AMI_CUSTOM, STR_ARM64, ANY},
};

#define NIMAGE (sizeof(images) / sizeof(images[0]))

static struct api_requirement api_req(struct arena *a, struct intern *in, sid key, const char *op, sid value)
{
	struct api_requirement r = {.key = key, .op = intern_cstr(in, op), .min_values = -1};

	if (value != SID_NONE) {
		r.values = arena_memdup(a, &value, 1, sizeof(value));
		r.n = 1;
	}
	return r;
}

static struct nc_ami made_up_ami(struct arena *a, struct intern *in, unsigned row)
{
	static const char *const suffix[] = {"", "-standard", "-nvidia", "-neuron"};
	const struct ami_traits *traits = &families[images[row].family].traits;
	char name[96];
	struct nc_ami ami = {.req = ARENA_ARRAY(a, struct api_requirement, 3)};

	snprintf(name, sizeof(name), "ami-%s-%s%s", families[images[row].family].name,
		 intern_c(in, images[row].arch), suffix[images[row].variant]);
	for (char *p = name; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	ami.id = ami.name = intern_cstr(in, name);
	ami.req[ami.nreq++] = api_req(a, in, LBL_ARCH, "In", images[row].arch);
	switch (images[row].variant) {
	case ANY:
		if (traits->windows) {
			ami.req[ami.nreq++] = api_req(a, in, LBL_OS, "In", STR_WINDOWS);
			ami.req[ami.nreq++] = api_req(a, in, LBL_WINDOWS_BUILD, "In",
						      intern_cstr(in, traits->windows_build));
		}
		break;
	case STANDARD:
		ami.req[ami.nreq++] = api_req(a, in, LBL_GPU_COUNT, "DoesNotExist", SID_NONE);
		ami.req[ami.nreq++] = api_req(a, in, LBL_ACCELERATOR_COUNT, "DoesNotExist", SID_NONE);
		break;
	case NVIDIA:
		ami.req[ami.nreq++] = api_req(a, in, LBL_GPU_COUNT, "Exists", SID_NONE);
		break;
	case NEURON:
		ami.req[ami.nreq++] = api_req(a, in, LBL_ACCELERATOR_COUNT, "Exists", SID_NONE);
		break;
	}
	return ami;
}

/* "us-east-1a" is, the local zone "us-east-1-bos-1a" is not: a cluster has subnets there only on purpose. */
static bool is_availability_zone(const struct intern *in, const struct ec2_zone *z)
{
	struct str zone = intern_str(in, z->name), region = intern_str(in, z->region);

	return zone.n == region.n + 1 && memcmp(zone.p, region.p, region.n) == 0;
}

static void add_subnets(struct arena *a, const struct cluster *c, const struct catalog *cat,
			struct ec2_node_class *nc)
{
	bool usual = false; /* the region's names tell which zones are local ones */

	nc->subnet = ARENA_ARRAY(a, struct nc_subnet, cat->nzone);
	nc->nsubnet = 0;
	for (uint32_t z = 0; z < cat->nzone && !usual; z++)
		usual = is_availability_zone(c->in, &cat->zone[z]);
	for (uint32_t z = 0; z < cat->nzone; z++) {
		const char *zone = intern_c(c->in, cat->zone[z].name);

		if (!ec2_zone_exists(&c->settings, cat->zone[z].name) ||
		    (usual && !c->settings.has_zones && !is_availability_zone(c->in, &cat->zone[z])))
			continue;
		nc->subnet[nc->nsubnet++] = (struct nc_subnet){
			.id = intern_cstr(c->in, arena_printf(a, "subnet-%s", zone)),
			.zone = cat->zone[z].name,
			.zone_id = cat->zone[z].zone_id,
		};
	}
}

const struct ec2_node_class *ec2_class_defaults(struct arena *a, const struct cluster *c,
						const struct catalog *cat, const struct ec2_node_class *nc,
						sid name, bool *ret_placeholder)
{
	static const struct ec2_node_class none = {
		.ami_family = SID_NONE,
		.alias = SID_NONE,
		.instance_profile = SID_NONE,
		.role = SID_NONE,
		.context = SID_NONE,
		.placement_group = SID_NONE,
		.kubelet = {.max_pods = -1, .pods_per_core = -1},
	};
	struct ec2_node_class *out;

	*ret_placeholder = !nc || !nc->has_status;
	if (!*ret_placeholder)
		return nc;
	out = arena_memdup(a, nc ? nc : &none, 1, sizeof(*out));
	if (!nc) {
		out->meta.name = name;
		out->alias = intern_cstr(c->in, "al2023@latest");
	}
	out->has_status = true;
	add_subnets(a, c, cat, out);
	out->ami = ARENA_ARRAY(a, struct nc_ami, NIMAGE);
	out->nami = 0;
	for (unsigned i = 0; i < NIMAGE; i++)
		if (images[i].family == ec2_ami_family(c->in, out))
			out->ami[out->nami++] = made_up_ami(a, c->in, i);
	out->security_group = ARENA_ARRAY(a, sid, 1);
	out->security_group[0] = intern_cstr(c->in, "sg-nodes");
	out->nsecurity_group = 1;
	return out;
}

rsetid *ec2_image_requirements(struct arena *a, struct reqpool *rp, const struct ec2_node_class *nc)
{
	rsetid *out = ARENA_ARRAY(a, rsetid, nc->nami);

	for (uint32_t i = 0; i < nc->nami; i++)
		for (uint32_t k = 0; k < nc->ami[i].nreq; k++) {
			const struct api_requirement *r = &nc->ami[i].req[k];
			enum req_op op;

			if (req_op_parse(intern_str(rp->in, r->op), &op))
				out[i] = rset_add(rp, out[i],
						  req_make(rp, req_key(rp, r->key), op, r->values, r->n, -1));
		}
	return out;
}

sid ec2_image_of(struct reqpool *rp, const struct ec2_node_class *nc, const rsetid *image_reqs,
		 const struct itype *t)
{
	for (uint32_t i = 0; i < nc->nami; i++)
		if (rset_compatible(rp, t->reqs, image_reqs[i], false))
			return nc->ami[i].id;
	return SID_NONE;
}
