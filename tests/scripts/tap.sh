# Sourced by test scripts: results in the Test Anything Protocol. $scratch is a directory of the run's own.
# shellcheck shell=bash
# shellcheck disable=SC2034  # variables for the scripts that source this

set -u
tap_count=0
tap_failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset ARGP_HELP_FMT NO_COLOR POSIXLY_CORRECT
export LC_ALL=C TZ=UTC

# result PASSED NAME: PASSED is a status, 0 for yes.
result() {
	tap_count=$((tap_count + 1))
	if [ "$1" = 0 ]; then
		echo "ok $tap_count - $2"
	else
		echo "not ok $tap_count - $2"
		tap_failed=1
	fi
}

# expect NAME WANTED-STATUS COMMAND...: runs it, leaves its streams in $scratch/out and $scratch/err.
expect() {
	local name=$1 want=$2 got
	shift 2
	"$@" >"$scratch/out" 2>"$scratch/err"
	got=$?
	[ "$got" = "$want" ] || echo "# status $got, wanted $want: $*"
	[ "$got" = "$want" ]
	result $? "$name"
}

# check NAME COMMAND...: the command must succeed.
check() {
	local name=$1
	shift
	"$@"
	result $? "$name"
}

skip() {
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

# The last line of a script. The failures are in the output; the status is theirs too for use without a harness.
finish() {
	echo "1..$tap_count"
	exit "$tap_failed"
}

to_full_device() {
	"$@" >/dev/full
}

narrow() {
	[ "$(wc -L <"$1")" -le 80 ]
}
