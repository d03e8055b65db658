#!/usr/bin/env bash
# Runs the examples of documentation pages, so that none of them promises what the program does not do.
#   doc_examples.sh PROGRAM PAGE.md...
# A block that begins with ```sh run is run, all blocks of a page in their order in one folder that is empty at first,
# with `sprig`, and `sprig-lab` if it was built, on the PATH. Each of its commands must end with 0; with ```sh run exit=N the block must end with N.
# If the next block is a ```text block with nothing but blank lines in between, it is what was printed: on
# standard output, or on standard error if the block must fail. In it ... stands for anything, a line of its own for some
# lines.
set -uo pipefail
sprig=$1
shift
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

# run_block PAGE LINE CODE TEXT: what it prints is in the files out and err; fails with a complaint.
run_block() {
    local page=$1 line=$2 wanted=$3 got=0 at
    examples=$((examples + 1))
    # As many empty lines before as the page has, so that bash counts as its reader does.
    { printf '%*s' "$line" '' | tr ' ' '\n' && printf '%s' "$4"; } >"$place/script"
    (cd "$place/work" && bash -e -o pipefail -c "trap 'echo \$LINENO >\"$place/failed\"' ERR; source \"$place/script\"") \
        >"$place/out" 2>"$place/err" </dev/null || got=$?
    [ $got -ne "$wanted" ] || return 0
    at=$line
    [ ! -e "$place/failed" ] || at=$(cat "$place/failed")
    complain "$page" "$at" "the example ended with $got, not $wanted"
    tail -n 3 "$place/err" | sed 's/^/    /'
    return 1
}

# expect_text PAGE LINE CODE TEXT: what was printed is this text.
expect_text() {
    local printed pattern
    printed=$(cat "$place/$([ "$3" -eq 0 ] && echo out || echo err)")
    pattern=$(sed -e 's/[][\\*?()|+@!]/\\&/g' -e 's/\.\.\./*/g' <<<"${4%$'\n'}")
    # shellcheck disable=SC2053
    [[ $printed == $pattern ]] && return
    complain "$1" "$2" "the example prints something else"
    diff <(printf '%s' "$4") <(printf '%s\n' "$printed") | sed 's/^/    /' | head -20
}

check_page() {
    local page=$1 number=0 kind=prose line begin=0 text='' code=0 ran=''
    rm -rf "$place/work"
    mkdir "$place/work"
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
echo "examples: $examples were run, $wrong failed"
exit $((wrong > 0))
