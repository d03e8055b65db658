#!/usr/bin/env bash
# Runs the examples of the documentation, checks that every verb has a page, and tests doc_examples.sh itself.
#   doc_examples_test.sh PROGRAM DOCS
set -uo pipefail
sprig=$1
docs=$2
run=$(dirname "$(realpath "$0")")/doc_examples.sh
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
wrong=0
complain() {
    echo "FAILED: $*"
    wrong=$((wrong + 1))
}

pages=("$docs"/../README.md "$docs"/verbs/*.md "$docs"/lab/*.md)
if "$sprig" serve "$place/none" --listen none 2>&1 | grep -q 'built without the server'; then
    mapfile -t pages < <(printf '%s\n' "${pages[@]}" | grep -v '/verbs/serve.md$')
fi
"$run" "$sprig" "${pages[@]}" || complain "an example of docs/verbs or docs/lab"

# Every verb has a page with an example, linked from docs/cli.md; every page belongs to a verb.
verbs=$("$sprig" --help | awk '/^(Models|Subcommands|Shell integration):/ { on = 1; next } /^[^ ]/ || /^$/ { on = 0 } on { print $1 }')
for verb in $verbs; do
    page=$docs/verbs/$verb.md
    grep -q '^```sh run' "$page" 2>/dev/null || complain "docs/verbs/$verb.md with an example is missing"
    grep -qF "](verbs/$verb.md)" "$docs/cli.md" || complain "docs/cli.md has no link to docs/verbs/$verb.md"
done
for page in "$docs"/verbs/*.md; do
    grep -qxF "$(basename "$page" .md)" <<<"$verbs" || complain "$page belongs to no verb"
done
[ "$(wc -w <<<"$verbs")" -ge 14 ] || complain "only these verbs found: $verbs"

# Every verb of the lab has an example on a page of docs/lab.
for verb in run list report summary filter; do
    grep -qF "sprig-lab $verb" "$docs"/lab/*.md || complain "no page of docs/lab has 'sprig-lab $verb'"
    grep -qF "[\`$verb\`](lab/" "$docs/cli.md" || complain "docs/cli.md has no link to 'sprig-lab $verb'"
done

# gives CODE LINE TEXT: for a page with this text, doc_examples.sh exits with CODE and reports LINE, if not empty.
gives() {
    printf '%s' "$3" >"$place/page.md"
    "$run" "$sprig" "$place/page.md" >"$place/output" 2>&1
    local got=$?
    [ $got -eq "$1" ] || complain "a page gave $got, not $1: $3"
    [ -z "$2" ] || grep -qF "page.md:$2: " "$place/output" || complain "line $2 was not reported: $3"
}
gives 0 "" $'```sh run\necho one >file\n```\n\n```sh run\ncat file\n```\n```text\none\n```\n'
gives 1 3 $'```sh run\ntrue\nfalse\ntrue\n```\n'
gives 1 4 $'Words\n\n```sh run\nfalse | true\n```\n'
gives 0 "" $'```sh run exit=3\nsprig show missing.png\n```\n\n```text\nsprig: ... \'missing.png\'...\n```\n'
gives 1 2 $'```sh run exit=2\nsprig show missing.png\n```\n'
gives 1 1 $'```sh run exit=2\ntrue\n```\n'
gives 0 "" $'```sh run\nseq 9\n```\n\n```text\n1\n...\n9\n```\n'
gives 1 5 $'```sh run\nseq 9\n```\n\n```text\n1\n...\n8\n```\n'
gives 1 4 $'```sh run\necho "a*c"\n```\n```text\na?c\n```\n'
gives 0 "" $'```sh run\necho "a*[c"\n```\n```text\na*[c\n```\n'
gives 0 "" $'```sh run\necho a\n```\nWords\n```text\nsomething else\n```\n'
gives 0 "" $'```sh\nfalse\n```\n```sh run\ntrue\n```\n'
gives 1 "" $'```sh\ntrue\n```\n'
gives 1 1 $'```sh run\ntrue\n'

[ $wrong -eq 0 ]
