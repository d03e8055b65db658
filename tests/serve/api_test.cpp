#include "serve/api.h"

#include <array>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "serve/page.h"
#include "serve/schema.h"
#include "serve/support.h"
#include "service/base64.h"

namespace sprig::serve_test {

namespace {

using serve::Api;
using serve::Reply;
using serve::Request;

/// An interface on a model in memory, without sockets.
class ApiTest : public testing::Test {
  protected:
    [[nodiscard]] Reply ask(const std::string& method, const std::string& target,
                            const std::string& body = "") {
        Request request{.method = method, .target = target, .host = "localhost", .body = body};
        if (!body.empty()) request.content_type = "application/json; charset=utf-8";
        return api_.answer(request);
    }
    [[nodiscard]] Json ask_json(const std::string& method, const std::string& target,
                                const std::string& body = "") {
        const Reply reply = ask(method, target, body);
        EXPECT_EQ(reply.status, 200) << reply.body;
        return Json::parse(reply.body, nullptr, false);
    }
    void learn_shapes() {
        (void)ask_json("POST", "/api/learn", lesson(arrow(), "arrow"));
        (void)ask_json("POST", "/api/learn", lesson(cross(), "cross"));
    }

    serve::ServedModel model_{Model()};
    std::vector<std::string> announced_;
    Api api_{model_, {}, [this](std::string event) { announced_.push_back(std::move(event)); }};
};

/// Requests that together use every route, in this order.
std::vector<std::array<std::string, 3>> every_route() {
    return {{"GET", "/api/model", ""},
            {"POST", "/api/predict", drawing(arrow())},
            {"POST", "/api/learn", lesson(arrow(), "arrow")},
            {"POST", "/api/learn", lesson(cross(), "cross")},
            {"POST", "/api/classes", R"({"label": "ring"})"},
            {"GET", "/api/model", ""},
            {"POST", "/api/predict", drawing(cross(20))},
            {"POST", "/api/predict",
             fmt::format(R"({{"samples": [{}, {}]}})", drawing(arrow()), drawing(cross()))},
            {"POST", "/api/explain", drawing(arrow())},
            {"POST", "/api/explain", drawing(arrow(), R"("versus": "cross", "svg": true)")},
            {"GET", "/api/units", ""},
            {"GET", "/api/units?label=cross", ""},
            {"GET", "/api/drawing", ""},
            {"GET", "/api/events", ""},
            {"GET", "/api/events/log", ""},
            {"GET", "/api/openapi.json", ""},
            {"GET", "/api/model/bytes", ""},
            {"GET", "/api/model/file", ""},
            {"POST", "/api/undo", ""},
            {"POST", "/api/undo", "{}"},
            {"POST", "/api/rename", R"({"label": "ring", "new_label": "loop"})"},
            {"POST", "/api/forget", R"({"label": "loop"})"},
            // Refused, by the state of the model or by the request.
            {"POST", "/api/forget", R"({"label": "loop"})"},
            {"POST", "/api/undo", ""},
            {"POST", "/api/learn", drawing(arrow())},
            {"GET", "/api/units?label=unknown", ""}};
}

/// Fails unless a request and its reply are as the document says.
void check_documented(const Json& document, const std::array<std::string, 3>& request, const Reply& reply) {
    const auto& [method, target, body] = request;
    const std::string what = fmt::format("{} {} {}: {}", method, target, body, reply.body.substr(0, 300));
    const Json& operation =
        document.at("paths").at(target.substr(0, target.find('?'))).at(serve::lower_case(method));
    if (reply.status == 200 && operation.contains("requestBody")) {
        const Json& schema = operation.at("requestBody").at("content").at("application/json").at("schema");
        EXPECT_EQ(mismatch(Json::parse(body), schema, document), "") << what;
    }
    const std::string status = std::to_string(reply.status);
    Json response =
        operation.at("responses").at(operation.at("responses").contains(status) ? status : "default");
    if (response.contains("$ref"))
        response = document.at(Json::json_pointer(response.at("$ref").get<std::string>().substr(1)));
    ASSERT_TRUE(response.at("content").contains(reply.content_type)) << what << reply.content_type;
    if (reply.content_type != "application/json") return;
    const Json& schema = response.at("content").at(reply.content_type).at("schema");
    EXPECT_EQ(mismatch(Json::parse(reply.body), schema, document), "") << what;
}

TEST_F(ApiTest, EveryRouteIsAsDocumented) {
    const Json document = Json::parse(serve::openapi_document());
    EXPECT_EQ(document.at("openapi"), "3.1.0");
    std::set<std::string> asked;
    for (const auto& request : every_route()) {
        const Reply reply = ask(request[0], request[1], request[2]);
        check_documented(document, request, reply);
        asked.insert(request[0] + " " + request[1].substr(0, request[1].find('?')));
    }
    std::set<std::string> documented;
    std::set<std::string> operations;
    for (const auto& [path, methods] : document.at("paths").items()) {
        for (const auto& [method, operation] : methods.items()) {
            documented.insert((method == "get" ? "GET " : "POST ") + path);
            EXPECT_TRUE(operations.insert(operation.at("operationId").get<std::string>()).second) << path;
        }
    }
    std::set<std::string> existing;
    for (const serve::Route& route : serve::routes()) {
        existing.insert(fmt::format("{} {}", route.method, route.path));
        const Json& operation =
            document.at("paths").at(route.path).at(serve::lower_case(std::string(route.method)));
        const Json parameters = operation.value("parameters", Json::array());
        ASSERT_EQ(parameters.size(), route.parameter.empty() ? 0U : 1U) << route.path;
        if (!parameters.empty()) {
            EXPECT_EQ(parameters.at(0).at("name"), route.parameter);
        }
    }
    EXPECT_EQ(documented, existing);
    EXPECT_EQ(asked, existing);
}

TEST_F(ApiTest, AnswersAsTheModelDoes) {
    learn_shapes();
    Model same;
    same.learn(parse_strokes(lesson(arrow(), "arrow")).strokes, "arrow");
    same.learn(parse_strokes(lesson(cross(), "cross")).strokes, "cross");
    const Json answer = ask_json("POST", "/api/predict", drawing(cross(30)));
    const Answer expected = same.predict(parse_strokes(drawing(cross(30))).strokes);
    EXPECT_EQ(answer.at("label"), expected.label);
    EXPECT_EQ(answer.at("margin"), expected.margin);
    EXPECT_EQ(answer.at("label"), "cross");
    EXPECT_EQ(ask("GET", "/api/model/bytes").body, same.to_bytes());
    EXPECT_EQ(ask("GET", "/api/drawing").body, same.draw());
    const Json many =
        ask_json("POST", "/api/predict",
                 fmt::format(R"({{"samples": [{}, {}]}})", drawing(arrow(12)), drawing(cross(30))));
    EXPECT_EQ(many.at("answers").at(0).at("label"), "arrow");
    EXPECT_EQ(many.at("answers").at(1), answer);
}

TEST_F(ApiTest, ACopyOfTheFileIsTheModel) {
    learn_shapes();
    const testing_support::TempFolder folder;
    std::ofstream(folder / "copy.sprig", std::ios::binary) << ask("GET", "/api/model/file").body;
    const Model copy = Model::load(folder / "copy.sprig");
    EXPECT_EQ(copy.to_bytes(), ask("GET", "/api/model/bytes").body);
}

TEST_F(ApiTest, AnnouncesEachChangeOnce) {
    learn_shapes();
    (void)ask_json("POST", "/api/undo");
    (void)ask_json("POST", "/api/classes", R"({"label": "line\nend"})");
    (void)ask_json("POST", "/api/rename", R"({"label": "line\nend", "new_label": "ring"})");
    const Json last = ask_json("POST", "/api/forget", R"({"label": "ring"})");
    EXPECT_EQ(ask("POST", "/api/forget", R"({"label": "ring"})").status, 409);
    EXPECT_EQ(ask("POST", "/api/learn", drawing(arrow())).status, 400);
    const std::vector<std::string> names = {"lesson", "lesson", "undo", "class", "rename", "forget"};
    ASSERT_EQ(announced_.size(), names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string start = fmt::format("event: {}\ndata: ", names[i]);
        ASSERT_TRUE(announced_[i].starts_with(start)) << announced_[i];
        const std::string data = announced_[i].substr(start.size());
        EXPECT_EQ(data.find('\n'), data.size() - 2) << "data is one line: " << data;
        EXPECT_TRUE(Json::parse(data).contains("model"));
    }
    EXPECT_NE(announced_.back().find(last.dump()), std::string::npos) << "the data is the reply";
}

TEST_F(ApiTest, RefusesWithAStatusAndASentence) {
    learn_shapes();
    struct Case {
        std::string method;
        std::string target;
        std::string body;
        int status;
        std::string sentence; ///< a part of it
    };
    const std::string deep(100'000, '[');
    const std::string text = service::to_base64(std::vector<std::uint8_t>{'n', 'o', ' ', 'p', 'n', 'g'});
    const std::vector<Case> cases = {
        {"POST", "/api/predict", "", 400, "JSON"},
        {"POST", "/api/predict", "no json", 400, "JSON"},
        {"POST", "/api/predict", "[1]", 400, "JSON object"},
        {"POST", "/api/predict", "{\"strokes\": " + deep, 400, "JSON"},
        {"POST", "/api/predict", "{}", 400, "strokes"},
        {"POST", "/api/predict", R"({"strokes": []})", 400, "points"},
        {"POST", "/api/predict", R"({"strokes": [[[1e300, 0]]]})", 400, "1e"},
        {"POST", "/api/predict", R"({"picture": "###"})", 400, "base64"},
        {"POST", "/api/predict", fmt::format(R"({{"picture": "{}"}})", text), 400, "picture"},
        {"POST", "/api/predict", R"({"pixels": {"width": 2, "height": 2, "data": "AAAA"}})", 400, "pixels"},
        {"POST", "/api/predict", R"({"samples": 3})", 400, "samples"},
        {"POST", "/api/predict", fmt::format(R"({{"samples": [{}, {{}}]}})", drawing(arrow())), 400,
         "sample 1"},
        {"POST", "/api/learn", drawing(arrow()), 400, "label"},
        {"POST", "/api/learn", lesson(arrow(), ""), 400, "label"},
        {"POST", "/api/learn", drawing(arrow(), R"("label": 3)"), 400, "label"},
        {"POST", "/api/explain", drawing(arrow(), R"("versus": "ring")"), 400, "ring"},
        {"POST", "/api/rename", R"({"label": "arrow"})", 400, "new_label"},
        {"POST", "/api/rename", R"({"label": "ring", "new_label": "x"})", 409, "ring"},
        {"POST", "/api/rename", R"({"label": "arrow", "new_label": "cross"})", 409, "cross"},
        {"POST", "/api/forget", R"({"label": "ring"})", 409, "ring"},
        {"POST", "/api/classes", R"({"label": 1})", 400, "label"},
        {"GET", "/api/units?label=ring", "", 400, "ring"},
        {"GET", "/api/units?class=arrow", "", 400, "class"},
        {"GET", "/api/units?label=arrow&label=cross", "", 400, "twice"},
        {"GET", "/api/model?x=1", "", 400, "'x'"},
        {"GET", "/api/model?x=%", "", 400, "percent"},
        {"GET", "/api/nothing", "", 404, "/api/nothing"},
        {"GET", "/api", "", 404, "/api"},
        {"GET", "/nothing.html", "", 404, "/nothing.html"},
        {"GET", "/../etc/passwd", "", 404, "passwd"},
        {"GET", "/api/learn", "", 405, "POST"},
        {"DELETE", "/api/model", "", 405, "GET"},
        {"OPTIONS", "/api/learn", "", 405, "POST"},
        {"POST", "/", "", 405, "GET"}};
    for (const Case& one : cases) {
        const Reply reply = ask(one.method, one.target, one.body);
        const std::string what = fmt::format("{} {} {}", one.method, one.target, one.body.substr(0, 100));
        EXPECT_EQ(reply.status, one.status) << what << "\n" << reply.body;
        const std::string sentence = sentence_of({.status = reply.status, .fields = {}, .body = reply.body});
        EXPECT_NE(sentence.find(one.sentence), std::string::npos) << what << ": " << sentence;
    }
    EXPECT_EQ(ask_json("GET", "/api/model").at("lessons"), 2) << "nothing was changed";
    EXPECT_EQ(announced_.size(), 2U);
}

TEST_F(ApiTest, MethodsAreListedIfAnotherIsUsed) {
    const auto allow = [](const Reply& reply) { return reply.headers.at(0); };
    EXPECT_EQ(allow(ask("PUT", "/api/learn")), (std::pair<std::string, std::string>{"Allow", "POST"}));
    EXPECT_EQ(allow(ask("PUT", "/api/model")), (std::pair<std::string, std::string>{"Allow", "GET, HEAD"}));
}

TEST_F(ApiTest, BodiesMustSayThatTheyAreJson) {
    for (const char* type : {"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data",
                             "json", "application/jsonx"}) {
        const Reply reply = api_.answer({.method = "POST",
                                         .target = "/api/learn",
                                         .host = "localhost",
                                         .content_type = type,
                                         .body = lesson(arrow(), "arrow")});
        EXPECT_EQ(reply.status, 415) << type;
    }
    EXPECT_EQ(ask_json("GET", "/api/model").at("lessons"), 0);
}

TEST_F(ApiTest, AModelWithoutClassesAnswersNull) {
    const Json answer = ask_json("POST", "/api/predict", drawing(arrow()));
    EXPECT_TRUE(answer.at("label").is_null());
    EXPECT_TRUE(answer.at("ranking").empty());
}

TEST_F(ApiTest, TokenIsNeededForTheInterfaceAndNotForThePage) {
    Api api(model_, {.token = "0123456789abcdef"}, [](const std::string&) {});
    Request request{.method = "GET", .target = "/api/model", .host = "localhost"};
    const Reply refused = api.answer(request);
    EXPECT_EQ(refused.status, 401);
    EXPECT_EQ(refused.headers.at(0).first, "WWW-Authenticate");
    request.target = "/api/model?token=0123456789abcdef";
    EXPECT_EQ(api.answer(request).status, 401) << "in an address, a token is easily seen";
    request.target = "/api/events?token=0123456789abcdef";
    EXPECT_EQ(api.answer(request).status, 200) << "EventSource cannot send header fields";
    request.target = "/api/model";
    request.authorization = "Bearer 0123456789abcdef";
    EXPECT_EQ(api.answer(request).status, 200);
    EXPECT_EQ(api.answer({.method = "GET", .target = "/", .host = "localhost"}).status, 200);
}

TEST_F(ApiTest, ThePageOrAnExplanationIsServed) {
    Request request{.method = "GET", .target = "/", .host = "localhost"};
    const Reply plain = api_.answer(request);
    EXPECT_EQ(plain.status, 200);
    EXPECT_EQ(plain.content_type, "text/html; charset=utf-8");
    EXPECT_NE(plain.body.find("<html"), std::string::npos);
    EXPECT_EQ(plain.body.find("make page") == std::string::npos, serve::has_page());
    for (const serve::PageFile& file : serve::page_files()) {
        request.target = std::string(file.path);
        request.accept_encoding = "gzip, br";
        const Reply packed = api_.answer(request);
        EXPECT_EQ(packed.status, 200);
        EXPECT_EQ(packed.body.size(), file.gzip.size());
        request.accept_encoding = "";
        EXPECT_EQ(api_.answer(request).status, 200);
        request.if_none_match = std::string(file.etag);
        const Reply unchanged = api_.answer(request);
        EXPECT_EQ(unchanged.status, 304);
        EXPECT_TRUE(unchanged.body.empty());
        request.if_none_match = "\"other\"";
        EXPECT_EQ(api_.answer(request).status, 200);
    }
}

} // namespace

} // namespace sprig::serve_test
