# What the tests of the programs share. Sourced with the program in $program; the tests run in a folder of their own.
set -uo pipefail
name=$(basename "$program")
place=$(mktemp -d)
trap 'chmod -R u+w "$place"; rm -rf "$place"' EXIT
cd "$place" || exit 1
checks=0
wrong=0
: >in
: >out
: >err

complain() {
    echo "FAILED: $*"
    sed 's/^/  stdout: /' out | head -5
    sed 's/^/  stderr: /' err | head -5
    wrong=$((wrong + 1))
}

# expect CODE ARGUMENTS...: runs the program, with the file `in` as its input; what it says is then in the files out
# and err. An error is one sentence, on stderr, and names the program.
expect() {
    local code=$1
    shift
    checks=$((checks + 1))
    "$program" "$@" <in >out 2>err
    local got=$?
    [ $got -eq "$code" ] || complain "'$name $*' gave exit code $got, not $code"
    [ "$code" -ne 0 ] || return 0
    [ ! -s out ] || complain "'$name $*' failed, but wrote to stdout"
    grep -qv "^$name: " err && complain "'$name $*' does not name the program in its message"
    [ -s err ] || complain "'$name $*' does not say what is wrong"
}
says() { # FILE TEXT
    grep -qF -- "$2" "$1" || complain "'$2' is not in $1"
}
