#!/usr/bin/env bash
# sprig-mpi: any number of processes give the model and the answers of one, also if processes are killed.
#   group_test.sh PROGRAM MPI_PROGRAM EXCHANGE_CHECK MPIRUN
# Kills 3 processes; 20 with SPRIG_EXHAUSTIVE=1.
set -uo pipefail
sprig=$1
sprig_mpi=$2
exchange=$3
mpirun=("$4")
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
if [[ $("$4" --version 2>&1) =~ Open\ MPI|OpenRTE ]]; then
    mpirun+=(--allow-run-as-root --oversubscribe --bind-to none)
fi
kills=3
[ "${SPRIG_EXHAUSTIVE:-0}" = 0 ] || kills=20
checks=0
wrong=0

complain() {
    echo "FAILED: $*"
    sed 's/^/  stdout: /' out | head -5
    sed 's/^/  stderr: /' err | head -10
    wrong=$((wrong + 1))
}
# expect CODE RANKS ARGUMENTS...: runs the program as a group; its output is then in the files out and err.
expect() {
    local code=$1 ranks=$2 got
    shift 2
    checks=$((checks + 1))
    timeout 300 "${mpirun[@]}" -n "$ranks" "$sprig_mpi" "$@" >out 2>err </dev/null
    got=$?
    [ $got -eq "$code" ] || complain "'sprig-mpi $*' with $ranks processes gave exit code $got, not $code"
}
alone() { # ARGUMENTS...: the same with one process, without MPI
    "$sprig" "$@" >expected 2>err || complain "'sprig $*'"
}
says() { # FILE TEXT
    checks=$((checks + 1))
    grep -qF -- "$2" "$1" || complain "'$2' is not in $1"
}
same_model() { # FILE FILE
    checks=$((checks + 1))
    rm -f one.bytes other.bytes
    "$sprig" export "$1" --to bytes -o one.bytes 2>err
    "$sprig" export "$2" --to bytes -o other.bytes 2>err
    cmp -s one.bytes other.bytes && [ -s one.bytes ] || complain "$1 and $2 have other bytes"
    "$sprig" diff "$1" "$2" --exit-code >out 2>err || complain "$1 and $2 are not the same model"
}
same_output() { # WHAT
    checks=$((checks + 1))
    cmp -s expected out || complain "a group prints something else: $1"
}
no_parts() { # MODEL
    checks=$((checks + 1))
    [ -z "$(compgen -G "$1?*")" ] || complain "$(compgen -G "$1?*" | head -1) was left behind"
}

# Messages of all sizes, in pieces
for ranks in 1 2 4; do
    checks=$((checks + 1))
    timeout 300 "${mpirun[@]}" -n $ranks "$exchange" >out 2>err </dev/null || complain "messages among $ranks"
    says out exchanged
done

# Learning, into a new model and into an existing one; answers
alone learn whole.sprig mnist:train:0-499 --shuffle 1 --limit 400
alone learn further.sprig mnist:train:0-499 --shuffle 1 --limit 400
alone learn further.sprig mnist:train:500-599
for ranks in 1 2 4; do
    expect 0 $ranks learn group-$ranks.sprig mnist:train:0-499 --shuffle 1 --limit 400
    grep -qE "^images learned +400$" out || complain "not 400 images were learned"
    grep -qE "^new classes +10$" out || complain "the new classes are not counted"
    same_model group-$ranks.sprig whole.sprig
    expect 0 $ranks learn group-$ranks.sprig mnist:train:500-599 --json --threads 2
    says out '"learned": 100'
    same_model group-$ranks.sprig further.sprig
    no_parts group-$ranks.sprig
    for words in "test whole.sprig mnist:t10k:0-99" "predict whole.sprig mnist:t10k:0-49 --top 3 --json" \
        "predict whole.sprig mnist:t10k:1 mnist:t10k:5-8 --reject 0.9"; do
        # shellcheck disable=SC2086
        alone $words
        # shellcheck disable=SC2086
        expect 0 $ranks $words
        same_output "$words"
    done
done

# A single class, fewer images than processes, labels only in the drawings, images that cannot be read
mkdir -p one/ring broken/a broken/b
for i in 0 1 2; do "$sprig" show "mnist:train:$i" -o one/ring/$i.png 2>err; done
for i in 0 1 2 3 4 5 6 7; do
    for class in a b; do "$sprig" show "mnist:train:$i$((i % 3))" -o broken/$class/$i.png 2>err; done
done
cat >drawings.jsonl <<'END'
{"label": "arrow", "strokes": [[[0, 5], [9, 5]], [[6, 2], [9, 5], [6, 8]]]}
{"label": "check", "strokes": [[[0, 6], [3, 9], [9, 0]]]}
{"label": "cross", "strokes": [[[0, 0], [9, 9]], [[9, 0], [0, 9]]]}
{"label": "check", "strokes": [[[0, 5], [3, 9], [9, 1]]]}
END
for data in dir:one strokes:drawings.jsonl "one/ring/0.png --label x" dir:broken; do
    rm -f alone.sprig
    # shellcheck disable=SC2086
    alone learn alone.sprig $data
    for ranks in 1 2 4; do
        rm -f few.sprig
        # shellcheck disable=SC2086
        expect 0 $ranks learn few.sprig $data
        same_model few.sprig alone.sprig
    done
done
echo nonsense >broken/a/5.png
rm -f alone.sprig
"$sprig" learn alone.sprig dir:broken --keep-going >expected 2>err
for ranks in 1 2 4; do
    rm -rf few.sprig*
    expect 3 $ranks learn few.sprig dir:broken --keep-going
    says err "1 image was skipped"
    same_model few.sprig alone.sprig
    # Without --keep-going, the images before it are learned, and the same command continues.
    rm -rf few.sprig*
    expect 3 $ranks learn few.sprig dir:broken
    says err "5 images were learned before it, and the same command continues there"
    expect 2 $ranks learn few.sprig dir:one
    says err "unfinished job"
    expect 2 $((ranks + 1)) learn few.sprig dir:broken
    says err "remove the folder 'few.sprig.parts'"
    cp broken/a/4.png broken/a/5.png
    rm -f repaired.sprig
    alone learn repaired.sprig dir:broken
    expect 0 $ranks learn few.sprig dir:broken
    says out "images learned before"
    same_model few.sprig repaired.sprig
    no_parts few.sprig
    echo nonsense >broken/a/5.png
done

# Refused, with the reason, printed once
expect 2 2 learn new.sprig mnist:train:0-9 --learner modeller
checks=$((checks + 1))
[ "$(grep -c 'its classes depend on each other' err)" -eq 1 ] || complain "the reason is not printed once"
expect 2 2 learn new.sprig -
expect 2 2 learn new.sprig mnist:train:0-9 --prequential
expect 2 2 learn new.sprig mnist:train:0-9 --shard 1/2
expect 2 2 learn new.sprig mnist:train:0-9 --limit 3 --keep-going
expect 2 2 learn new.sprig one/ring/0.png
says err "has no label"
rm -rf new.sprig*
expect 2 2 learn whole.sprig mnist:train:0-9 --preset fast
expect 3 2 test missing.sprig mnist:t10k:0-9
expect 2 3 learn
says err "is required"
no_parts new.sprig
no_parts whole.sprig

# A process is killed at a random moment: the job ends; the same command ends with the same model
images=mnist:train:0-39999
alone learn long.sprig $images
resumed=0
for kill in $(seq "$kills"); do
    ranks=$((2 + kill % 3))
    rm -rf killed.sprig*
    for attempt in 1 2; do # also the job that resumes is killed
        "${mpirun[@]}" -n $ranks "$sprig_mpi" learn killed.sprig $images >out 2>err </dev/null &
        job=$!
        for _ in $(seq 100); do
            mapfile -t processes < <(pgrep -P $job -f sprig-mpi)
            [ ${#processes[@]} -lt $ranks ] || break
            sleep 0.02
        done
        sleep "$((RANDOM % 3)).$((RANDOM % 10))$((RANDOM % 10))"
        victim=${processes[RANDOM % ${#processes[@]}]:-}
        if [ -n "$victim" ] && kill -9 "$victim" 2>/dev/null; then
            wait $job
            code=$?
            checks=$((checks + 1))
            # A process can be killed after its work was done.
            [ $code -ne 0 ] || [ -e killed.sprig ] || complain "a process was killed, but the job succeeded"
        else
            wait $job
        fi
        [ ! -e killed.sprig ] || break
    done
    if [ -e killed.sprig ] && [ ! -e killed.sprig.parts ]; then
        same_model killed.sprig long.sprig
        continue
    fi
    expect 0 $ranks learn killed.sprig $images
    ! grep -q "learned before" out || resumed=$((resumed + 1))
    same_model killed.sprig long.sprig
    no_parts killed.sprig
done
echo "mpi groups: $kills times killed, $resumed times continued"

echo "mpi groups: $checks checks, $wrong failed"
exit $((wrong > 0))
