#!/bin/bash
# usage: manual.sh KSPOT SOURCE-ROOT
# The manual pages list the options that the program has, no more and no fewer: those of kspot.1 are common to several
# commands, the others stand in the page of their command. README names no option or command that is not there.
# shellcheck disable=SC2317  # functions that check calls by name
# shellcheck source=tests/scripts/tap.sh
. "$(dirname "$0")/tap.sh"
kspot=$(realpath "$1")
root=$2
"$kspot" __options >"$scratch/options"
mapfile -t commands < <(cut -f1 "$scratch/options" | uniq)

# items PAGE: "--long -s" of every option that has an entry of its own.
items() {
	sed -nE 's/^\.It Fl ([a-zA-Z]) , Fl Fl ([a-z-]+).*/--\2 -\1/p; s/^\.It Fl Fl ([a-z-]+).*/--\1/p' "$1" | sort
}

# has_options COMMAND: each is in the page of the command or among the common ones.
has_options() {
	items "$root/man/kspot.1" >"$scratch/common"
	items "$root/man/kspot-$1.1" >"$scratch/own"
	awk -F'\t' -v c="$1" '$1 == c && $2 { print $2 ($3 ? " " $3 : "") }' "$scratch/options" | sort >"$scratch/has"
	sort -u "$scratch/common" "$scratch/own" | comm -23 "$scratch/has" - >"$scratch/undocumented"
	comm -23 "$scratch/own" "$scratch/has" >"$scratch/invented"
	comm -12 "$scratch/own" "$scratch/common" >"$scratch/twice"
	sed 's/^/# not in the manual: /' "$scratch/undocumented"
	sed 's/^/# only in the manual: /' "$scratch/invented"
	sed 's/^/# also in kspot.1: /' "$scratch/twice"
	[ ! -s "$scratch/undocumented" ] && [ ! -s "$scratch/invented" ] && [ ! -s "$scratch/twice" ]
}

common_are_real() {
	awk -F'\t' '$2 { print $2 ($3 ? " " $3 : "") }' "$scratch/options" | sort -u >"$scratch/all"
	items "$root/man/kspot.1" | comm -23 - "$scratch/all" >"$scratch/invented"
	sed 's/^/# only in the manual: /' "$scratch/invented"
	[ ! -s "$scratch/invented" ]
}

lists_command() {
	grep -qx "\.It Ic $1" "$root/man/kspot.1" && grep -q "Xr kspot-$1 1" "$root/man/kspot.1"
}

lint() {
	mandoc -T lint -W warning "$1" | sed 's/^/# /'
	mandoc -T lint -W warning "$1" >/dev/null
}

# Every choice of an option is named in its page.
has_choices() {
	local choice missing=0
	while IFS= read -r choice; do
		cat "$root/man/kspot.1" "$root/man/kspot-$1.1" | grep -qE "(Cm|Ar) $choice\b" || {
			echo "# not in the manual: $choice"
			missing=1
		}
	done < <(awk -F'\t' -v c="$1" '$1 == c && $5 { print $5 }' "$scratch/options" | tr '|' '\n' | sort -u)
	return "$missing"
}

for command in "${commands[@]}"; do
	check "kspot.1 lists $command" lists_command "$command"
	check "kspot-$command.1 has the options of $command" has_options "$command"
	check "kspot-$command.1 has the choices of $command" has_choices "$command"
done
check 'kspot.1 has no option that is not there' common_are_real
for page in "$root"/man/*.1; do
	if command -v mandoc >/dev/null; then
		check "$(basename "$page") is clean" lint "$page"
	else
		skip "$(basename "$page") is clean" 'no mandoc'
	fi
done

# Reasons for pending pods stand in the manual and in the schema, in the order of their table.
reasons() {
	sed -nE 's/^WHY\([A-Z_]+, "([A-Za-z]+)", (POOL|POD),.*/\1/p' "$root/src/model/pod_why.def" >"$scratch/reasons"
	sed -nE 's/^\.It Li ([A-Z][A-Za-z]+)$/\1/p' "$root/man/kspot-plan.1" >"$scratch/man"
	sed -n '/"whyCode"/,/]/p' "$root/fixtures/schema/plan.json" | sed -nE 's/^ *"([A-Z][A-Za-z]+)",?$/\1/p' >"$scratch/schema"
	diff "$scratch/reasons" "$scratch/man" | sed 's/^/# kspot-plan.1: /'
	diff "$scratch/reasons" "$scratch/schema" | sed 's/^/# plan.json: /'
	[ -s "$scratch/reasons" ] && cmp -s "$scratch/reasons" "$scratch/man" && cmp -s "$scratch/reasons" "$scratch/schema"
}
check 'the reasons for pending pods are documented' reasons

# The same of what becomes of nodes.
verdicts() {
	sed -nE 's/^VERDICT\([A-Z_]+, "([A-Za-z]+)",.*/\1/p' "$root/src/model/verdict.def" >"$scratch/verdicts"
	sed -n '/^\.Ss Verdicts/,/^\.Ss Options/p' "$root/man/kspot-disrupt.1" |
		sed -nE 's/^\.It Li ([A-Z][A-Za-z]+)$/\1/p' >"$scratch/man"
	sed -n '/"verdictCode"/,/]/p' "$root/fixtures/schema/disruption.json" | sed -nE 's/^ *"([A-Z][A-Za-z]+)",?$/\1/p' >"$scratch/schema"
	diff "$scratch/verdicts" "$scratch/man" | sed 's/^/# kspot-disrupt.1: /'
	diff "$scratch/verdicts" "$scratch/schema" | sed 's/^/# disruption.json: /'
	[ -s "$scratch/verdicts" ] && cmp -s "$scratch/verdicts" "$scratch/man" && cmp -s "$scratch/verdicts" "$scratch/schema"
}
check 'the reasons for verdicts on nodes are documented' verdicts

# Options that the README mentions for kspot, in code or in the commands it shows.
readme_options() {
	local option missing=0
	# shellcheck disable=SC2016  # a backtick
	while read -r option; do
		case $option in
		--help | --version | --usage | --packages-only | --bless | --raise) continue ;;
		esac
		cut -f2 "$scratch/options" | grep -qx -- "$option" || {
			echo "# no such option: $option"
			missing=1
		}
	done < <(grep -oE '`[^`]*`|^    \$ kspot.*' "$root/README.md" | grep -oE -- '--[a-z][a-z-]+' | sort -u)
	return "$missing"
}
check 'README names options that are there' readme_options

readme_commands() {
	local command missing=0
	for command in "${commands[@]}"; do
		grep -q "kspot $command" "$root/README.md" || {
			echo "# not in README: $command"
			missing=1
		}
	done
	return "$missing"
}
check 'README names every command' readme_commands
finish
