#!/bin/bash
# usage: recorded.sh KSPOT [--raise] [SET...]
# Agreement with recorded decisions. tests/floor/SET.txt holds, for each level of comparison, how many cases of a set agree
# at least; fewer is a failure. The sets themselves are not part of the repository: they lie in $KSPOT_SHARED, by default
# ../shared beside it, and where they are not at hand their checks are skipped. --raise writes the figures of this run as
# floors.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/scripts/tap.sh
. "$here/tap.sh"
kspot=$(realpath "$1")
shift
raise=
[ "${1-}" = --raise ] && raise=1 && shift
shared=${KSPOT_SHARED-$here/../../../shared}
floors=$here/../floor
oracle=$shared/oracle
sets=("$@")
[ $# -gt 0 ] || mapfile -t sets < <(cd "$floors" && for f in *.txt; do echo "${f%.txt}"; done)

# compare SET: prints "LEVEL AGREEING/ALL; ..." as the last line.
compare() {
	case $1 in
	walkthrough | realworld)
		python3 "$oracle/compare.py" "$oracle/$1" --kspot "$kspot" --catalog "$oracle/catalog" --level text
		;;
	provision | disrupt | types)
		python3 "$oracle/compare.py" "$oracle/$1.tar.xz" --kspot "$kspot" --catalog "$oracle/catalog" \
			--level text
		;;
	peer-validate)
		python3 "$oracle/compare_check.py" "$oracle/peer/validate" --kspot "$kspot"
		;;
	peer-*)
		python3 "$oracle/compare.py" "$oracle/peer/${1#peer-}.tar.xz" --kspot "$kspot" --level text
		;;
	validate-probes)
		python3 "$oracle/compare_check.py" "$oracle/validate/probes" --kspot "$kspot"
		;;
	validate-corpus)
		python3 "$oracle/compare_check.py" "$oracle/validate/corpus" --inputs "$shared/corpus" --kspot "$kspot"
		;;
	*)
		echo "no such set: $1" >&2
		return 1
		;;
	esac
}

for set in "${sets[@]}"; do
	floor=$floors/$set.txt
	[ -s "$floor" ] || [ "$raise" ] || check "$set has floors" false
	if [ ! -d "$oracle" ]; then
		while read -r level count; do
			skip "$set: $level agrees in $count cases" "no recorded decisions at hand"
		done <"$floor"
		continue
	fi
	compare "$set" >"$scratch/report"
	tail -n 1 "$scratch/report" | tr ';' '\n' | sed 's|^ *||; s|/| |' >"$scratch/levels"
	sed 's/^/# /' "$scratch/report"
	if [ "$raise" ]; then
		awk '{ print $1, $2 }' "$scratch/levels" >"$floor"
		continue
	fi
	while read -r level count; do
		got=$(awk -v level="$level" '$1 == level { print $2 }' "$scratch/levels")
		[ "${got:--1}" -ge "$count" ]
		result $? "$set: $level agrees in ${got:-no} cases, at least $count wanted"
	done <"$floor"
done
[ "$raise" ] || finish
