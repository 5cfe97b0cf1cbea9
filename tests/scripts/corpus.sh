#!/bin/bash
# usage: corpus.sh KSPOT
# kspot plan on every file of the public configurations in $KSPOT_SHARED/corpus (by default ../shared beside the
# repository; skipped where it is not at hand). SOURCES.md there suggests an outcome for each; tests/corpus.tsv lists the
# files for which another is right, and why. 1 is an error with a located message, 0 a plan; nothing else may come.
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/scripts/tap.sh
. "$here/tap.sh"
kspot=$(realpath "$1")
corpus=${KSPOT_SHARED-$here/../../../shared}/corpus
if [ ! -r "$corpus/SOURCES.md" ]; then
	echo '1..0 # SKIP no corpus at hand'
	exit
fi

# FOLDER/FILE and the status suggested, one a line; "any" where the suggestion leaves it open.
suggested() {
	awk -F' [|] ' '
		/^## / { folder = $0; sub(/^## /, "", folder); sub(/\/.*/, "", folder) }
		/^[|] / && folder != "" {
			line = $0
			gsub(/\\[|]/, "\001", line)
			n = split(line, cell, "|")
			file = cell[2]; want = cell[4]
			gsub(/^ +| +$/, "", file); gsub(/^ +| +$/, "", want)
			if (file == "file" || want == "") next
			if (want ~ /^n\/a/ || want ~ /error or|or error|or ok/) want = "any"
			else if (want ~ /^error/) want = 1
			else want = 0
			print folder "/" file "\t" want
		}' "$corpus/SOURCES.md"
}

while IFS=$'\t' read -r file want; do
	[ -e "$corpus/$file" ] || continue
	other=$(awk -F'\t' -v f="$file" '$1 == f { print $2 }' "$here/../corpus.tsv")
	want=${other:-$want}
	"$kspot" plan -f "$corpus/$file" >"$scratch/out" 2>"$scratch/err"
	got=$?
	[ "$got" = "$want" ] || [ "$want" = any ] && [ "$got" -le 1 ] && { [ "$got" = 0 ] || grep -q 'error: ' "$scratch/err"; }
	ok=$?
	[ "$ok" = 0 ] || echo "# status $got, wanted $want: $(grep -m1 'error: ' "$scratch/err")"
	result "$ok" "$file"
done < <(suggested)
finish
