#!/usr/bin/env bash
# Runs the examples of documentation pages and compares their output.
#   doc_examples.sh PROGRAM PAGE.md...
# Blocks that begin with ```sh run are run in order, all blocks of a page in one initially empty folder (with the examples, for the
# README), with `sprig`, and `sprig-lab` if it was built, on the PATH. Each command must exit with 0; a block with ```sh run exit=N must exit with N.
# A ```text block that follows with only blank lines in between is the expected output: standard output, or standard
# error if the block must fail. In it, ... matches any text, and on a line of its own any number of lines.
set -uo pipefail
sprig=$1
shift
root=$(realpath "$(dirname "$0")/../..")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir "$place/bin"
ln -s "$(realpath "$sprig")" "$place/bin/sprig"
ln -s "$(dirname "$(realpath "$sprig")")/sprig-lab" "$place/bin/sprig-lab"
export PATH=$place/bin:$PATH
examples=0
wrong=0

complain() { # PAGE LINE TEXT
    echo "$1:$2: $3"
    wrong=$((wrong + 1))
}

# run_block PAGE LINE CODE TEXT: runs a block; its output is in the files out and err.
run_block() {
    local page=$1 line=$2 wanted=$3 got=0 at
    examples=$((examples + 1))
    # Leading empty lines make bash's line numbers those of the page.
    { printf '%*s' "$line" '' | tr ' ' '\n' && printf '%s' "$4"; } >"$place/script"
    (cd "$place/page" && bash -e -o pipefail -c "trap 'echo \$LINENO >\"$place/failed\"' ERR; source \"$place/script\"") \
        >"$place/out" 2>"$place/err" </dev/null || got=$?
    [ $got -ne "$wanted" ] || return 0
    at=$line
    [ ! -e "$place/failed" ] || at=$(cat "$place/failed")
    complain "$page" "$at" "the example exited with $got, not $wanted"
    tail -n 3 "$place/err" | sed 's/^/    /'
    return 1
}

# expect_text PAGE LINE CODE TEXT: compares the output of the last block with the text.
expect_text() {
    local printed pattern
    printed=$(cat "$place/$([ "$3" -eq 0 ] && echo out || echo err)")
    pattern=$(sed -e 's/[][\\*?()|+@!]/\\&/g' -e 's/\.\.\./*/g' <<<"${4%$'\n'}")
    # shellcheck disable=SC2053
    [[ $printed == $pattern ]] && return
    complain "$1" "$2" "the output of the example differs"
    diff <(printf '%s' "$4") <(printf '%s\n' "$printed") | sed 's/^/    /' | head -20
}

check_page() {
    local page=$1 number=0 kind=prose line begin=0 text='' code=0 ran=''
    rm -rf "$place/page"
    mkdir "$place/page"
    [[ $page != *README.md ]] || ln -s "$root/examples" "$place/page/examples"
    while IFS= read -r line || [ -n "$line" ]; do
        number=$((number + 1))
        if [[ $kind == prose ]]; then
            begin=$number text=''
            case $line in
            '```sh run') kind=run code=0 ;;
            '```sh run exit='*) kind=run code=${line##*=} ;;
            '```text') kind=text ;;
            '```'*) kind=other ran='' ;;
            '') ;;
            *) ran='' ;;
            esac
        elif [[ $line == '```' ]]; then
            rm -f "$place/failed"
            case $kind in
            run) if run_block "$page" "$begin" "$code" "$text"; then ran=yes; else ran=''; fi ;;
            text)
                [ -z "$ran" ] || expect_text "$page" "$begin" "$code" "$text"
                ran=''
                ;;
            esac
            kind=prose
        else
            text+=$line$'\n'
        fi
    done <"$page"
    [[ $kind == prose ]] || complain "$page" "$begin" "a block is not closed"
}

for page in "$@"; do check_page "$page"; done
[ $examples -gt 0 ] || complain "$*" 0 "there is no example"
echo "examples: $examples run, $wrong failed"
exit $((wrong > 0))
