# fish completion for kspot. Commands, options and choices come from the program itself.

complete -c kspot -f
for row in (kspot __options 2>/dev/null)
    set -l cell (string split \t -- $row)
    if test -z "$cell[2]"
        complete -c kspot -n __fish_use_subcommand -a $cell[1] -d $cell[6]
        continue
    end
    set -l option -c kspot -n "__fish_seen_subcommand_from $cell[1]" -l (string replace -- -- '' $cell[2]) -d $cell[6]
    if test -n "$cell[3]"
        set -a option -s (string sub -s 2 -- $cell[3])
    end
    if test -n "$cell[5]"
        set -a option -x -a (string replace -a '|' ' ' -- $cell[5])
    else if string match -qr 'FILE|DIR' -- $cell[4]
        set -a option -r -F
    else if test -n "$cell[4]"
        set -a option -x
    end
    complete $option
end
complete -c kspot -n __fish_use_subcommand -a help -d 'help on a command'
complete -c kspot -n __fish_use_subcommand -l version -s V -d 'print the version'
complete -c kspot -l help -d 'help'
complete -c kspot -l usage -d 'short help'
