#!/bin/bash
# usage: fuzz.sh BUILD [SECONDS]
# Runs every fuzz target of a build with -Dfuzz=true for so many seconds (20), two at a time, the seeds first. What breaks
# a target is left in BUILD/fuzz/TARGET.
# shellcheck source=tests/scripts/tap.sh
. "$(dirname "$0")/tap.sh"
build=$(realpath "$1")
seconds=${2-20}
seeds=$(realpath "$(dirname "$0")/../fuzz/seeds")
export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1

# fuzz TARGET: the new inputs are thrown away.
fuzz() {
	local corpus=$scratch/$1
	mkdir -p "$corpus" "$build/fuzz/$1"
	"$build/tests/fuzz/fuzz_$1" -max_total_time="$seconds" -timeout=60 -print_final_stats=1 \
		-artifact_prefix="$build/fuzz/$1/" "$corpus" "$seeds/$1" >"$scratch/$1.log" 2>&1
	echo $? >"$scratch/$1.rc"
}

cd "$seeds" || exit
targets=(*)
for target in "${targets[@]}"; do
	fuzz "$target" &
	while [ "$(jobs -rp | wc -l)" -ge 2 ]; do wait -n; done
done
wait
for target in "${targets[@]}"; do
	rc=$(cat "$scratch/$target.rc")
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$scratch/$target.log")
	[ "$rc" = 0 ] || grep -E 'ERROR|SUMMARY|Test unit|internal error' "$scratch/$target.log" | head -n 8 | sed 's/^/# /'
	result "$rc" "$target: ${runs:-?} runs, $(grep -oE 'cov: [0-9]+' "$scratch/$target.log" | tail -n 1)"
done
finish
