#!/usr/bin/env bash
# Tests of record_history, check_history and compare_history, with a program that only lists work.
set -euo pipefail
here=$(dirname "$0")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() {
    echo "history_test: $*"
    exit 1
}
printf '#!/bin/sh\necho contours\necho decide\n' >"$folder/program"
chmod +x "$folder/program"
history=$folder/history.csv
check() { "$here/check_history" "$folder/program" "$history" 1.2.0 >"$folder/said"; }
refused() { # reason
    if check; then fail "accepted: $1"; fi
    grep -q "$1" "$folder/said" || fail "not '$1' but: $(cat "$folder/said")"
}

# A line for a new version, with a column for new work; the line of `unreleased` is replaced.
printf 'version,date,contours\n1.0.0,2026-01-31,30\nunreleased,2026-02-01,20\n' >"$history"
printf 'decide 50 10 5\ncontours 10 10 1\n' >"$folder/counts"
"$here/record_history" "$folder/program" "$folder/counts" "$history" 1.2.0
printf 'version,date,contours,decide\n1.0.0,2026-01-31,30,\n1.2.0,%s,10,50\n' "$(date -u +%F)" >"$folder/wanted"
cmp "$history" "$folder/wanted" || fail "recorded: $(cat "$history")"
check || fail "refused: $(cat "$folder/said")"

# Only work that both have.
"$here/compare_history" "$folder/counts" "$history" >"$folder/said"
grep -qE '^\| contours +\| +30 \| +10 \| +0.33 \|$' "$folder/said" || fail "compared: $(cat "$folder/said")"
if grep -q decide "$folder/said"; then fail "compared with nothing: $(cat "$folder/said")"; fi

good=$(cat "$history")
damaged() { # sed expression, reason
    sed -E "$1" <<<"$good" >"$history"
    refused "$2"
}
damaged '1s/,decide//' 'no column for decide'
damaged '2s/,$//' '3 fields, not 4'
damaged '3s/^1.2.0/1.0.0/' 'not a new version'
damaged '2s/2026-01-31/today/' 'not a date'
damaged '2s/30/3.5/' 'not a number'
damaged '3d' 'the last version is not 1.2.0'
damaged '3s/50$//' 'nothing for decide'
