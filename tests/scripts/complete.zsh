#!/usr/bin/env zsh
# usage: complete.zsh COMPLETION-DIR LINE: prints what zsh offers after LINE, by typing it and a tab into a shell of its own.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1= PS2= PROMPT_SP=; unsetopt prompt_sp zle_bracketed_paste 2>/dev/null; fpath=($1 \$fpath)"
zpty -w shell 'autoload -U compinit; compinit -D -u; stty -echo columns 200 rows 200; LISTMAX=10000'
zpty -w shell "bindkey '^I' list-choices; zstyle ':completion:*' list-packed no; zstyle ':completion:*' menu no"
zpty -w shell 'print READY'
zpty -r shell text '*READY*READY*' || zpty -r shell text '*READY*'
text=
zpty -n -w shell "$2"$'\t'
# Every command has --verbose; the list is complete once nothing follows for a while.
integer quiet=0
repeat 200; do
	if zpty -rt shell part; then
		text+=$part
		quiet=0
	elif [[ $text == *--verbose* ]]; then
		(( ++quiet == 5 )) && break
	fi
	sleep 0.05
done
offered=$text
print -r -- "$offered"
zpty -d shell
