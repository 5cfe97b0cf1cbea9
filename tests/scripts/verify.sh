#!/bin/bash
# usage: verify.sh VERIFY [EVERY]
# The independent check (src/verify) of what kspot decides on the recorded inputs: every EVERY-th file of each set. The sets
# lie in $KSPOT_SHARED, by default ../shared beside the repository; where they are not at hand the check is skipped.
# tests/floor/verify holds the share, in a thousand, of files of a set that have to be without findings.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/scripts/tap.sh
. "$here/tap.sh"
verify=$(realpath "$1")
every=${2:-25}
oracle=${KSPOT_SHARED-$here/../../../shared}/oracle
if [ ! -d "$oracle" ]; then
	echo '1..0 # SKIP no recorded decisions at hand'
	exit
fi

while read -r set archive share; do
	folder=$scratch/$set
	mkdir "$folder"
	tar -xf "$oracle/$archive" -C "$folder"
	mapfile -t files < <(find "$folder" -name '*.yaml' | sort | awk -v n="$every" 'NR % n == 1')
	"$verify" "$oracle/catalog" "${files[@]}" >"$scratch/report"
	grep -v '^ok' "$scratch/report" | sed 's/^/# /'
	good=$(grep -c '^ok' "$scratch/report")
	[ "${#files[@]}" -gt 0 ] && [ $((good * 1000)) -ge $((${#files[@]} * share)) ]
	result $? "$set: $good of ${#files[@]} files without findings"
done <"$here/../floor/verify"
finish
