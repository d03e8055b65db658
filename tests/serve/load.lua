-- For wrk, which scripts/load starts: asks for predictions, and checks that each answer is whole and consistent.
local questions = {
    '{"strokes": [[[0, 5], [9, 5]], [[6, 2], [9, 5], [6, 8]]]}',
    '{"strokes": [[[0, 0], [9, 9]], [[9, 0], [0, 9]]]}',
    '{"strokes": [[[0, 6], [3, 9], [9, 0]]]}',
}
local threads = {}

function setup(thread)
    table.insert(threads, thread)
end

function init()
    asked, answered, wrong, example = 0, 0, 0, ""
    wrk.method = "POST"
    wrk.headers["Content-Type"] = "application/json"
    wrk.headers["Host"] = "localhost"
end

function request()
    asked = asked + 1
    return wrk.format(nil, nil, nil, questions[asked % #questions + 1])
end

-- The label is the first of the ranking, the ranking is in order, and its probabilities have the sum 1.
local function is_consistent(body)
    local label, ranking = body:match('^{"label":"(%a+)","probability":.*,"ranking":(%[.*%])}$')
    if not label or ranking:match('"label":"(%a+)"') ~= label then return false end
    local sum, last = 0, math.huge
    for score in ranking:gmatch('"score":([-%d.eE+]+)') do
        if tonumber(score) > last then return false end
        last = tonumber(score)
    end
    for probability in ranking:gmatch('"probability":([-%d.eE+]+)') do sum = sum + tonumber(probability) end
    return math.abs(sum - 1) < 1e-9
end

function response(status, headers, body)
    answered = answered + 1
    if status ~= 200 or not is_consistent(body) then
        wrong = wrong + 1
        example = status .. " " .. body
    end
end

function done(summary, latency)
    local answers, bad, shown = 0, 0, ""
    for _, thread in ipairs(threads) do
        answers = answers + thread:get("answered")
        bad = bad + thread:get("wrong")
        if thread:get("wrong") > 0 then shown = thread:get("example") end
    end
    local e = summary.errors
    local failed = e.connect + e.read + e.write + e.status + e.timeout
    io.write(string.format("answers %d, wrong %d, failed %d\n", answers, bad, failed))
    io.write(string.format("answers per second %.0f; milliseconds: median %.1f, 99 %% %.1f, longest %.1f\n",
        answers / summary.duration * 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, latency.max / 1e3))
    if bad > 0 then io.write("such as " .. shown .. "\n") end
end
