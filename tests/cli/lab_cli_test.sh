#!/usr/bin/env bash
# Output, messages and exit codes of sprig-lab.
#   lab_cli_test.sh PROGRAM
lab=$1
program=$1
source "$(dirname "$0")/support.sh"

# Help and version
expect 0 --version
grep -qxE 'sprig-lab [0-9]+\.[0-9]+\.[0-9]+' out || complain "--version"
expect 0 --help
says out "Exit codes"
for verb in run list report summary filter; do
    expect 0 $verb --help
    says out "Examples:"
done

# Shell completion and manual page
for shell in bash zsh fish; do
    expect 0 completion $shell
    says out "sprig-lab"
done
expect 0 complete -- run --lea
says out "--learner"
expect 0 man
says out ".TH"
says out 'sprig\-lab run headline'

# Wrong usage: 2
expect 2 filter mnist:t10k --holes 8:2
expect 2 filter mnist:t10k --holes 8=2,8=1
expect 2 filter mnist:t10k --components -1
expect 2 summary mnist:t10k --filter sometimes
expect 2 run headline --learner nobody --out results
says err "there is no learner 'nobody'"
for seeds in "" 1- 5-2 0,0 0,,1 -1 1.5 0-99999 99999999999999999999; do expect 2 run headline --seeds "$seeds"; done
expect 2 run headline --seeds 5-2
says err "is reversed"
expect 2 run headline --pool t10k
expect 2 run headline --held-out some
expect 2 run headline --held-out dev --pool all
says err "with --held-out dev the stream is drawn from the training images"
expect 2 run headline --held-out t10k --pool all
expect 2 run headline --cycles 0
expect 2 run headline --per-block 0
expect 2 run headline --per-block five
expect 2 run headline --threads 0
expect 2 run headline --threads -1
expect 2 run headline --evaluate sometimes
expect 2 run headline --set depth
says err "--set takes KEY=VALUE, not 'depth'"
expect 2 run headline --set =3
expect 2 run headline --set depth=3 --set depth=4
says err "--set names depth twice"
expect 2
expect 2 nonsense
expect 2 run
expect 2 run nonsense --out results
says err "no study called 'nonsense'"
for study in one-pass open-set probabilities glyphs poses ablation shift interference; do says err "$study"; done
expect 2 run glyphs glyphs
expect 2 run glyphs nonsense
expect 2 run ablation --learner modeller
says err "the study ablation is about constellation"
expect 2 run glyphs --preset no-such-preset
expect 2 run glyphs --held-out paper
says err "are for headline"
expect 2 run all --audit
expect 2 run shift --cycles 3
expect 2 run glyphs --learner both
expect 2 run glyphs --limit 0
expect 2 run glyphs --seeds 5-2
expect 2 run baselines --methods linear,nonsense
says err "no method 'nonsense'"
says err "er-ace"
expect 2 run glyphs --methods linear
expect 2 run glyphs --full
[ ! -e results ] || complain "a folder was created despite an error"

# Bad input: 3
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

# A short experiment with a chosen learner: the files do not depend on the number of threads
expect 0 run headline --seeds 0-1 --cycles 2 --out one
says out "accuracy_final"
says out "units_reached"
expect 0 run headline --seeds 0-1 --cycles 2 --threads 2 --out two
of=constellation-default
for file in evaluations.csv growth.csv seeds.csv measures.csv summary.json retention-$of.svg growth-$of.svg units-$of.svg; do
    [ -s "one/headline/$file" ] || complain "$file was not written"
    cmp -s "one/headline/$file" "two/headline/$file" || complain "$file depends on the number of threads"
done
[ -s one/headline/times.json ] || complain "no times.json"
expect 0 run headline --seeds 0-1 --cycles 2 --out one
cmp -s one/headline/units-$of.svg two/headline/units-$of.svg || complain "cached runs give other units"
for learner in constellation modeller; do
    preset=$([ $learner = modeller ] && echo paper || echo paper-vocabulary)
    expect 0 run headline --learner $learner --seeds 0 --cycles 1 --evaluate final --preset "$preset" --json
    says out "\"$learner-$preset\""
    for key in seeds accuracy_final early wcr_end wcr_worst retention_loss units units_positive units_negative \
        units_reached singletons nodes bytes seconds; do
        says out "\"$key\""
    done
done
[ ! -e results ] || complain "a customised study was written to results"
expect 0 run headline --held-out dev --seeds 0 --cycles 1 --evaluate final
says out "1 seed, held out: dev"
says out "constellation, default"
says out "accuracy_final_plain"
says out "singletons"
says out "KiB"

# Both learners on the same streams, side by side
expect 0 run headline --learner both --seeds 0 --cycles 1 --evaluate final --out both
says out "constellation, default"
says out "modeller, best"
grep -qE '^accuracy_final( +[0-9.]+ +-){2}' out || complain "not side by side"
for learner in constellation-default modeller-best; do
    [ -s both/headline/units-$learner.svg ] || complain "no units of $learner"
done
for words in "--preset default" "--preset best" "--set join_threshold=4" "--set directions=4"; do
    # shellcheck disable=SC2086
    expect 2 run headline --learner both $words
    says err "need one learner"
done

# --audit checks the guarantee of the Modeller
expect 0 run headline --learner modeller --seeds 0 --cycles 1 --evaluate final --audit
says out "audit_anchored_top_by_refinement"
expect 2 run headline --seeds 0 --cycles 1 --audit
says err "--audit checks the guarantee of the Modeller"
expect 2 run headline --learner both --seeds 0 --cycles 1 --audit
says err "--audit checks the guarantee of the Modeller"

# Unknown learners, presets and parameters
expect 2 run headline --learner teacher
says err "there is no learner 'teacher': the learners are constellation and modeller"
expect 2 run headline --preset worst
says err "default, fast and paper-vocabulary"
expect 2 run headline --preset paper
says err "constellation has no preset paper"
expect 2 run headline --learner modeller --preset worst
says err "best, paper and paper-literal"
expect 2 run headline --set nonsense=1
says err "constellation has no parameter nonsense: its parameters are position_weight"
says err "those of its front end are threshold, scale"
expect 2 run headline --learner modeller --set nonsense=1
says err "significance"
says err "those of its front end are threshold, scale"
expect 2 run headline --learner modeller --set significance=2
expect 2 run headline --set single_scale=maybe
expect 2 run headline --set join_threshold=nan
says err "join_threshold must be a number"
expect 2 run headline --set frame=picture
says err "frame must be one of image, centred, ink"
expect 2 run headline --set directions=2000000000 --out not-made
says err "directions is 2000000000, but must be from 1 to 32"
[ ! -e not-made ] || complain "a folder was created despite an error"
expect 2 run headline --set join_threshold=4 --set join_threshold=5
says err "twice"
# --set reaches the learner and its front end
expect 0 run headline --seeds 0 --cycles 1 --evaluate final --set join_threshold=-inf --set directions=2 --out set
says set/headline/summary.json '"join_threshold": "-inf"'
grep -qx 'units,10,.*' set/headline/measures.csv || complain "--set does not reach the learner"

# Studies: all are listed; the files do not depend on the number of threads
expect 0 list
for study in one-pass open-set glyphs ablation shift interference; do says out "$study"; done
expect 0 run glyphs open-set --seeds 0-1 --limit 50 --held-out dev --out lab-one
says out "per class"
grep -qxF "constellation, preset default, 2 seeds, held out: dev" out || complain "open-set does not print its held-out images"
[ "$(grep -cxF "constellation, preset default, 2 seeds, held out: dev" out)" = 2 ] || complain "glyphs does not print that it tests the faces for development"
says lab-one/glyphs/summary.json '"held_out": "dev"'
says lab-one/open-set/summary.json '"held_out": "dev"'
expect 0 run glyphs open-set --seeds 0-1 --limit 50 --held-out dev --threads 2 --json --out lab-two
says out '"study": "open-set"'
for file in glyphs/glyphs.csv glyphs/summary.json open-set/coverage.csv open-set/coverage.svg open-set/auroc.csv; do
    cmp -s "lab-one/$file" "lab-two/$file" || complain "$file depends on the number of threads"
done
[ -s lab-one/glyphs/times.json ] || complain "no times.json of a study"
# A study that compares learners does so whatever --learner is
expect 0 run shift --learner modeller --seeds 0 --limit 20 --held-out dev --out lab-shift
grep -qxF "1 seed, held out: dev" out || complain "shift prints a learner that it does not use"
for learner in "Modeller, paper" "Modeller, best" Constellation; do says lab-shift/shift/shift.csv "$learner"; done
[ -s lab-shift/shift/shift-variants.csv ] || complain "no table of Constellation's settings"

# Baselines: cached runs are not computed again, and the output is the same
others=mean,linear
[ ! -e "$(dirname "$lab")/libsprig-torch.so" ] || others+=,plain
expect 0 run baselines --methods $others --limit 10 --seeds 0-1 --out others
says out "Nearest class mean"
for file in baselines/references.csv runs/mean/seed-1.json; do
    [ -s "others/$file" ] || complain "$file was not written"
done
cp -r others others-first
rm others/runs/linear/seed-0.json
echo damaged >others/runs/linear/seed-1.json
touch -d '2001-01-01' others/runs/mean/*.json
expect 0 run baselines --methods $others --limit 10 --seeds 0-1 --threads 2 --out others
[ "$(find others/runs/mean -newermt 2002-01-01 -name '*.json' | wc -l)" -eq 0 ] ||
    complain "a cached run was computed again"
diff -r -x times.json others-first others >/dev/null || complain "a resumed run gives other output"
expect 0 run baselines --methods mean --limit 15 --seeds 0 --out others
[ "$(find others/runs/mean -newermt 2002-01-01 -name 'seed-0.json' | wc -l)" -eq 1 ] ||
    complain "a changed stream was not detected"

# A study that is killed and restarted gives the same output
asked="run thresholds --limit 10 --seeds 0-4"
expect 0 $asked --out whole
for pause in 0.2 0.6 1; do
    "$lab" $asked --out killed >/dev/null 2>&1 &
    sleep $pause
    kill -9 $! 2>/dev/null
    wait $! 2>/dev/null
done
expect 0 $asked --out killed
diff -r -x times.json -x ".sprig-*.tmp" whole killed >/dev/null || complain "a killed and restarted run gives other output"

# A full disk (simulated: no file may be larger than 1 KiB) loses only unfinished work
(trap '' XFSZ && ulimit -f 1 && "$lab" $asked --out full) >out 2>err
[ $? -eq 1 ] || complain "a full disk did not give exit code 1"
says err "full/runs"
says err "resumes from them"
# (A coverage build also reports that it cannot write its files.)
[ "$(grep -vc '^libgcov' err)" -eq 1 ] || complain "more than one line about a full disk"
expect 0 $asked --out full
diff -r -x times.json whole full >/dev/null || complain "after a full disk the output differs"
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked && chmod 500 locked
    expect 1 $asked --out locked/results
    says err locked
    chmod 700 locked
fi
echo not-a-folder >taken
expect 1 $asked --out taken
says err taken

# Results are listed and reported on one page; damaged files are reported
expect 0 list --results whole
says out "5 seeds"
expect 0 report --results whole --out page
says page/index.html "One threshold or rate changed at a time"
says page/index.html "Not run yet"
expect 2 report --results nowhere
says err "run all"
printf 'Before\n<!-- results thresholds/thresholds -->\n<!-- end -->\nAfter\n' >document.md
expect 0 report --results whole --into document.md
says document.md "| experiment |"
printf '<!-- results thresholds/nothing -->\n<!-- end -->\n' >document.md
expect 3 report --results whole --into document.md
says err "thresholds/nothing"
expect 3 report --results whole --into no-such.md
says err no-such.md
echo '{' >whole/thresholds/summary.json
expect 3 report --results whole
says err "whole/thresholds/summary.json"
expect 2 run thresholds --methods si
says err "no methods"
expect 2 run thresholds --preset best
says err "chooses its learners itself"

# Missing data are reported before the first study begins
XDG_CACHE_HOME=$place/cache expect 3 summary mnist:t10k
says err "sprig data get mnist"
XDG_CACHE_HOME=$place/cache expect 3 run glyphs open-set --seeds 0 --limit 10
says err "sprig data get fashion-mnist"

# The networks and topologies of a data set
expect 0 filter mnist:all
says out "61,263"
expect 0 filter mnist:all --json
says out '"kept": 61263'
expect 0 filter mnist:t10k:0-99 --list
says out "mnist:t10k:0"
expect 0 summary mnist:t10k --filter paper
says out "nodes"
expect 0 summary mnist:t10k --json
says out '"finest_edges"'
# A ring, dark on light: both verbs read it in the same way
mkdir -p digits/0
{ printf 'P2\n9 9\n1\n'; for row in 111111111 100000001 100000001 100111001 100111001 100111001 100000001 100000001 111111111; do
    sed 's/./& /g' <<<"$row"; done; } >digits/0/ring.pgm
expect 0 filter dir:digits --json
says out '"kept": 1'
expect 0 summary dir:digits --filter paper --json
says out '"networks": 1'

# Stopping at a safe point, with exit code 130. A script's background job ignores SIGINT, so SIGTERM is sent.
stops() { # SECONDS ARGUMENTS...
    local seconds=$1
    shift
    checks=$((checks + 1))
    "$lab" "$@" >out 2>err &
    local pid=$!
    sleep "$seconds"
    kill -TERM $pid
    wait $pid
    local code=$?
    [ $code -eq 130 ] || complain "stopping 'sprig-lab $*' gave exit code $code"
    says err "stopped"
}
stops 1 summary mnist:all --scale 8 --deskew --directions 6
stops 1 filter mnist:all --scale 8 --deskew
stops 2 run headline --learner constellation --seeds 0-99 --threads 2
stops 2 run ablation --threads 2

echo "lab cli: $((checks - wrong)) passed, $wrong failed"
exit $((wrong > 0))
