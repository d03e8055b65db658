#!/usr/bin/env bash
# The verb `serve`: starting, stopping, its options and its files.
#   serve_verb_test.sh PROGRAM
program=$1
here=$(realpath "$(dirname "$0")")
source "$here/../cli/support.sh"
source "$here/support.sh"
unset SPRIG_TOKEN

# Options
expect 0 serve --help
says out "--port"
expect 2 serve
expect 2 serve a.sprig --port 65536
expect 2 serve a.sprig --threads 0
expect 2 serve a.sprig --listen 0.0.0.0
says err "needs a token"
expect 3 serve a.sprig --listen 0.0.0.0 --token-file missing
says err "'missing'"
SPRIG_TOKEN=0123456789abcdef expect 2 serve a.sprig --open
says err "#token=TOKEN"
expect 2 serve a.sprig --listen here
says err "'here' is not an IP address"
echo short >token
expect 2 serve a.sprig --token-file token
says err "at least 16"
expect 2 serve a.sprig --preset unknown
[ ! -e a.sprig ] || complain "a model was made by a wrong command"
echo nonsense >foreign.sprig
expect 3 serve foreign.sprig
says err "foreign.sprig"
expect 2 serve no/folder/a.sprig

# A new model is made, taught over HTTP, and closed by a signal.
for signal in TERM INT; do
    start_server a.sprig || exit 1
    says served "a.sprig: constellation, preset default"
    [ "${url#http://localhost:}" != "$url" ] || complain "the address is $url"
    post learn '{"strokes": [[[0, 0], [9, 9]], [[9, 0], [0, 9]]], "label": "cross"}' >out
    says out '"label":"cross"'
    # Another program may read the model but not learn into it.
    expect 0 class a.sprig list
    echo '{"label": "dot", "strokes": [[[3, 3]]]}' >in
    expect 1 learn a.sprig strokes:-
    says err "a.sprig"
    expect 1 serve a.sprig --port 0
    : >in
    stop_server $signal
    [ "$code" -eq 0 ] || complain "SIG$signal gave exit code $code"
    says served "stopped; a.sprig has"
    [ "$(ls a.sprig*)" = a.sprig ] || complain "files were left behind: $(ls a.sprig*)"
    expect 0 verify a.sprig
done
expect 0 verify a.sprig --json
says out '"lessons": 2'
if grep -q 'without the page' served-errors; then
    start_server a.sprig || exit 1
    curl -sS "$url" >out
    says out "make page"
    stop_server TERM
fi

# A port that is taken
start_server a.sprig || exit 1
port=${url##*:}
expect 1 serve b.sprig --port "${port%/}"
says err "choose another port"
stop_server TERM

# A token from the environment or from a file
head -c 16 /dev/urandom | base64 >token
SPRIG_TOKEN=$(cat token) start_server a.sprig || exit 1
[ "$(curl -s -o /dev/null -w '%{http_code}' "${url}api/model")" = 401 ] || complain "no token was needed"
stop_server TERM
start_server a.sprig --token-file token --listen 127.0.0.1 || exit 1
[ "$(curl -s -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $(cat token)" "${url}api/model")" = 200 ] ||
    complain "the token of the file was not accepted"
stop_server TERM

# A full disk (simulated: no file may be larger than a limit): lessons fail with a sentence, none that was acknowledged is
# lost, and the server goes on answering from the state of the file.
trap '' XFSZ
rm -f served
(
    ulimit -f 300
    exec "$program" serve full.sprig --port 0 >served 2>served-errors
) &
server=$!
for _ in $(seq 600); do
    url=$(sed -n 's/^serving //p' served 2>/dev/null)
    [ -z "$url" ] || break
    sleep 0.1
done
learned=0
failed=0
for i in $(seq 5 400); do
    status=$(post learn "{\"strokes\": [[[0, 0], [$i, 9]], [[9, $i], [0, 9]], [[$i, 3], [2, $i]]], \"label\": \"class $i\"}" | tee out | tail -1)
    case $status in
    200) learned=$((learned + 1)) ;;
    500) failed=$((failed + 1)) && grep -q '"kind":"failed"' out || complain "an error without a sentence: $(cat out)" ;;
    *) complain "status $status: $(cat out)" ;;
    esac
    [ $failed -lt 3 ] || break
done
[ $failed -ge 3 ] || complain "the disk was never full: $learned lessons"
shown=$(curl -sS "${url}api/model" | grep -o '"lessons":[0-9]*')
[ "$shown" = "\"lessons\":$learned" ] || complain "$learned lessons were acknowledged, but the server says $shown"
post predict '{"strokes": [[[0, 0], [9, 9]]]}' >out
says out '"probability"'
stop_server TERM
stored=$("$program" verify full.sprig --json | grep -o '"lessons": [0-9]*')
[ "$stored" = "\"lessons\": $learned" ] || complain "$learned lessons were acknowledged, but the file has $stored"

echo "serve: $((checks - wrong)) passed, $wrong failed"
exit $((wrong > 0))
