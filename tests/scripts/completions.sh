#!/bin/bash
# usage: completions.sh KSPOT SOURCE-ROOT
# The completions offer every command, and every option of each command, in each of the three shells.
# shellcheck disable=SC2317  # functions that check calls by name
# shellcheck source=tests/scripts/tap.sh
. "$(dirname "$0")/tap.sh"
kspot=$(realpath "$1")
root=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
PATH=$(dirname "$kspot"):$PATH
kspot __options >"$scratch/options"
mapfile -t commands < <(cut -f1 "$scratch/options" | uniq)

in_bash() {
	bash --norc -c '
		. "$1/completions/kspot.bash"
		shift
		COMP_WORDS=("$@")
		COMP_CWORD=$(($# - 1))
		_kspot
		printf "%s\n" "${COMPREPLY[@]}"
	' bash "$root" kspot "$@"
}

# shellcheck disable=SC2016  # variables of fish
in_fish() {
	fish --no-config -c 'source $argv[1]/completions/kspot.fish; complete -C "$argv[2]"' "$root" "kspot $*"
}

in_zsh() {
	timeout 60 zsh -f "$here/complete.zsh" "$root/completions" "kspot $*" </dev/null
}

# offers SHELL COMMAND: all its options, and no options of others.
offers() {
	local shell=$1 command=$2
	awk -F'\t' -v c="$command" '$1 == c && $2 { print $2 } END { print "--help\n--usage" }' "$scratch/options" |
		sort >"$scratch/want"
	"in_$shell" "$command" -- | tr -s ' \t\r' '\n' | grep -aoE '^(.\[[0-9;?]*[A-Za-z])*--[a-z-]+$' |
		grep -aoE '\-\-[a-z-]+$' | grep -v -- '--version' | sort -u >"$scratch/got"
	diff "$scratch/want" "$scratch/got" | sed 's/^/# /'
	cmp -s "$scratch/want" "$scratch/got"
}

offers_commands() {
	local command offered
	offered=$("in_$1" '' | awk '{ print $1 }')
	for command in "${commands[@]}" help; do
		grep -qx -- "$command" <<<"$offered" || return 1
	done
}

for shell in bash fish zsh; do
	if ! command -v "$shell" >/dev/null; then
		skip "$shell completes options" "no $shell"
		continue
	fi
	for command in "${commands[@]}"; do
		check "$shell completes the options of $command" offers "$shell" "$command"
	done
	[ "$shell" = zsh ] || check "$shell completes commands" offers_commands "$shell"
done

bash_offers() {
	in_bash "$@" | grep -qx -- "$WANT"
}
while IFS=$'\x1f' read -r command long _ _ choices _; do
	[ -n "$choices" ] || continue
	WANT=${choices%%|*}
	check "bash completes the choices of $command $long" bash_offers "$command" "$long" ''
done < <(tr '\t' '\037' <"$scratch/options")
finish
