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

# Teaches lessons until the server is gone; writes the number of acknowledged lessons to `acknowledged`.
teach() { # FIRST
    local i=$1
    while make_lesson "$i" && [ "$(post learn "$lesson" 2>/dev/null | tail -1)" = 200 ]; do
        i=$((i + 1))
        echo "$i" >acknowledged.new
        mv acknowledged.new acknowledged
    done
}
stored() { "$program" verify killed.sprig --json | sed -nE 's/.*"lessons": ([0-9]+).*/\1/p'; }
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
write_lessons "$reached" >lessons.jsonl
expect 0 learn same.sprig strokes:lessons.jsonl
[ "$(digest same.sprig)" = "$(digest killed.sprig)" ] || complain "the model differs from one of the same lessons"
echo "serve_kill: $rounds rounds, $reached lessons, $wrong failed"
exit $((wrong > 0))
