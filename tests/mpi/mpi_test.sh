#!/usr/bin/env bash
# Several processes that share the work of 'run' write the same bytes as one process, also after failures.
#   mpi_test.sh PROGRAM MPI_PROGRAM MPIRUN
set -uo pipefail
lab=$1
lab_mpi=$2
mpirun=("$3")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
if [[ $("$3" --version 2>&1) =~ Open\ MPI|OpenRTE ]]; then
    mpirun+=(--allow-run-as-root --oversubscribe --bind-to none)
fi
ranks=3
checks=0
wrong=0

complain() {
    echo "FAILED: $*"
    sed 's/^/  stdout: /' out | head -5
    sed 's/^/  stderr: /' err | head -10
    wrong=$((wrong + 1))
}
# expect CODE ARGUMENTS...: runs the program as a group; its output is then in the files out and err.
expect() {
    local code=$1
    shift
    checks=$((checks + 1))
    timeout 300 "${mpirun[@]}" -n $ranks "$lab_mpi" "$@" >out 2>err </dev/null
    local got=$?
    [ $got -eq "$code" ] || complain "'sprig-lab-mpi $*' gave exit code $got, not $code"
}
says_once() { # FILE TEXT
    checks=$((checks + 1))
    [ "$(grep -cF -- "$2" "$1")" -eq 1 ] || complain "'$2' is not once in $1"
}
# A process that is killed may leave a temporary file.
same() { # FOLDER FOLDER WHAT
    checks=$((checks + 1))
    diff -r -x times.json -x '.sprig-*.tmp' "$1" "$2" >difference || complain "$3: $(head -3 difference)"
}

# A study with work items, one that rank 0 runs alone, and another one with work items.
studies="ablation glyphs shift --limit 10 --seeds 0-2"
# shellcheck disable=SC2086
"$lab" run $studies --out alone >expected 2>err || complain "'sprig-lab run $studies'"
# shellcheck disable=SC2086
expect 0 run $studies --threads 2 --out group
same alone group "a group writes other bytes"
checks=$((checks + 1))
cmp -s expected out || complain "a group prints something else"
says_once err "sprig-lab: ablation took"
rm -f group/*/summary.json
find group/runs -name '*.json' -exec touch -d 2001-01-01 {} +
# shellcheck disable=SC2086
expect 0 run $studies --out group
same alone group "a group that computes nothing writes other bytes"
checks=$((checks + 1))
[ -z "$(find group/runs -name '*.json' -newermt 2002-01-01)" ] || complain "cached items were computed again"

# Experiments, too
contest="baselines --methods mean,linear --limit 10 --seeds 0-2"
# shellcheck disable=SC2086
"$lab" run $contest --out alone >expected 2>err || complain "'sprig-lab run $contest'"
# shellcheck disable=SC2086
expect 0 run $contest --out group
same alone group "a group's experiments write other bytes"
checks=$((checks + 1))
cmp -s expected out || complain "a group prints something else about experiments"

# Output that only rank 0 prints
expect 0 --version
says_once out "sprig-lab "
expect 0 run --help
says_once out "Examples:"
expect 2 run nonsense --out group
says_once err "there is no study called 'nonsense'"
expect 2 run ablation --limit 10
says_once err "--out is missing"
echo "in the way" >file
expect 1 run ablation --limit 10 --seeds 0 --out file
says_once err "cannot create the folder"

# A process cannot write: the job ends, and finished results are stored
mkdir -p stuck/runs
touch stuck/runs/ablation
expect 1 run ablation --limit 10 --seeds 0 --out stuck
checks=$((checks + 1))
grep -qF "resumes from them" err || complain "the file that cannot be stored is not named"

# A process is killed: the job ends, and a second run ends with the same bytes
long="ablation --limit 300 --seeds 0-9"
# shellcheck disable=SC2086
"${mpirun[@]}" -n $ranks "$lab_mpi" run $long --out killed >out 2>err </dev/null &
job=$!
for _ in {1..600}; do
    [ -z "$(find killed/runs -name 'seed-*.json' 2>/dev/null | head -1)" ] || break
    sleep 0.1
done
kill -9 "$(pgrep -P $job -f sprig-lab-mpi | tail -1)"
wait $job
code=$?
checks=$((checks + 2))
[ $code -ne 0 ] || complain "a process was killed, but the job succeeded"
[ ! -e killed/ablation/summary.json ] || complain "the job finished before a process was killed"
before=$(find killed/runs -name 'seed-*.json' | wc -l)
[ "$before" -gt 0 ] || complain "no result was stored"
find killed/runs -name '*.json' -exec touch -d 2001-01-01 {} +
# shellcheck disable=SC2086
"$lab" run $long --threads 2 --out long >/dev/null 2>err || complain "'sprig-lab run $long'"
# shellcheck disable=SC2086
expect 0 run $long --out killed
same long killed "a resumed run ends with other bytes"
checks=$((checks + 1))
[ "$(find killed/runs -name '*.json' ! -newermt 2002-01-01 | wc -l)" -eq "$before" ] ||
    complain "finished items were computed again"

# SIGTERM ends the job
"${mpirun[@]}" -n $ranks "$lab_mpi" run ablation --seeds 0-9 --out stopped >out 2>err </dev/null &
job=$!
sleep 2
kill -TERM $job
wait $job
code=$?
checks=$((checks + 1))
[ $code -ne 0 ] || complain "a job that was stopped reports success"

echo "mpi: $checks checks, $wrong failed"
exit $((wrong > 0))
