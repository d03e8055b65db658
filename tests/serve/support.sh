# Shared by the tests of `sprig serve`. Source tests/cli/support.sh first.

# start_server MODEL [OPTION...]: starts a server on a free port; sets $server (its process) and $url.
start_server() {
    "$program" serve "$@" --port 0 >served 2>served-errors &
    server=$!
    url=
    for _ in $(seq 600); do
        url=$(sed -n 's/^serving //p' served)
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
