#!/usr/bin/env bash
# The verbs on model files: learning, predicting, inspecting, changing, killed processes, damaged files.
#   model_verbs_test.sh PROGRAM
sprig=$1
program=$1
examples=$(realpath "$(dirname "$0")/../../examples")
source "$(dirname "$0")/support.sh"

# skips NUMBER ARGUMENTS...: the program skips that many images, reports it, and exits with 3 after printing its result.
skips() {
    local number=$1 got
    shift
    checks=$((checks + 1))
    "$sprig" "$@" >out 2>err <in
    got=$?
    [ $got -eq 3 ] || complain "'sprig $*' gave exit code $got, not 3"
    [ -s out ] || complain "'sprig $*' printed no result"
    tail -n 1 err | grep -qE "^sprig: $number images? (was|were) skipped$" || complain "'sprig $*' does not report $number skipped images"
}
absent() { # FILE...: neither the file nor its auxiliary files exist
    for file in "$@"; do
        [ -z "$(compgen -G "$file*")" ] || complain "$file was left behind"
    done
}
digest() { "$sprig" verify "$1" | awk '$1 == "digest" { print $2 }'; }
same() { # FILE FILE
    checks=$((checks + 1))
    [ -n "$(digest "$1")" ] && [ "$(digest "$1")" = "$(digest "$2")" ] || complain "$1 and $2 are not the same model"
}
parses() { # FILE: is valid JSON (checked if Python is installed)
    ! command -v python3 >/dev/null || python3 -m json.tool "$1" >/dev/null || complain "$1 is not JSON"
}

# until_it COMMAND...: repeats the command until it succeeds, for at most two minutes.
until_it() {
    for _ in {1..1200}; do
        "$@" >/dev/null 2>&1 && return
        sleep 0.1
    done
    complain "timed out waiting for '$*'"
}
lessons_in() { "$sprig" verify "$1" | awk '$1 == "lessons" { gsub(",", "", $2); print $2 }'; }
has_lessons() { [ -e "$1" ] && [ "$(lessons_in "$1")" -ge "$2" ]; } # FILE NUMBER

for verb in learn predict test inspect diff verify merge class undo export; do
    expect 0 $verb --help
    says out "Examples:"
    expect 2 $verb
done

# A budget has no effect on few units
expect 0 learn few.sprig mnist:train:0-99
expect 0 predict few.sprig mnist:t10k:0-9
cp out all-units
expect 0 predict few.sprig mnist:t10k:0-9 --budget 1
cmp -s out all-units || complain "a budget changes the answers of a small model"
expect 2 predict few.sprig mnist:t10k:0 --budget 0
expect 0 test few.sprig mnist:t10k:0-99 --budget 256
says out "accuracy"

# Learning in one run or in several gives the same model, with both learners
for learner in constellation modeller; do
    expect 0 learn $learner.sprig mnist:train:0-199 --learner $learner --prequential
    says out "$learner.sprig (new model): $learner"
    grep -qE '^new classes +10$' out || complain "the new classes are not counted"
    says out "prequential accuracy"
    says out "... of the last 100"
    # Ten runs of different lengths.
    at=0
    for stop in 0 1 2 37 64 65 99 128 150 198; do
        expect 0 learn halves.sprig mnist:train:$at-$stop --learner $learner
        at=$((stop + 1))
    done
    expect 0 learn halves.sprig mnist:train:$at-199
    grep -q "new model" out && complain "an existing model is called new"
    grep -q "prequential" out && complain "images were predicted without --prequential"
    grep -q "new classes" out && complain "known classes are counted as new"
    grep -qE '^images in total +200$' out || complain "not all images were counted"
    same $learner.sprig halves.sprig
    expect 0 diff $learner.sprig halves.sprig --exit-code
    says out "are equal"
    mv halves.sprig $learner-halves.sprig
    absent halves.sprig
done
expect 0 learn limited.sprig mnist:train:0-199 --limit 100 --json --prequential
parses out
says out '"learned": 100'
says out '"new_classes": 10'
says out '"first_of_class": 10'
says out '"last_100": null'
expect 0 learn again.sprig mnist:train:0-99 --json
parses out
says out '"new_classes": 10'
says out '"prequential": null'
expect 0 learn limited.sprig mnist:train --limit 100 --shuffle 3 --durable
expect 0 learn again.sprig mnist:train --limit 100 --shuffle 3
same limited.sprig again.sprig
expect 0 learn chosen.sprig mnist:train:0-9 --learner modeller --preset paper --seed 5 --set significance=0.2
expect 0 learn chosen.sprig mnist:train:10 --learner modeller --preset paper --seed 5 --set significance=0.2

# Options that contradict the file
expect 2 learn chosen.sprig mnist:train:11 --learner constellation
says err "its learner is modeller, not constellation"
expect 2 learn chosen.sprig mnist:train:11 --preset best
says err "its preset is paper, not best"
expect 2 learn chosen.sprig mnist:train:11 --seed 6
expect 2 learn chosen.sprig mnist:train:11 --set significance=0.3
says err "its significance is 0.2, not 0.3"
expect 2 learn constellation.sprig mnist:train:11 --set directions=16
expect 2 learn constellation.sprig mnist:train:11 --seed 1
expect 2 learn new.sprig mnist:train:11 --seed 1
expect 2 learn constellation.sprig mnist:train:11 --free-pose
says err "its pose is fixed, not free"
expect 2 learn new.sprig mnist:train:11 --preset paper-vocabulary --free-pose
says err "its pose cannot be free"
expect 2 learn new.sprig mnist:train:11 --learner modeller --free-pose
expect 2 learn new.sprig mnist:train:11 --learner nobody
expect 2 learn new.sprig mnist:train:11 --set nonsense=1
absent new.sprig

# A free pose is stored with the model
expect 0 learn free.sprig mnist:train:0-9 --free-pose
says out "free.sprig (new model): constellation, preset default, free pose"
expect 0 learn free.sprig mnist:train:10 --json
says out '"free_pose": true'
expect 0 inspect free.sprig
says out "preset default, free pose"
expect 0 predict free.sprig mnist:t10k:0 --json
says out '"known": 0.'

# Killed repeatedly, learning can be resumed
expect 0 learn whole.sprig mnist:train:0-2999
for pause in 0.1 0.15 0.2 0.25; do
    at=0
    [ ! -e killed.sprig ] || at=$(lessons_in killed.sprig)
    "$sprig" learn killed.sprig "mnist:train:$at-2999" >/dev/null 2>&1 &
    pid=$!
    sleep $pause
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    [ ! -e killed.sprig ] || expect 0 verify killed.sprig
    [ ! -e killed.sprig ] || [ "$(lessons_in killed.sprig)" -lt 3000 ] || break
done
at=0
[ ! -e killed.sprig ] || at=$(lessons_in killed.sprig)
[ "$at" -ge 3000 ] || expect 0 learn killed.sprig "mnist:train:$at-2999"
same killed.sprig whole.sprig
# It may have been killed after the last lesson; the next run closes the file.
for file in killed whole; do expect 0 learn $file.sprig mnist:train:3000; done
same killed.sprig whole.sprig
absent killed.sprig-

# A stop request ends the run after a lesson and closes the file. A script's background job ignores SIGINT, so SIGTERM
# is sent.
"$sprig" learn stopped.sprig mnist:train --learner modeller >out 2>err &
pid=$!
until_it has_lessons stopped.sprig 2
kill -TERM $pid
wait $pid
[ $? -eq 130 ] || complain "stopping 'sprig learn' did not give exit code 130"
says err "images were learned before the stop and saved in 'stopped.sprig'"
absent stopped.sprig-
expect 0 verify stopped.sprig

# Only one process can write to a file; others can read it meanwhile
mkfifo pipe
"$sprig" learn stream.sprig - <pipe >out.stream 2>err.stream &
writer=$!
exec 9>pipe
mkdir -p shapes/ring shapes/bar
{ printf 'P2\n9 9\n1\n'; for row in 111111111 100000001 100000001 100111001 100111001 100111001 100000001 100000001 111111111; do
    sed 's/./& /g' <<<"$row"; done; } >shapes/ring/1.pgm
{ printf 'P2\n9 9\n1\n'; for row in 111111111 111000111 111000111 111000111 111000111 111000111 111000111 111000111 111111111; do
    sed 's/./& /g' <<<"$row"; done; } >shapes/bar/1.pgm
printf 'ring\tshapes/ring/1.pgm\n\n' >&9
until_it has_lessons stream.sprig 1 # the line is learned while the pipe is open
expect 0 class stream.sprig list
says out "ring"
expect 1 learn stream.sprig shapes/bar/1.pgm --label bar
says err "being changed by another program"
expect 1 undo stream.sprig
expect 1 class stream.sprig forget ring
expect 0 predict stream.sprig shapes/ring/1.pgm
says out "ring"
printf 'bar\tshapes/bar/1.pgm\r\n' >&9
exec 9>&-
wait $writer || complain "learning from a pipe failed"
says out.stream "images learned"
expect 0 learn folder.sprig dir:shapes --prequential
grep -q "prequential" out && complain "the first image of a class was predicted"
expect 0 inspect folder.sprig --sheet -o young.svg # a class without mature units is drawn, too
says young.svg "ring"
says young.svg "bar"
same stream.sprig folder.sprig
# Ctrl-C while it waits for a line
mkfifo waiting
"$sprig" learn waiting.sprig - <waiting >out 2>err &
pid=$!
exec 9>waiting
printf 'ring\tshapes/ring/1.pgm\n' >&9
until_it has_lessons waiting.sprig 1
kill -TERM $pid
wait $pid
[ $? -eq 130 ] || complain "a waiting stream cannot be stopped"
exec 9>&-
says err "1 image was learned before the stop and saved in 'waiting.sprig'"

# A bad line is reported and ends the run, or is skipped with --keep-going
printf 'ring\tshapes/ring/1.pgm\nbar\tno-such.png\nno tab\nbar\tshapes/bar/1.pgm\n' >in
expect 3 learn lines.sprig -
says err "standard input, line 2"
says err "1 image was learned"
skips 2 learn going.sprig - --keep-going --json
says out '"learned": 2'
says out '"skipped": 2'
says err "standard input, line 3"
same going.sprig stream.sprig
printf 'no tab\n' >in
expect 3 learn nothing.sprig -
: >in
expect 3 learn nothing.sprig -
says err "standard input contains no images"
absent nothing.sprig
expect 2 learn lines.sprig - --label x
expect 2 learn lines.sprig - --shuffle 1

# An unreadable picture is reported and ends the run, unless --keep-going is given or predict has several images
cp -r shapes spoilt
echo nonsense >spoilt/bar/0.png
printf 'P5\n4 4\n255\n................' >spoilt/ring/2.pgm # blank
expect 3 learn spoilt.sprig dir:spoilt
says err "'spoilt/bar/0.png' is not a supported picture"
absent spoilt.sprig
skips 2 learn spoilt.sprig dir:spoilt --keep-going
says err "'spoilt/bar/0.png' is not a supported picture"
says err "'spoilt/ring/2.pgm': the picture has no ink"
grep -qE '^images skipped +2$' out || complain "skipped images are not counted"
expect 0 learn sound.sprig dir:shapes
same spoilt.sprig sound.sprig
expect 0 learn sound.sprig dir:shapes --keep-going # no bad images
expect 3 learn partly.sprig dir:spoilt:1-3 # two are learned before the bad one
says err "2 images were learned before the error and saved in 'partly.sprig'"
skips 2 learn limited-bad.sprig dir:spoilt --keep-going --limit 3 --shuffle 7
expect 3 test spoilt.sprig dir:spoilt
skips 2 test spoilt.sprig dir:spoilt --keep-going
grep -qE '^images +2$' out || complain "the readable images were not tested"
skips 2 test spoilt.sprig dir:spoilt --keep-going --json
says out '"skipped": 2'
parses out
skips 2 predict spoilt.sprig dir:spoilt
[ "$(wc -l <out)" -eq 4 ] || complain "not one line for each readable image"
skips 1 predict spoilt.sprig shapes/ring/1.pgm missing.png shapes/bar/1.pgm --json
says err "'missing.png'"
says out '"name": "shapes/bar/1.pgm"'
parses out
expect 3 predict spoilt.sprig missing.png
expect 2 predict spoilt.sprig shapes/ring/1.pgm nowhere
expect 3 predict spoilt.sprig shapes/ring/1.pgm dir:nowhere

# Pen strokes: as a file, of which a part can be chosen, and on standard input
gestures=strokes:$examples/gestures.jsonl
new=strokes:$examples/new-gestures.jsonl
expect 0 learn gestures.sprig "$gestures"
grep -qE '^images learned +15$' out || complain "not all gestures were learned"
grep -qE '^classes +5$' out || complain "not all gestures have their class"
expect 0 predict gestures.sprig "$new"
[ "$(awk 'NR > 2 { print $2 }' out | xargs)" = "check arrow question circle cross" ] || complain "new gestures are not recognised"
says out "$new:4"
cp "$examples/gestures.jsonl" in
expect 0 learn piped.sprig strokes:-
same gestures.sprig piped.sprig
cp "$examples/new-gestures.jsonl" in
expect 0 predict gestures.sprig strokes:- --json
parses out
says out '"name": "standard input, line 5"'
expect 2 learn piped.sprig strokes:- --shuffle 1
says err "--shuffle cannot be used with strokes:-"
expect 2 learn piped.sprig strokes:-
says err "'standard input, line 1' has no label: add --label LABEL, or give the drawing a \"label\" in its line"
expect 0 learn labelled.sprig strokes:- --label check --limit 1
: >in
expect 3 learn nothing.sprig strokes:-
says err "standard input contains no images"
expect 0 test gestures.sprig "$gestures" --json
says out '"accuracy": 1.0'
expect 2 test gestures.sprig "$new"
expect 0 explain gestures.sprig "$new:1" -o why.svg
says out "arrow"
expect 0 show "$gestures" -o gestures.svg
expect 2 show "$gestures:15"
says err "has 15 images, 0 to 14"
expect 2 predict gestures.sprig "$examples/gestures.jsonl"
says err "write strokes:"
cp "$examples/gestures.jsonl" spoilt.jsonl
sed -i -e '4s/label/lable/' -e '7s/.*/nonsense/' -e '9s/\[\[/[["x"], [/' spoilt.jsonl
expect 2 learn spoilt-gestures.sprig strokes:spoilt.jsonl # line 4 has no label
says err "'strokes:spoilt.jsonl:3' has no label"
sed -i '4s/lable/label/' spoilt.jsonl
expect 3 learn spoilt-gestures.sprig strokes:spoilt.jsonl
says err "'spoilt.jsonl', line 7: it is not valid JSON at byte"
says err "--keep-going skips such images"
rm spoilt-gestures.sprig
skips 2 learn spoilt-gestures.sprig strokes:spoilt.jsonl --keep-going
says err "'spoilt.jsonl', line 9: a point is a text, not a list of x and y"
skips 2 predict gestures.sprig strokes:spoilt.jsonl
cp spoilt.jsonl in
skips 2 predict gestures.sprig strokes:-
: >in

# Any number of threads gives the same model, output, messages and exit code
# gives_the_same CODE ARGUMENTS...: runs the program with 1, 2 and 5 threads. @ stands for their number.
gives_the_same() {
    local code=$1 threads got
    shift
    checks=$((checks + 1))
    for threads in 1 2 5; do
        "$sprig" "${@//@/$threads}" --threads $threads <in >out 2>err
        got=$?
        [ $got -eq "$code" ] || complain "'sprig $*' gave exit code $got with $threads threads, not $code"
        { cat out && echo "messages:" && cat err; } | sed "s/$threads\.sprig/N.sprig/" >same.$threads
        cmp -s same.1 same.$threads || complain "'sprig $*' differs with $threads threads"
    done
}
for i in {1..12}; do
    mkdir -p many/class$((i % 4))
    cp shapes/ring/1.pgm many/class$((i % 4))/ring$i.pgm
    cp shapes/bar/1.pgm many/class$((i % 4))/bar$i.pgm
done
cp spoilt/bar/0.png many/class1/
cp spoilt/ring/2.pgm many/class2/
gives_the_same 3 learn many@.sprig dir:many # stops at the first bad image
has_lessons many1.sprig 5 || complain "the images before the bad one were not learned"
same many1.sprig many5.sprig
gives_the_same 3 learn going@.sprig dir:many --keep-going --json
gives_the_same 3 learn going@.sprig dir:many --keep-going --shuffle 2 --limit 20 --prequential
gives_the_same 0 learn digits@.sprig mnist:train:0-299 --learner modeller
gives_the_same 3 learn strokes@.sprig strokes:spoilt.jsonl --keep-going --shuffle 3
for model in many going digits; do
    same ${model}1.sprig ${model}2.sprig
    same ${model}1.sprig ${model}5.sprig
done
(cd many && for file in */*; do printf '%s\tmany/%s\n' "$(dirname "$file")" "$file"; done) >in
sed -i '7s/\t/ /' in
gives_the_same 3 learn lines@.sprig -
gives_the_same 3 learn lines@.sprig - --keep-going
same lines1.sprig lines5.sprig
: >in
cp going1.sprig trained.sprig # its name is in the output
for form in "" --json; do
    gives_the_same 3 predict trained.sprig dir:many $form
    gives_the_same 3 predict trained.sprig missing.png mnist:t10k:0-99 dir:many:3-9 spoilt/bar/0.png --top 2 --reject 0.9 $form
    gives_the_same 0 predict modeller.sprig mnist:t10k:0-299 $form
    gives_the_same 3 test trained.sprig dir:many $form
    gives_the_same 3 test trained.sprig dir:many --keep-going $form
    for learner in constellation modeller; do gives_the_same 0 test $learner.sprig mnist:t10k:0-499 $form; done
done
gives_the_same 2 test constellation.sprig shapes/ring/1.pgm
expect 2 predict constellation.sprig mnist:t10k:0 --threads 0
expect 2 learn constellation.sprig mnist:t10k:0 --threads many

# No line is read beyond the limit, and an error ends the run, while the pipe stays open
for words in "--limit 1" "--threads 4"; do
    rm -f open.sprig && mkfifo open
    # shellcheck disable=SC2086
    "$sprig" learn open.sprig - $words <open >out 2>err &
    pid=$!
    exec 9>open
    printf 'ring\tshapes/ring/1.pgm\n' >&9
    [ "$words" = "--limit 1" ] || printf 'no tab\n' >&9
    wait $pid
    [ $? -eq "$([ "$words" = "--limit 1" ] && echo 0 || echo 3)" ] || complain "'learn - $words' gave a wrong exit code"
    exec 9>&-
    [ "$(lessons_in open.sprig)" -eq 1 ] || complain "'learn - $words' did not learn one line"
    rm open
done

# Without images, no file is created
expect 2 learn new.sprig shapes/ring/1.pgm
says err "'shapes/ring/1.pgm' has no label: add --label"
expect 2 learn new.sprig shapes/ring/1.pgm --label ""
expect 3 learn new.sprig missing.png --label x
echo nonsense >nonsense.png
expect 3 learn new.sprig nonsense.png --label x
expect 2 learn new.sprig mnist:train:0 --limit 0
expect 2 learn no-such-folder/new.sprig mnist:train:0
absent new.sprig no-such-folder
[ -z "$(find . -name '.sprig-*')" ] || complain "something was left behind"

# Predicting and testing
expect 0 predict constellation.sprig mnist:t10k:0-2 shapes/ring/1.pgm
[ "$(wc -l <out)" -eq 6 ] || complain "not one line for each image"
grep -qE '^mnist:t10k:0 +7 +[01]\.[0-9]{4} ' out || complain "a seven is not recognised"
says err "1 picture read as dark ink on light paper"
expect 0 predict constellation.sprig mnist:t10k:0 --top 3
[ "$(wc -l <out)" -eq 5 ] || complain "not three classes"
expect 0 predict constellation.sprig mnist:t10k:0 --top 99 --json
parses out
[ "$(grep -c '"score"' out)" -eq 10 ] || complain "not all classes"
expect 0 predict constellation.sprig shapes/ring/1.pgm --invert --reject 1
says out "unknown"
expect 0 predict constellation.sprig shapes/ring/1.pgm --reject 1 --json
says out '"label": null'
says out '"rejected": true'
expect 0 predict modeller.sprig mnist:t10k:0-9 --json
expect 2 predict constellation.sprig mnist:t10k:0 --reject 2
expect 2 predict constellation.sprig mnist:t10k:0 --top 0
for learner in constellation modeller; do
    expect 0 test $learner.sprig mnist:t10k:0-199
    says out "calibration error"
    says out "Confusion matrix"
    says out "coverage"
done
expect 0 test constellation.sprig mnist:t10k:0-99 --json
parses out
says out '"data": "mnist:t10k:0-99"'
expect 0 test stream.sprig mnist:t10k:0-9
says out "Images of classes unknown to the model"
expect 2 test constellation.sprig shapes/ring/1.pgm
says err "has no label"

# Inspecting and exporting
for learner in constellation modeller; do
    expect 0 inspect $learner.sprig
    says out "200 lessons, of which 20 can be undone; 10 classes"
    says out "$(digest $learner.sprig)"
    expect 0 inspect $learner.sprig --json
    parses out
    unit=$(sed -n 's/^      "unit": "\(.*\)",$/\1/p' out | tail -n 1)
    expect 0 inspect $learner.sprig --unit "${unit:0:8}" -o unit.svg
    says out "unit $unit of class"
    says out "History of this unit"
    says unit.svg "<svg"
    expect 0 inspect $learner.sprig --unit "$unit" --json -o unit.png
    parses out
    expect 0 inspect $learner.sprig --sheet -o sheet.svg
    says sheet.svg "<svg"
    for kind in json graphml dot svg; do
        expect 0 export $learner.sprig --to $kind -o $learner.$kind
        expect 0 export $learner.sprig --to $kind
        cmp -s out $learner.$kind || complain "the $kind file differs from the printed output"
    done
    parses $learner.json
    says $learner.json "\"digest\": \"$(digest $learner.sprig)\""
    for file in $learner.graphml $learner.svg; do
        ! command -v python3 >/dev/null ||
            python3 -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" "$file" || complain "$file is not XML"
    done
    ! command -v dot >/dev/null || dot -Tcanon $learner.dot >/dev/null || complain "Graphviz rejects $learner.dot"
    [ "$(tr -cd '{' <$learner.dot | wc -c)" -eq "$(tr -cd '}' <$learner.dot | wc -c)" ] || complain "braces in $learner.dot"
done
expect 2 inspect constellation.sprig --unit ""
expect 2 inspect constellation.sprig --unit xyz
says err "has no unit 'xyz'"
expect 2 inspect constellation.sprig --sheet
expect 2 inspect constellation.sprig -o x.svg
expect 2 inspect constellation.sprig --sheet -o x.gif
says err "neither an .svg nor a .png"
expect 2 inspect constellation.sprig --sheet --maturity 100000 -o x.svg
says err "give a lower --maturity"
expect 2 export constellation.sprig --to json -o x.txt
expect 2 export constellation.sprig --to pdf
expect 1 export constellation.sprig --to json -o no-such-folder/x.json
absent x

# Labels with special characters
cp folder.sprig strange.sprig
expect 0 class strange.sprig rename ring $'<&">\\ \303\251 \351'
for kind in json graphml dot svg; do expect 0 export strange.sprig --to $kind --maturity 1 -o strange.$kind; done
parses strange.json
! command -v python3 >/dev/null || python3 -c "import xml.dom.minidom as m; m.parse('strange.graphml')" || complain "not XML"
expect 0 inspect strange.sprig

# Undo, rename, forget, merge
expect 0 learn undone.sprig mnist:train:0-99
cp undone.sprig before.sprig
expect 0 learn undone.sprig mnist:train:100-104
expect 0 diff before.sprig undone.sprig
says out "before.sprig and undone.sprig differ"
checks=$((checks + 1))
"$sprig" diff before.sprig undone.sprig --exit-code --json >out 2>err
[ $? -eq 1 ] || complain "diff --exit-code did not give 1"
says out '"equal": false'
parses out
expect 0 undo undone.sprig --count 4
says out "4 lessons undone, 101 left"
expect 0 undo undone.sprig
same undone.sprig before.sprig
expect 2 undo undone.sprig --count 21
says err "nothing was changed"
same undone.sprig before.sprig
expect 0 class undone.sprig rename 0 zero
expect 2 undo undone.sprig
says err "no lesson that can be undone"
expect 0 class undone.sprig list --json
parses out
says out '"label": "zero"'
expect 0 learn undone.sprig mnist:train:0-49 # the old label can be used again
expect 0 verify undone.sprig
expect 0 class undone.sprig forget zero
expect 0 class undone.sprig list
grep -q zero out && complain "a forgotten class is listed"
expect 2 class undone.sprig forget zero
says err "has no class 'zero'"
expect 2 class undone.sprig rename 1 2
expect 2 class undone.sprig rename 1
says err "takes two labels"
expect 2 class undone.sprig forget
expect 2 class undone.sprig list 1
expect 2 class undone.sprig multiply 1
cp -r shapes others
mv others/ring others/circle
mv others/bar others/stroke
expect 0 learn others.sprig dir:others
expect 0 merge folder.sprig others.sprig -o merged.sprig
says out "4 classes"
cp folder.sprig both.sprig
expect 0 learn both.sprig dir:others
same merged.sprig both.sprig
expect 0 diff merged.sprig both.sprig --exit-code
expect 2 merge folder.sprig others.sprig -o merged.sprig
says err "already exists"
expect 2 merge folder.sprig stream.sprig -o twice.sprig
says err "'folder.sprig' and 'stream.sprig' both have a class"
expect 2 merge folder.sprig modeller.sprig -o twice.sprig
absent twice.sprig
# The solution that the message suggests
expect 0 class stream.sprig rename ring circle
expect 0 class stream.sprig rename bar stroke
expect 0 merge folder.sprig stream.sprig -o renamed.sprig
same renamed.sprig merged.sprig

# Any number of threads learns the same, and can be undone in the same way
expect 0 learn threads-1.sprig mnist:train:0-1499 --threads 1
cp out alone
for threads in 2 3 8; do
    expect 0 learn threads-$threads.sprig mnist:train:0-1499 --threads $threads
    sed "s/threads-$threads/threads-1/; /file size/d" out | cmp -s - <(sed '/file size/d' alone) || complain "--threads changes the report"
    same threads-$threads.sprig threads-1.sprig
done
for threads in 1 8; do expect 0 undo threads-$threads.sprig --count 20; done
same threads-8.sprig threads-1.sprig
mkdir -p stopping/a
for i in 0 1 2 3 4 5; do "$sprig" show mnist:train:$i -o stopping/a/$i.png 2>err; done
echo nonsense >stopping/a/4.png
expect 3 learn stopped.sprig dir:stopping --threads 4
says err "4 images were learned before the error"

# Shards, merged, are the same model as one run; a shard without a class is an empty model
expect 0 learn one-run.sprig mnist:train:0-299 --shuffle 3 --limit 200
for k in {1..16}; do expect 0 learn shard-$k.sprig mnist:train:0-299 --shuffle 3 --limit 200 --shard $k/16; done
expect 0 merge shard-*.sprig -o shards.sprig
says out "10 classes"
same shards.sprig one-run.sprig
for model in shards one-run; do expect 0 export $model.sprig --to bytes -o $model.bytes; done
cmp -s shards.bytes one-run.bytes || complain "merged shards have other bytes than one run"
printf 'ring\tshapes/ring/%s\n' "$(ls shapes/ring | head -1)" >in
for k in 1 2; do expect 0 learn lines-$k.sprig - --shard $k/2; done
: >in
expect 0 merge lines-1.sprig lines-2.sprig -o joined.sprig
says out "1 class,"
expect 2 merge shard-1.sprig one-run.sprig shard-2.sprig -o refused.sprig
says err "'one-run.sprig' both have a class"
expect 2 merge shard-*.sprig lines-1.sprig lines-2.sprig constellation.sprig -o refused.sprig
says err "'constellation.sprig' both have a class"
expect 2 merge shard-1.sprig modeller.sprig -o refused.sprig
expect 2 merge shard-1.sprig shard-2.sprig -o one-run.sprig
says err "already exists"
expect 2 merge shard-1.sprig
for text in 0/4 5/4 1 1/ /4 1/4x 1/0; do expect 2 learn refused.sprig mnist:train:0-9 --shard $text; done
expect 2 learn refused.sprig mnist:train:0-9 --shard 1/4 --prequential
expect 2 learn refused.sprig mnist:train:0-9 --shard 1/4 --limit 3 --keep-going
expect 2 learn refused.sprig mnist:train:0-9 --shard 1/4 --learner modeller
says err "use the learner constellation"
absent refused.sprig

# A model without classes
cp folder.sprig empty.sprig
expect 0 class empty.sprig forget ring
expect 0 class empty.sprig forget bar
expect 2 predict empty.sprig mnist:t10k:0
says err "'empty.sprig' has no classes yet"
expect 2 test empty.sprig mnist:t10k:0
expect 0 inspect empty.sprig
expect 2 export empty.sprig --to svg
for kind in json graphml dot; do expect 0 export empty.sprig --to $kind; done

# Files that are not models, or damaged ones
head -c 20000 constellation.sprig >cut.sprig
{ cat constellation.sprig && echo more; } >longer.sprig
cp constellation.sprig newer.sprig
printf '\0\0\0\143' | dd of=newer.sprig bs=1 seek=60 conv=notrunc 2>/dev/null # format version 99
cp constellation.sprig flipped.sprig
# Damage the stored digest: other bytes may be unused.
LC_ALL=C grep -obUa "$(digest constellation.sprig)" flipped.sprig | cut -d: -f1 | while read -r at; do
    printf 'XXXXXXXX' | dd of=flipped.sprig bs=1 seek="$at" conv=notrunc 2>/dev/null
done
echo nonsense >foreign.sprig
: >blank.sprig
mkdir folder-of.sprig
for file in cut longer newer foreign blank folder-of missing; do
    for words in "verify $file.sprig" "inspect $file.sprig" "predict $file.sprig mnist:t10k:0" "undo $file.sprig" \
        "test $file.sprig mnist:t10k:0" "diff constellation.sprig $file.sprig" "class $file.sprig list" \
        "export $file.sprig --to json" "merge $file.sprig others.sprig -o x.sprig"; do
        # shellcheck disable=SC2086
        expect 3 $words
        says err "$file.sprig'"
    done
    [ $file = missing ] || expect 3 learn $file.sprig mnist:train:0
done
expect 3 verify newer.sprig
says err "newer"
expect 3 verify flipped.sprig
absent x.sprig missing.sprig
for file in *-lock *-wal *-shm *-journal; do [ ! -e "$file" ] || complain "$file was left behind"; done
expect 0 verify constellation.sprig

# Read-only files and folders
if [ "$(id -u)" -ne 0 ]; then
    mkdir locked
    cp constellation.sprig locked/
    chmod 400 locked/constellation.sprig
    chmod 500 locked
    expect 0 predict locked/constellation.sprig mnist:t10k:0
    expect 0 verify locked/constellation.sprig
    expect 1 learn locked/constellation.sprig mnist:train:0
    expect 1 learn locked/new.sprig mnist:train:0
    expect 1 undo locked/constellation.sprig
    chmod 700 locked
fi
# A full disk (simulated: no file may be larger than 100 KiB): finished lessons are kept
(trap '' XFSZ && ulimit -f 100 && "$sprig" learn full.sprig mnist:train:0-1999) >out 2>err
[ $? -eq 1 ] || complain "a full disk did not give exit code 1"
[ ! -e full.sprig ] || expect 0 verify full.sprig

echo "model verbs: $((checks - wrong)) passed, $wrong failed"
exit $((wrong > 0))
