#!/bin/bash
# usage: run.sh KSPOT [--bless] [TOPIC/CASE...]
# Golden cases. A case is a directory TOPIC/CASE with
#   cmd       the arguments of kspot, one shell line, run inside the directory
#   out       the expected standard output, or
#   out.FMT   the expected standard output with -o FMT, one run for each
#   err       the expected standard error of the first run (none: nothing)
#   rc        the expected exit status (none: 0)
#   in        standard input (none: nothing)
# --bless writes what came out as the new expectation; review the difference as a change of behaviour.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/scripts/tap.sh
. "$here/../scripts/tap.sh"
kspot=$(realpath "$1")
shift
bless=
[ "${1-}" = --bless ] && bless=1 && shift
[ $# -gt 0 ] || mapfile -t cases < <(cd "$here" && find . -name cmd -printf '%P\n' | sort | xargs -rn1 dirname)
[ $# -eq 0 ] || cases=("$@")

# same NAME ACTUAL EXPECTED: an expectation that is not there is an empty file.
same() {
	local name=$1 actual=$2 expected=$3
	if [ "$bless" ]; then
		if [ -s "$actual" ] || [[ $expected == */out.* ]]; then
			cp "$actual" "$expected"
		else
			rm -f "$expected"
		fi
		return
	fi
	[ -e "$expected" ] || expected=/dev/null
	diff -u "$expected" "$actual" >"$scratch/diff"
	local rc=$?
	head -40 "$scratch/diff" | sed 's/^/# /'
	result "$rc" "$name"
}

# run CASE OUT-FILE FIRST [ARG...]
run() {
	local case=$1 out=$2 first=$3 rc line
	shift 3
	line=$(cat "$here/$case/cmd")
	(
		cd "$here/$case" || exit
		eval "set -- $line ${*@Q}"
		[ ! -e in ] || exec <in
		"$kspot" "$@"
	) >"$scratch/got.out" 2>"$scratch/got.err" </dev/null
	rc=$?
	same "$case $out" "$scratch/got.out" "$here/$case/$out"
	[ "$first" ] || return
	same "$case err" "$scratch/got.err" "$here/$case/err"
	: >"$scratch/got.rc"
	[ "$rc" = 0 ] || echo "$rc" >"$scratch/got.rc"
	same "$case rc" "$scratch/got.rc" "$here/$case/rc"
}

for case in "${cases[@]}"; do
	first=1
	for out in "$here/$case"/out.*; do
		[ -e "$out" ] || continue
		run "$case" "$(basename "$out")" "$first" -o "${out##*.}"
		first=
	done
	[ ! "$first" ] || run "$case" out 1
done
[ "$bless" ] || finish
