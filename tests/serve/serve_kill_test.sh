#!/usr/bin/env bash
# Kills a server while it is taught: every lesson that it has acknowledged is in the file, and what is in the file is what
# `sprig learn` makes of the same lessons.
#   serve_kill_test.sh PROGRAM [ROUNDS]
program=$1
rounds=${2:-3}
[ -z "${SPRIG_EXHAUSTIVE:-}" ] || rounds=20
here=$(realpath "$(dirname "$0")")
source "$here/../cli/support.sh"
source "$here/support.sh"
unset SPRIG_TOKEN

# The lesson with a number, as a line for `strokes:`.
lesson() {
    local size=$(($1 % 40 + 5))
    case $(($1 % 3)) in
    0) echo "{\"label\": \"arrow\", \"strokes\": [[[0, 5], [$size, 5]], [[$((size - 3)), 2], [$size, 5], [$((size - 3)), 8]]]}" ;;
    1) echo "{\"label\": \"cross\", \"strokes\": [[[0, 0], [$size, $size]], [[$size, 0], [0, $size]]]}" ;;
    2) echo "{\"label\": \"check\", \"strokes\": [[[0, 6], [3, $size], [$size, 0]]]}" ;;
    esac
}
# Teaches lessons until the server is gone; writes the number of acknowledged lessons to `acknowledged`.
teach() { # FIRST
    local i=$1
    while lesson "$i" >body && [ "$(post learn @body 2>/dev/null | tail -1)" = 200 ]; do
        i=$((i + 1))
        echo "$i" >acknowledged.new
        mv acknowledged.new acknowledged
    done
}
stored() { "$program" verify killed.sprig --json | sed -nE 's/.*"lessons": ([0-9]+).*/\1/p'; }
digest() { "$program" verify "$1" --json | sed -nE 's/.*"digest": "([0-9a-f]+)".*/\1/p'; }

reached=0
for round in $(seq "$rounds"); do
    start_server killed.sprig || exit 1
    echo "$reached" >acknowledged
    teach "$reached" &
    teacher=$!
    for _ in $(seq 600); do # until some lessons have been learned
        [ "$(cat acknowledged)" -lt $((reached + 5)) ] || break
        sleep 0.05
    done
    sleep "0.$((RANDOM % 10))$((RANDOM % 10))"
    stop_server KILL
    wait $teacher
    checks=$((checks + 1))
    known=$(cat acknowledged)
    now=$(stored)
    [ "$known" -gt "$reached" ] || complain "round $round: no lesson was acknowledged"
    # The lesson that was being answered may be in the file, or not.
    [ "$now" -eq "$known" ] || [ "$now" -eq $((known + 1)) ] ||
        complain "round $round: $known lessons were acknowledged, but the file has $now"
    reached=$now
done
for i in $(seq 0 $((reached - 1))); do lesson "$i"; done >lessons.jsonl
expect 0 learn same.sprig strokes:lessons.jsonl
[ "$(digest same.sprig)" = "$(digest killed.sprig)" ] || complain "the model differs from one of the same lessons"
echo "serve_kill: $rounds rounds, $reached lessons, $wrong failed"
exit $((wrong > 0))
