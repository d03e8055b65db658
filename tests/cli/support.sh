# Shared by the tests of the programs. Sourced with $program set; the tests run in a temporary folder.
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

# expect CODE ARGUMENTS...: runs the program with the file `in` as its input and writes its output to the files out and
# err. On failure, stdout must be empty, and every line of stderr must begin with the program's name.
expect() {
    local code=$1
    shift
    checks=$((checks + 1))
    "$program" "$@" <in >out 2>err
    local got=$?
    [ $got -eq "$code" ] || complain "'$name $*' gave exit code $got, not $code"
    [ "$code" -ne 0 ] || return 0
    [ ! -s out ] || complain "'$name $*' failed, but wrote to stdout"
    grep -qv "^$name: " err && complain "'$name $*' prints a message without the program's name"
    [ -s err ] || complain "'$name $*' prints no error message"
}
says() { # FILE TEXT
    grep -qF -- "$2" "$1" || complain "'$2' is not in $1"
}
