#!/usr/bin/env bash
# The completion scripts and the manual page contain every verb and option of the help, bash gets the right
# completions, and the installed shells and formatters accept the files.
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
    if [ ! -s script.$shell ] || [ -s err ]; then complain "'sprig completion $shell' wrote nothing, or printed an error"; fi
done
"$sprig" man >sprig.1 || complain "'sprig man' failed"
# Remove the escapes, so that options are as they are typed.
sed 's/\\-/-/g; s/\\(ti/~/g; s/\\(aq/'"'"'/g; s/\\(dq/"/g; s/\\e/\\/g' sprig.1 >plain

# The verbs below a verb, as listed under the headings of its help.
verbs_of() {
    "$sprig" "$@" --help | awk '/^(Models|Subcommands|Shell integration):/ { on = 1; next } /^[^ ]/ || /^$/ { on = 0 } on { print $1 }'
}
# The options of a verb, as listed in its help; -o,--output are two.
options_of() {
    "$sprig" "$@" --help | sed -n '/^\(Examples\|Addresses\):/q; s/^  \(-[^ ]*\).*/\1/p' | tr , '\n'
}

check_verb() { # VERB...
    local option verb offered
    checks=$((checks + 1))
    [ $# -eq 0 ] || grep -qxF ".SS \"sprig $*\"" plain || complain "the manual page has no section 'sprig $*'"
    # The section of this verb
    awk -v name=".SS \"sprig $*\"" '/^\.SS / { on = ($0 == name) } on' plain >section
    [ $# -gt 0 ] || cp plain section
    "$sprig" complete -- "$@" - | cut -f1 | tail -n +2 >offered
    for option in $(options_of "$@"); do
        checks=$((checks + 1))
        grep -qxF -- "$option" offered || complain "$option of 'sprig $*' is not completed"
        grep -qE "^(-.,)?$option(,|$| )" section || complain "the manual page lacks $option of 'sprig $*'"
    done
    [ "$(options_of "$@" | wc -l)" -eq "$(wc -l <offered)" ] || complain "'sprig $*' has wrong completions"
    offered=$("$sprig" complete -- "$@" "" | cut -f1)
    for verb in $(verbs_of "$@"); do
        grep -qxF "$verb" <<<"$offered" || complain "'sprig $* $verb' is not completed"
        check_verb "$@" "$verb"
    done
}
check_verb
[ $checks -ge 100 ] || complain "only $checks options and verbs were found"

# Every example of every help is in the manual page.
examples() { "$sprig" "$@" --help | awk '/^Examples:/ { on = 1; next } on && /^  / { sub(/^ +/, ""); print }'; }
for verb in "" learn predict test inspect diff verify merge class undo export show serve "data get" completion man; do
    # shellcheck disable=SC2086
    while IFS= read -r example; do
        checks=$((checks + 1))
        grep -qxF -- "$example" plain || complain "the manual page lacks the example: $example"
    done < <(examples $verb)
done
for section in '"NAME"' '"DESCRIPTION"' Options '"VERBS"' Addresses "Exit codes" Files Examples; do
    grep -qxF ".SH $section" sprig.1 || complain "the manual page has no section $section"
done

# groff accepts the page, which is plain ASCII.
LC_ALL=C grep -n '[^ -~]' sprig.1 && complain "the manual page is not plain ASCII"
if command -v groff >/dev/null; then
    messages=$(groff -man -ww -Tutf8 sprig.1 2>&1 >shown)
    [ -z "$messages" ] || complain "groff: $messages"
    grep -q . shown || complain "groff shows nothing"
fi
! command -v zsh >/dev/null || zsh -n script.zsh || complain "zsh rejects its script"
! command -v fish >/dev/null || fish --no-execute script.fish || complain "fish rejects its script"

# Completions in bash, which splits words at : and = by default.
# shellcheck source=/dev/null
source ./script.bash
touch picture.png
mkdir folder
# completes WANTED WORDS...: the completions of the last word, in order
completes() {
    local wanted=$1
    shift
    checks=$((checks + 1))
    COMP_WORDS=("$sprig" "$@") COMP_CWORD=$#
    COMPREPLY=(left from before)
    _sprig
    [ "${COMPREPLY[*]}" = "$wanted" ] || complain "after 'sprig $*' the completions are '${COMPREPLY[*]}', not '$wanted'"
}
COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
completes "$(verbs_of | xargs)" ""
completes "serve show" s
completes "show" sh
completes "" nonsense
completes "get" data ""
completes "mnist fashion-mnist" data get ""
completes "mnist" data get --json m
completes "mnist" data get --from folder m
completes "--version --help" --
completes "--from" data get --f
completes "-h --help --from --json" data get -
completes "contour_h contour_v spatial_h spatial_v all" show --layer ""
completes "contour_h contour_v" show mnist : train : 17 -o x.svg --layer c
completes "contour_h contour_v" show --layer = c
completes "contour_h contour_v spatial_h spatial_v all" show --layer =
completes "list rename forget" class model.sprig ""
completes "" class model.sprig rename ""
completes "json graphml dot svg bytes file" export model.sprig --to ""
completes "mnist:train mnist:t10k mnist:all" learn model.sprig mn
completes "constellation modeller" learn model.sprig mnist:train --learner ""
completes "t10k" predict model.sprig picture.png mnist : t1
completes "bash zsh fish" completion ""
completes "" completion bash ""
completes "" man ""
completes "" show -o p # bash itself completes file names
completes "" show -o x.svg p
completes "mnist:train mnist:t10k mnist:all" show mn
completes "train t10k" show mnist : t
completes "train t10k all" show mnist :
completes "" show dir : fol
completes "fashion-mnist:train fashion-mnist:t10k fashion-mnist:all folder" show f
COMP_WORDBREAKS=$' \t\n'
completes "mnist:train mnist:t10k" show mnist:t
completes "--layer=contour_h --layer=contour_v" show --layer=c
[[ $(complete -p sprig) == *"-o default"*" -F _sprig sprig" ]] || complain "bash does not complete file names"

# Wrong usage
"$sprig" completion csh >out 2>err
code=$?
if [ $code -ne 2 ] || [ -s out ] || ! grep -q '^sprig: ' err; then complain "'sprig completion csh'"; fi

echo "completion: $checks checks, $wrong failed"
exit $((wrong > 0))
