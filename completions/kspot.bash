# bash completion for kspot. Commands, options and choices come from the program itself.

_kspot()
{
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} kspot=${COMP_WORDS[0]}
	local command='' word rows long short arg choices

	COMPREPLY=()
	rows=$("$kspot" __options 2>/dev/null) || return
	for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
		[[ $word == -* || $word == help ]] || { command=$word; break; }
	done
	if [[ -z $command ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(cut -f1 <<<"$rows" | uniq) help --help --usage --version" -- "$cur")
		return
	fi
	# "--option=value" arrives as three words.
	[[ $prev == '=' ]] && prev=${COMP_WORDS[COMP_CWORD - 2]}
	[[ $cur == '=' ]] && cur=''
	while IFS=$'\x1f' read -r word long short arg choices _; do
		[[ $word == "$command" && -n $long && ($prev == "$long" || $prev == "$short") && -n $arg ]] || continue
		if [[ -n $choices ]]; then
			mapfile -t COMPREPLY < <(compgen -W "${choices//|/ }" -- "$cur")
		elif [[ $arg == *FILE* || $arg == *DIR* ]]; then
			compopt -o filenames 2>/dev/null
			mapfile -t COMPREPLY < <(compgen -f -- "$cur")
		fi
		return
	done < <(tr '\t' '\037' <<<"$rows")
	if [[ $cur == -* ]]; then
		mapfile -t COMPREPLY < <(compgen -W "$(awk -F'\t' -v c="$command" '$1 == c && $2 { print $2; print $3 }' \
			<<<"$rows") --help --usage --version" -- "$cur")
	fi
}

complete -F _kspot kspot
