# Shared by the tests of `sprig serve`. Source tests/cli/support.sh first.

# start_server MODEL [OPTION...]: starts a server on a free port; sets $server (its process) and $url.
start_server() {
    rm -f served # the address of the server before
    "$program" serve "$@" --port 0 >served 2>served-errors &
    server=$!
    url=
    for _ in $(seq 600); do
        url=$(sed -n 's/^serving //p' served 2>/dev/null)
        [ -z "$url" ] || return 0
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    complain "the server did not start: $(cat served-errors)"
    return 1
}
# stop_server SIGNAL: sets $code to its exit code.
stop_server() {
    kill -"$1" "$server" 2>/dev/null
    wait "$server" 2>/dev/null
    code=$?
}
# post PATH BODY: prints the reply and its status.
post() {
    curl -sS --max-time 60 -w '\n%{http_code}\n' -H 'Content-Type: application/json' -d "$2" "${url}api/$1"
}

# make_lesson NUMBER: sets $lesson to a drawing with its label: one of three classes, of one of forty sizes.
make_lesson() {
    local size=$(($1 % 40 + 5))
    local low=$((size - 3))
    case $(($1 % 3)) in
    0) lesson="{\"label\": \"arrow\", \"strokes\": [[[0, 5], [$size, 5]], [[$low, 2], [$size, 5], [$low, 8]]]}" ;;
    1) lesson="{\"label\": \"cross\", \"strokes\": [[[0, 0], [$size, $size]], [[$size, 0], [0, $size]]]}" ;;
    2) lesson="{\"label\": \"check\", \"strokes\": [[[0, 6], [3, $size], [$size, 0]]]}" ;;
    esac
}
# write_lessons COUNT: prints the first lessons, as lines for `strokes:`.
write_lessons() {
    local i lesson
    for ((i = 0; i < $1; i++)); do make_lesson "$i" && echo "$lesson"; done
}
digest() { "$program" verify "$1" --json | sed -nE 's/.*"digest": "([0-9a-f]+)".*/\1/p'; }
