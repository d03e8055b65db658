#!/usr/bin/env bash
# What the program writes for shells and for man says what the program says: every verb and option of its help is
# there, bash is offered the right words, and none of the formatters and shells at hand complains.
#   completion_test.sh PROGRAM
set -uo pipefail
sprig=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
checks=0
wrong=0
complain() {
    echo "FAILED: $*"
    wrong=$((wrong + 1))
}

for shell in bash zsh fish; do
    "$sprig" completion $shell >script.$shell 2>err || complain "'sprig completion $shell' failed"
    if [ ! -s script.$shell ] || [ -s err ]; then complain "'sprig completion $shell' wrote nothing, or complained"; fi
done
"$sprig" man >sprig.1 || complain "'sprig man' failed"
# Without the escapes: an option as it is typed.
sed 's/\\-/-/g; s/\\(ti/~/g; s/\\(aq/'"'"'/g' sprig.1 >plain

# The verbs beneath a verb, as its help lists them: what stands under a heading and is followed by words.
verbs_of() {
    "$sprig" "$@" --help | awk '/^(Models|Subcommands|For your shell):/ { on = 1; next } /^[^ ]/ || /^$/ { on = 0 } on { print $1 }'
}
# The options of a verb, as its help lists them: -o,--output is two.
options_of() {
    "$sprig" "$@" --help | sed -n '/^\(Examples\|Addresses\):/q; s/^  \(-[^ ]*\).*/\1/p' | tr , '\n'
}

check_verb() { # VERB...
    local option verb offered
    checks=$((checks + 1))
    [ $# -eq 0 ] || grep -qxF ".SS \"sprig $*\"" plain || complain "the manual page has no section 'sprig $*'"
    # The part of the page that is about this verb
    awk -v name=".SS \"sprig $*\"" '/^\.SS / { on = ($0 == name) } on' plain >section
    [ $# -gt 0 ] || cp plain section
    "$sprig" complete -- "$@" - | cut -f1 | tail -n +2 >offered
    for option in $(options_of "$@"); do
        checks=$((checks + 1))
        grep -qxF -- "$option" offered || complain "$option of 'sprig $*' is not offered"
        grep -qE "^(-.,)?$option(,|$| )" section || complain "the manual page does not know $option of 'sprig $*'"
    done
    [ "$(options_of "$@" | wc -l)" -eq "$(wc -l <offered)" ] || complain "more is offered than 'sprig $*' has"
    offered=$("$sprig" complete -- "$@" "" | cut -f1)
    for verb in $(verbs_of "$@"); do
        grep -qxF "$verb" <<<"$offered" || complain "'sprig $* $verb' is not offered"
        check_verb "$@" "$verb"
    done
}
check_verb
[ $checks -ge 100 ] || complain "only $checks options and verbs were found: is this test looking in the right place?"

# Every example of every help is in the manual page.
examples() { "$sprig" "$@" --help | awk '/^Examples:/ { on = 1; next } on && /^  / { sub(/^ +/, ""); print }'; }
for verb in "" learn predict test inspect diff verify merge class undo export show "data get" completion man; do
    # shellcheck disable=SC2086
    while IFS= read -r example; do
        checks=$((checks + 1))
        grep -qxF -- "$example" plain || complain "the manual page lacks the example: $example"
    done < <(examples $verb)
done
for section in '"NAME"' '"DESCRIPTION"' Options '"VERBS"' Addresses "Exit codes" Files Examples; do
    grep -qxF ".SH $section" sprig.1 || complain "the manual page has no section $section"
done

# Nothing in it is a mistake in the formatter's eyes, nor anything that it would take for its own.
LC_ALL=C grep -n '[^ -~]' sprig.1 && complain "the manual page has characters that not all formatters know"
if command -v groff >/dev/null; then
    said=$(groff -man -ww -Tutf8 sprig.1 2>&1 >shown)
    [ -z "$said" ] || complain "groff: $said"
    grep -q . shown || complain "groff shows nothing"
fi
! command -v zsh >/dev/null || zsh -n script.zsh || complain "zsh does not understand its script"
! command -v fish >/dev/null || fish --no-execute script.fish || complain "fish does not understand its script"

# Bash is asked. It parts words at : and =, unless it is told not to.
# shellcheck source=/dev/null
source ./script.bash
touch picture.png
mkdir folder
# offers WANTED WORDS...: what is offered for the last word, in order
offers() {
    local wanted=$1
    shift
    checks=$((checks + 1))
    COMP_WORDS=("$sprig" "$@") COMP_CWORD=$#
    COMPREPLY=(left from before)
    _sprig
    [ "${COMPREPLY[*]}" = "$wanted" ] || complain "after 'sprig $*' bash offers '${COMPREPLY[*]}', not '$wanted'"
}
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
offers "$(verbs_of | xargs)" ""
offers "show" s
offers "" nonsense
offers "get" data ""
offers "mnist fashion-mnist" data get ""
offers "mnist" data get --json m
offers "mnist" data get --from folder m
offers "--version --help" --
offers "--from" data get --f
offers "-h --help --from --json" data get -
offers "contour_h contour_v spatial_h spatial_v all" show --layer ""
offers "contour_h contour_v" show mnist : train : 17 -o x.svg --layer c
offers "contour_h contour_v" show --layer = c
offers "contour_h contour_v spatial_h spatial_v all" show --layer =
offers "list rename forget" class model.sprig ""
offers "" class model.sprig rename ""
offers "json graphml dot svg bytes file" export model.sprig --to ""
offers "mnist:train mnist:t10k mnist:all" learn model.sprig mn
offers "constellation modeller" learn model.sprig mnist:train --learner ""
offers "t10k" predict model.sprig picture.png mnist : t1
offers "bash zsh fish" completion ""
offers "" completion bash ""
offers "" man ""
offers "" show -o p # bash itself completes the names of files
offers "" show -o x.svg p
offers "mnist:train mnist:t10k mnist:all" show mn
offers "train t10k" show mnist : t
offers "train t10k all" show mnist :
offers "" show dir : fol
offers "fashion-mnist:train fashion-mnist:t10k fashion-mnist:all folder" show f
COMP_WORDBREAKS=$' \t\n'
offers "mnist:train mnist:t10k" show mnist:t
offers "--layer=contour_h --layer=contour_v" show --layer=c
[[ $(complete -p sprig) == *"-o default"*" -F _sprig sprig" ]] || complain "bash does not complete names of files"

# Wrong usage is said as everywhere
"$sprig" completion csh >out 2>err
code=$?
if [ $code -ne 2 ] || [ -s out ] || ! grep -q '^sprig: ' err; then complain "'sprig completion csh'"; fi

echo "completion: $checks checks, $wrong failed"
exit $((wrong > 0))
