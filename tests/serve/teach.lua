-- For wrk with one connection, which scripts/load starts: teaches the lines of the file lessons.jsonl, in order.
local lessons = {}
local threads = {}

function setup(thread)
    table.insert(threads, thread)
end

function init()
    for line in io.lines("lessons.jsonl") do table.insert(lessons, line) end
    acknowledged, refused = 0, 0
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
    wrk.headers["Host"] = "localhost"
end

function request()
    return wrk.format(nil, nil, nil, lessons[acknowledged % #lessons + 1])
end

function response(status, headers, body)
    if status == 200 and body:match('^{"label":.*"new_class":.*}$') then
        acknowledged = acknowledged + 1
    else
        refused = refused + 1
    end
end

function done(summary, latency)
    io.write(string.format("acknowledged %d, refused %d\n", threads[1]:get("acknowledged"), threads[1]:get("refused")))
    io.write(string.format("lessons per second %.0f; milliseconds: median %.1f, 99 %% %.1f, longest %.1f\n",
        threads[1]:get("acknowledged") / summary.duration * 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
        latency.max / 1e3))
end
