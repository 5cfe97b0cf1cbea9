#!/bin/bash
# usage: cli.sh KSPOT
# The command line as a whole: help, version, exit codes, streams, output errors.
# shellcheck source=tests/scripts/tap.sh
. "$(dirname "$0")/tap.sh"
kspot=$1

expect 'version' 0 "$kspot" --version
check 'version on stdout' grep -q '^kspot [0-9]' "$scratch/out"
expect 'help' 0 "$kspot" --help
check 'help fits 80 columns' narrow "$scratch/out"
check 'help is silent on stderr' [ ! -s "$scratch/err" ]
expect 'help command' 0 "$kspot" help
expect 'no command' 1 "$kspot"
check 'usage goes to stderr' [ ! -s "$scratch/out" ]
expect 'unknown command' 1 "$kspot" explian
check 'unknown command has a suggestion' grep -q "did you mean 'explain'" "$scratch/err"
expect 'unknown option' 1 "$kspot" --nonsense
expect 'help on a full device' 1 to_full_device "$kspot" --help
expect 'options on a full device' 1 to_full_device "$kspot" __options
expect 'result on a full device' 1 to_full_device "$kspot" explain KS0101
check 'full device is told' grep -q 'cannot write to standard output' "$scratch/err"

for command in $("$kspot" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	expect "$command --help" 0 "$kspot" "$command" --help
	check "$command --help fits 80 columns" narrow "$scratch/out"
	cp "$scratch/out" "$scratch/help"
	check "$command names itself" grep -q "^Usage: kspot $command" "$scratch/help"
	expect "help $command" 0 "$kspot" help "$command"
	check "help $command is $command --help" cmp -s "$scratch/out" "$scratch/help"
	expect "$command --usage" 0 "$kspot" "$command" --usage
	expect "$command unknown option" 1 "$kspot" "$command" --nonsense
	check "$command unknown option names the command" grep -q "^kspot $command: unrecog" "$scratch/err"
	check "$command unknown option leaves stdout empty" [ ! -s "$scratch/out" ]
	expect "$command --help on a full device" 1 to_full_device "$kspot" "$command" --help
	"$kspot" __options | awk -F'\t' -v c="$command" '$1 == c && $2 { print $2 }' | while read -r option; do
		grep -q -e "$option" "$scratch/help" || echo "$option"
	done >"$scratch/missing"
	check "$command --help lists its options" [ ! -s "$scratch/missing" ]
done
finish
