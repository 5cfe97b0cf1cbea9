#!/bin/bash
# usage: readme.sh KSPOT SOURCE-ROOT
# What README shows is what the program prints: each line "    $ kspot ..." is run in the source folder, and the indented
# lines up to the next command or text are its whole output.
# shellcheck source=tests/scripts/tap.sh
. "$(dirname "$0")/tap.sh"
kspot=$(realpath "$1")
cd "$2" || exit

compare() {
	local line=$1
	eval "set -- ${line#kspot }"
	"$kspot" "$@" </dev/null >"$scratch/got" 2>&1
	# Blank lines at the end belong to the page.
	sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' "$scratch/want" >"$scratch/shown"
	diff -u "$scratch/shown" "$scratch/got" | sed 's/^/# /'
	cmp -s "$scratch/shown" "$scratch/got"
	result $? "README: $line"
}

command=
while IFS= read -r line; do
	if [[ $line == '    $ '* || ($line != '    '* && -n $line) ]]; then
		[ -z "$command" ] || compare "$command"
		command=
		[[ $line == '    $ '* ]] || continue
		command=${line#'    $ '}
		: >"$scratch/want"
	elif [ -n "$command" ]; then
		echo "${line#    }" >>"$scratch/want"
	fi
done < <(cat README.md && echo end)
finish
