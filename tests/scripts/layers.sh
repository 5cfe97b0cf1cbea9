#!/bin/bash
# shellcheck disable=SC2317  # functions that check calls by name
# usage: layers.sh SOURCE-ROOT BUILD-DIR
# The layer rule: a source file can include the headers of its own layer and those below, and an include that points
# upward does not compile. Tried with the compiler commands of the build for every layer and every header; and every header
# compiles alone.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/scripts/tap.sh
. "$here/tap.sh"
root=$1
build=$2

# What a layer may include, itself and all below.
declare -A sees=(
	[base]='base'
	[doc]='base doc'
	[model]='base model'
	[verify]='base model verify'
	[load]='base doc model load'
	[ec2]='base doc model ec2'
	[solve]='base model solve'
	[disrupt]='base model solve disrupt'
	[sim]='base model solve disrupt sim'
	[report]='base doc model load report'
)

# The -I flags with which a layer is compiled.
include_flags() {
	python3 - "$build/compile_commands.json" "/src/$1/" <<-'PYTHON'
		import json, os, shlex, sys
		for entry in json.load(open(sys.argv[1])):
		    path = os.path.realpath(os.path.join(entry["directory"], entry["file"]))
		    if sys.argv[2] in path:
		        for word in shlex.split(entry["command"]):
		            if word.startswith("-I"):
		                print("-I" + os.path.join(entry["directory"], word[2:]))
		        break
	PYTHON
}

# alone LAYER: each header of the layer compiles alone, with the flags of the layer in $flags.
alone() {
	local header rc=0
	for header in "$root/src/$1"/*.h; do
		[ -e "$header" ] || continue
		echo "#include \"$(basename "$header")\"" |
			${CC:-cc} -std=gnu11 -D_GNU_SOURCE -fsyntax-only -x c "${flags[@]}" - || rc=1
	done 2>"$scratch/errors"
	sed 's/^/# /' "$scratch/errors"
	return "$rc"
}

# shut_out LAYER: the compiler finds none of the headers of the layer.
shut_out() {
	local header found
	found=$(for header in "$root/src/$1"/*.h; do
		printf '#if __has_include("%s")\nfound %s\n#endif\n' "$(basename "$header")" "$(basename "$header")"
	done | ${CC:-cc} -E -P -x c "${flags[@]}" -)
	[ -z "$found" ] || echo "# $found"
	[ -z "$found" ]
}

# A real include, so that the rule does not hang on the preprocessor's word alone.
fails_to_compile() {
	! echo "#include \"$1\"" | ${CC:-cc} -std=gnu11 -fsyntax-only -x c "${flags[@]}" - 2>/dev/null
}

layers=(base doc model verify load ec2 solve disrupt sim report cmd)
for layer in base doc model verify load ec2 solve disrupt sim report; do
	mapfile -t flags < <(include_flags "$layer")
	[ ${#flags[@]} -gt 0 ] || continue
	check "headers of $layer compile alone" alone "$layer"
	check "$layer cannot include cmd.h" fails_to_compile cmd.h
	for other in "${layers[@]}"; do
		[[ " ${sees[$layer]} " == *" $other "* ]] || check "$layer cannot include $other" shut_out "$other"
	done
done

# Third-party headers have one place each.
only_in() {
	local found
	found=$(cd "$root" && grep -lE "^#include <$1>" -r src | grep -vE "$2")
	[ -z "$found" ] || echo "# $found"
	[ -z "$found" ]
}
check 'yaml.h is included in doc/ only' only_in 'yaml\.h' '^src/doc/'
check 'cJSON.h is included in doc/ only' only_in '(cjson/)?cJSON\.h' '^src/doc/'
check 'csv.h is included in doc/ only' only_in 'csv\.h' '^src/doc/'
check 'argp.h is included in cmd/ only' only_in 'argp\.h' '^src/cmd/'

# No exit, no standard streams, no environment below cmd/; bug.c holds the two ways to end early.
quiet() {
	local found
	found=$(cd "$root" && grep -nE '\b(exit|printf|puts|putchar|getenv|time|clock_gettime)\(' -r src --include='*.c' |
		grep -vE '^src/(cmd/|base/bug\.c:)')
	[ -z "$found" ] || echo "# $found"
	[ -z "$found" ]
}
check 'below cmd/ nothing prints, exits or reads clock and environment' quiet
finish
