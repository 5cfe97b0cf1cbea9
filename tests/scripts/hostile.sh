#!/bin/bash
# usage: hostile.sh KSPOT
# Files and streams that are not what they ought to be: each ends at once, with a status and a message of its own.
# shellcheck source=tests/scripts/tap.sh
. "$(dirname "$0")/tap.sh"
kspot=$(realpath "$1")
cd "$scratch" || exit
pod='apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: [{name: a, image: x}]}\n'
# shellcheck disable=SC2059
pod() { printf "$pod"; }
plan() { timeout 20 "$kspot" plan -q "$@"; }

# refuse NAME CODE FILE: status 1, nothing on standard output, and the code.
refuse() {
	expect "$1: status" 1 plan -f "$3"
	check "$1: $2" grep -q "\[$2\]\$" err
	check "$1: no result" [ ! -s out ]
}

pod >pod.yaml
plan -f pod.yaml >plain
# accept NAME FILE: the plan of the pod as it is.
accept() {
	expect "$1: status" 0 plan -f "$2"
	check "$1: the same plan" cmp -s out plain
}

printf '\xef\xbb\xbf' | cat - pod.yaml >bom.yaml
accept 'byte order mark' bom.yaml
{ printf '\xff\xfe'; iconv -t UTF-16LE pod.yaml; } >le.yaml
accept 'UTF-16 LE with a mark' le.yaml
{ printf '\xfe\xff'; iconv -t UTF-16BE pod.yaml; } >be.yaml
accept 'UTF-16 BE with a mark' be.yaml
iconv -t UTF-16LE pod.yaml >bare.yaml
refuse 'UTF-16 without a mark' KS0201 bare.yaml
sed 's/$/\r/' pod.yaml >crlf.yaml
accept 'CRLF' crlf.yaml
tr '\n' '\r' <pod.yaml >cr.yaml
accept 'lone CR' cr.yaml
printf 'apiVersion: v1\r\nkind: Pod\r\nmetadata: {name: a, labels: {a: 1}}\r\nspec: {containers: []}\r\n' >column.yaml
refuse 'CRLF and a fault' KS0302 column.yaml
check 'CRLF: line and column' grep -q '^column.yaml:3:33: error' err
printf 'kind: Pod\0\n' >nul.yaml
refuse 'NUL' KS0203 nul.yaml
printf 'kind: "P\xff"\n' >utf8.yaml
refuse 'bytes that are no UTF-8' KS0202 utf8.yaml
check 'bytes that are no UTF-8 do not reach the terminal' iconv -f UTF-8 -t UTF-16 -o /dev/null err
printf 'kind: Pod\napiVersion: v1\nmetadata: {name: "\\e[31mred\\u009b"}\nspec: 1\n' >escape.yaml
refuse 'escape sequences' KS0302 escape.yaml
expect 'escape sequences in JSON' 1 plan -f <(printf '{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"},"spec":"\\u001b[31m"}')
check 'escape sequences do not reach the terminal' [ "$(grep -c $'\033' err)" = 0 ]
gzip -c pod.yaml >packed.yaml
refuse 'gzip' KS0202 packed.yaml
check 'gzip: the hint' grep -q 'hint: .*gunzip' err
: >empty.yaml
refuse 'an empty file' KS0317 empty.yaml
printf '# nothing\n---\n' >comment.yaml
refuse 'comments only' KS0317 comment.yaml
refuse 'an empty device' KS0317 /dev/null
refuse 'a file without an end' KS0103 /dev/zero
refuse 'a file that cannot be read' KS0102 /proc/self/mem
refuse 'a file that is not there' KS0101 gone.yaml
mkdir dir.yaml
refuse 'a directory without files' KS0316 dir.yaml
mkfifo fifo
pod >fifo &
accept 'a pipe' fifo
wait
expect 'standard input' 0 plan -f - <pod.yaml
check 'standard input: the same plan' cmp -s out plain
expect 'empty standard input' 1 plan -f - </dev/null
check 'empty standard input: KS0317' grep -q '\[KS0317\]$' err
expect 'closed standard input' 1 plan -f - <&-
check 'closed standard input: KS0102' grep -q '\[KS0102\]$' err
expect 'one file twice' 0 "$kspot" plan -f pod.yaml -f pod.yaml
check 'one file twice: KS0307' grep -q '\[KS0307\]$' err
sed 's/kind: Pod/kind: Deployment/; s|v1|apps/v1|; s/^spec: /spec: {replicas: 2000000000, template: {spec: /; $s/$/}}/' pod.yaml >huge.yaml
refuse 'two billion replicas' KS0312 huge.yaml
printf 'a: &a [*a]\n' >cycle.yaml
refuse 'an alias inside itself' KS0212 cycle.yaml
{ printf 'a0: &a0 [x,x,x,x,x,x,x,x,x]\n'; for i in {1..9}; do
	printf 'a%d: &a%d [%s]\n' "$i" "$i" "$(printf "*a$((i - 1)),%.0s" {1..9})"
done; } >bomb.yaml
refuse 'a billion laughs' KS0225 bomb.yaml
printf '%0100000d' 0 | tr 0 '[' >deep.yaml
refuse 'deep nesting' KS0220 deep.yaml
{ printf '{"a":'; printf '%0100000d' 0 | tr 0 '['; } >deep.json
refuse 'deep nesting in JSON' KS0220 deep.json

# shellcheck disable=SC2317  # called by expect
to_closed() { "$@" >&-; }
# shellcheck disable=SC2317
told_to_full() { "$@" 2>/dev/full; }
# shellcheck disable=SC2317
told_to_closed() { "$@" 2>&-; }
expect 'standard output full' 1 to_full_device plan -f pod.yaml
check 'standard output full: KS0105' grep -q '\[KS0105\]$' err
expect 'standard output closed' 1 to_closed plan -f pod.yaml
check 'standard output closed: KS0105' grep -q '\[KS0105\]$' err
expect 'standard error full' 1 told_to_full "$kspot" plan -f pod.yaml -f pod.yaml
expect 'standard error closed' 1 told_to_closed "$kspot" plan -f pod.yaml -f pod.yaml
{ sleep 0.3; exec "$kspot" explain KS0101 2>err; } | :
check 'a reader that is gone ends it like other tools' [ "${PIPESTATUS[0]}" = 141 ]
(trap '' PIPE; sleep 0.3; "$kspot" explain KS0101 2>err; echo $? >rc) | :
check 'a reader that is gone, the signal ignored: no message' [ ! -s err ]
check 'a reader that is gone, the signal ignored: status 1' [ "$(cat rc)" = 1 ]
finish
