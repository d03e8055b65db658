#include "serve/server.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serve/support.h"
#include "sprig/error.h"

// HTTP as clients see it. Times are short where a server must lose its patience, and a minute where it must
// not.

namespace sprig::serve_test {

namespace {

using serve::ServerOptions;
using testing::HasSubstr;
using testing_support::TempFolder;

/// The message of the error that a call throws.
std::string refused(ErrorKind kind, const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        return error.what();
    }
    return "no error";
}

class ServerTest : public testing::Test {
  protected:
    void start(const ServerOptions& options = {}) { running_.emplace(folder_ / "a.sprig", options); }
    [[nodiscard]] HttpReply ask(std::string_view method, std::string_view target, std::string_view body = "",
                                std::string_view fields = "Host: localhost\r\n") {
        return serve_test::ask(running_->port(), method, target, body, fields);
    }
    /// Sends a text that need not be HTTP.
    [[nodiscard]] HttpReply send(std::string_view text) {
        Client client(running_->port());
        EXPECT_TRUE(client.send(text));
        return client.reply();
    }
    /// The server still answers.
    void expect_alive() { EXPECT_EQ(ask("GET", "/api/model").status, 200); }

    TempFolder folder_;
    std::optional<RunningServer> running_;
};

ServerOptions impatient() {
    ServerOptions options;
    options.limits.head = std::chrono::milliseconds(200);
    options.limits.body = std::chrono::milliseconds(200);
    return options;
}

TEST_F(ServerTest, LearnsAnswersAndRemembers) {
    start();
    EXPECT_EQ(ask("POST", "/api/learn", lesson(arrow(), "arrow")).status, 200);
    EXPECT_EQ(ask("POST", "/api/learn", lesson(cross(), "cross")).status, 200);
    const HttpReply first = ask("POST", "/api/predict", drawing(cross(20)));
    EXPECT_EQ(Json::parse(first.body).at("label"), "cross");
    const Json before = Json::parse(ask("GET", "/api/model").body);
    EXPECT_EQ(before.at("file"), true);
    running_->stop();
    EXPECT_FALSE(std::filesystem::exists(folder_ / "a.sprig-wal")) << "the file was closed";
    start();
    EXPECT_EQ(ask("POST", "/api/predict", drawing(cross(20))).body, first.body);
    EXPECT_EQ(Json::parse(ask("GET", "/api/model").body).at("digest"), before.at("digest"));
    EXPECT_EQ(ask("POST", "/api/undo").status, 200);
}

TEST_F(ServerTest, ListensOnBothLoopbacksAndSaysSo) {
    start();
    EXPECT_EQ(running_->server().url(), fmt::format("http://localhost:{}/", running_->port()));
    Client old(running_->port(), "127.0.0.1");
    EXPECT_TRUE(old.send(request_text("GET", "/api/model")));
    EXPECT_EQ(old.reply().status, 200);
    try {
        Client client(running_->port(), "::1");
        EXPECT_TRUE(client.send(request_text("GET", "/api/model", "", "Host: [::1]\r\n")));
        EXPECT_EQ(client.reply().status, 200);
    } catch (const std::runtime_error&) {
        GTEST_SKIP() << "this machine has no IPv6";
    }
}

TEST_F(ServerTest, RefusesOptionsThatAreNotSafe) {
    const auto made = [&](const ServerOptions& options) {
        return [this, options] { const serve::Server server(folder_ / "b.sprig", {}, options); };
    };
    EXPECT_THAT(refused(ErrorKind::usage, made({.listen = "0.0.0.0"})), HasSubstr("token"));
    EXPECT_THAT(refused(ErrorKind::usage, made({.listen = "::"})), HasSubstr("token"));
    EXPECT_THAT(refused(ErrorKind::usage, made({.token = "short"})), HasSubstr("16"));
    EXPECT_THAT(refused(ErrorKind::usage, made({.listen = "localhost"})), HasSubstr("not an IP address"));
    EXPECT_THAT(refused(ErrorKind::usage, made({.listen = "box", .token = "0123456789abcdef"})),
                HasSubstr("'box' is not an IP address"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "c.sprig"));
    start();
    EXPECT_THAT(refused(ErrorKind::failed, made({.port = running_->port()})),
                HasSubstr(std::to_string(running_->port())));
    EXPECT_THAT(
        refused(ErrorKind::failed, [this] { const serve::Server second(folder_ / "a.sprig", {}, {}); }),
        HasSubstr("a.sprig"));
}

TEST_F(ServerTest, ElsewhereATokenIsNeeded) {
    start({.listen = "0.0.0.0", .hosts = {"box.lan"}, .token = "0123456789abcdef"});
    const std::string with_token = "Host: box.lan\r\nAuthorization: Bearer 0123456789abcdef\r\n";
    EXPECT_EQ(ask("GET", "/api/model", "", with_token).status, 200);
    const HttpReply refused = ask("GET", "/api/model", "", "Host: box.lan\r\n");
    EXPECT_EQ(refused.status, 401);
    EXPECT_EQ(refused.fields.at("www-authenticate"), "Bearer");
    EXPECT_THAT(sentence_of(refused), HasSubstr("token"));
    EXPECT_EQ(ask("GET", "/api/model", "", "Host: example.com\r\nAuthorization: Bearer 0123456789abcdef\r\n")
                  .status,
              403);
    EXPECT_EQ(ask("GET", "/", "", "Host: box.lan\r\n").status, 200) << "the page itself is public";
}

TEST_F(ServerTest, EveryReplyIsGuarded) {
    start();
    for (const char* target : {"/", "/api/model", "/api/drawing", "/nothing"}) {
        const HttpReply reply = ask("GET", target);
        EXPECT_EQ(reply.fields.at("x-content-type-options"), "nosniff") << target;
        EXPECT_EQ(reply.fields.at("referrer-policy"), "no-referrer") << target;
        EXPECT_EQ(reply.fields.at("cross-origin-resource-policy"), "same-origin") << target;
        EXPECT_EQ(reply.fields.at("x-frame-options"), "DENY") << target;
        EXPECT_THAT(reply.fields.at("content-security-policy"), HasSubstr("default-src 'none'")) << target;
        EXPECT_FALSE(reply.fields.contains("access-control-allow-origin")) << target;
    }
    EXPECT_EQ(ask("GET", "/api/model").fields.at("cache-control"), "no-store");
}

TEST_F(ServerTest, RefusesWhatIsNotARequest) {
    start();
    struct Case {
        std::string text;
        int status;
    };
    const std::string host = "Host: localhost\r\n";
    const std::vector<Case> cases = {
        {"nonsense\r\n\r\n", 400},
        {"GET /api/model HTTP/9.9\r\n" + host + "\r\n", 400},
        {"GET /api/model HTTP/1.1\r\n\r\n", 403},
        {"GET /api/model HTTP/1.1\r\nHost: example.com\r\n\r\n", 403},
        {"GET /api/model HTTP/1.1\r\n" + host + "Host: example.com\r\n\r\n", 400},
        {"GET /api/model HTTP/1.1\r\n" + host + "Origin: http://example.com\r\n\r\n", 403},
        {"GET http://localhost/api/model HTTP/1.1\r\n" + host + "\r\n", 400},
        {"GET * HTTP/1.1\r\n" + host + "\r\n", 400},
        {"CONNECT example.com:80 HTTP/1.1\r\n" + host + "\r\n", 400},
        {"BREW /api/model HTTP/1.1\r\n" + host + "\r\n", 405},
        {"GET /api/model HTTP/1.1\r\n" + host + "X: " + std::string(20'000, 'x') + "\r\n\r\n", 431},
        {"GET /" + std::string(20'000, 'x') + " HTTP/1.1\r\n" + host + "\r\n", 431},
        {"POST /api/learn HTTP/1.1\r\n" + host +
             "Content-Type: application/json\r\nContent-Length: 99999999\r\n\r\n",
         413},
        {"POST /api/learn HTTP/1.1\r\n" + host +
             "Content-Type: application/json\r\nContent-Length: 99999999999999999999999\r\n\r\n",
         400},
        {"POST /api/learn HTTP/1.1\r\n" + host +
             "Content-Type: application/json\r\nContent-Length: -1\r\n\r\n",
         400},
        {"POST /api/learn HTTP/1.1\r\n" + host +
             "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
         411},
        {"POST /api/learn HTTP/1.1\r\n" + host + "Content-Type: text/plain\r\nContent-Length: 2\r\n\r\n{}",
         415},
        {"POST /api/learn HTTP/1.1\r\n" + host + "Content-Length: 2\r\n\r\n{}", 415},
        {"POST /api/learn HTTP/1.1\r\n" + host +
             "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
         400}};
    for (const Case& one : cases) {
        const HttpReply reply = send(one.text);
        EXPECT_EQ(reply.status, one.status) << one.text.substr(0, 200) << reply.body;
        EXPECT_NE(sentence_of(reply), "") << one.text.substr(0, 200) << reply.body;
    }
    expect_alive();
}

TEST_F(ServerTest, ABodyThatIsTooLargeIsRefusedBeforeItIsRead) {
    ServerOptions options;
    options.limits.body_size = 1U << 20U;
    start(options);
    EXPECT_EQ(ask("POST", "/api/predict", std::string(1U << 20U, ' ')).status, 400) << "just small enough";
    Client client(running_->port());
    // All of it is sent, so that the reply must survive that the server does not read it.
    (void)client.send(request_text("POST", "/api/predict", std::string((1U << 20U) + 1, ' ')));
    const HttpReply reply = client.reply();
    EXPECT_EQ(reply.status, 413);
    EXPECT_THAT(sentence_of(reply), HasSubstr("1 MB"));
    EXPECT_TRUE(client.is_closed_by_server());
}

TEST_F(ServerTest, AllBodiesTogetherAreLimited) {
    ServerOptions options;
    options.limits.all_bodies = 1000;
    start(options);
    Client slow(running_->port());
    ASSERT_TRUE(slow.send("POST /api/undo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                          "Content-Length: 900\r\n\r\n"));
    EXPECT_EQ(ask("POST", "/api/undo", std::string(90, ' ')).status, 409);
    HttpReply reply;
    do { // until the server has read the first head
        reply = ask("POST", "/api/undo", std::string(200, ' '));
    } while (reply.status == 409);
    EXPECT_EQ(reply.status, 503);
    ASSERT_TRUE(slow.send(std::string(900, ' ')));
    EXPECT_EQ(slow.reply().status, 409) << "nothing to undo";
    EXPECT_EQ(ask("POST", "/api/undo", std::string(200, ' ')).status, 409) << "there is room again";
}

TEST_F(ServerTest, DropsClientsThatHang) {
    ServerOptions options = impatient();
    options.limits.idle = std::chrono::milliseconds(300);
    start(options);
    Client silent(running_->port());
    Client half_head(running_->port());
    Client half_body(running_->port());
    ASSERT_TRUE(half_head.send("GET /api/model HTTP/1.1\r\nHost: "));
    ASSERT_TRUE(
        half_body.send("POST /api/learn HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                       "Content-Length: 100\r\n\r\n{"));
    for (Client* client : {&half_head, &half_body}) {
        const HttpReply reply = client->reply();
        EXPECT_EQ(reply.status, 408);
        EXPECT_NE(sentence_of(reply), "");
        EXPECT_TRUE(client->is_closed_by_server());
    }
    EXPECT_EQ(silent.read_until("\n"), "") << "closed without a word";
    expect_alive();
}

TEST_F(ServerTest, ADripOfBytesDoesNotExtendTheTime) {
    start(impatient());
    Client client(running_->port());
    ASSERT_TRUE(client.send("GET /api/model HTTP/1.1\r\n"));
    for (int i = 0; i < 1000 && client.send("X: y\r\n"); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_TRUE(client.is_closed_by_server());
    expect_alive();
}

TEST_F(ServerTest, DropsClientsThatDoNotReadTheirReplies) {
    ServerOptions options;
    options.limits.reply = std::chrono::milliseconds(300);
    start(options);
    Client client(running_->port());
    const std::string request = request_text("GET", "/api/openapi.json");
    // Replies fill the buffers of both sides; then the server waits, and so does this loop, until it gives
    // up.
    for (int i = 0; i < 1'000'000 && client.send(request); ++i) {
    }
    EXPECT_FALSE(client.send(request));
    expect_alive();
}

TEST_F(ServerTest, TooManyConnectionsAreToldSo) {
    ServerOptions options;
    options.limits.connections = 3;
    start(options);
    auto first = std::make_unique<Client>(running_->port());
    Client second(running_->port());
    Client third(running_->port());
    for (Client* client : {first.get(), &second, &third}) {
        ASSERT_TRUE(client->send(request_text("GET", "/api/model")));
        EXPECT_EQ(client->reply().status, 200);
    }
    Client fourth(running_->port());
    const HttpReply reply = fourth.reply();
    EXPECT_EQ(reply.status, 503);
    EXPECT_NE(sentence_of(reply), "");
    first.reset();
    int status = 0;
    do { // until the server has noticed
        status = ask("GET", "/api/model").status;
    } while (status == 503 || status == 0);
    EXPECT_EQ(status, 200);
}

TEST_F(ServerTest, ConnectionsAreKept) {
    start();
    Client client(running_->port());
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(client.send(request_text("GET", "/api/model")));
        EXPECT_EQ(client.reply().status, 200);
    }
    // Several requests at once are answered in order; errors of the model do not end the connection.
    ASSERT_TRUE(client.send(request_text("POST", "/api/learn", lesson(arrow(), "arrow")) +
                            request_text("POST", "/api/forget", R"({"label": "ring"})") +
                            request_text("POST", "/api/predict", drawing(arrow()))));
    EXPECT_EQ(client.reply().status, 200);
    EXPECT_EQ(client.reply().status, 409);
    EXPECT_EQ(Json::parse(client.reply().body).at("label"), "arrow");
    ASSERT_TRUE(
        client.send(request_text("GET", "/api/model", "", "Host: localhost\r\nConnection: close\r\n")));
    EXPECT_EQ(client.reply().status, 200);
    EXPECT_TRUE(client.is_closed_by_server());
}

TEST_F(ServerTest, HeadHasTheHeadOnly) {
    start();
    const HttpReply whole = ask("GET", "/api/openapi.json");
    Client client(running_->port());
    ASSERT_TRUE(client.send(request_text("HEAD", "/api/openapi.json") + request_text("GET", "/api/model")));
    const HttpReply head = client.reply(true);
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.fields.at("content-length"), std::to_string(whole.body.size()));
    EXPECT_EQ(client.reply().status, 200) << "the next reply follows at once";
    ASSERT_TRUE(client.send(request_text("HEAD", "/api/model")));
    EXPECT_EQ(client.reply(true).status, 200);
    ASSERT_TRUE(client.send("nonsense\r\n\r\n"));
    EXPECT_NE(sentence_of(client.reply()), "") << "an error after it has a body";
}

TEST_F(ServerTest, ABodyIsAskedForIfTheClientWaits) {
    start();
    Client client(running_->port());
    const std::string body = lesson(arrow(), "arrow");
    ASSERT_TRUE(
        client.send(fmt::format("POST /api/learn HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                                "application/json\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
                                body.size())));
    EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
    ASSERT_TRUE(client.send(body));
    EXPECT_EQ(client.reply().status, 200);
}

TEST_F(ServerTest, ClientsThatLeaveEarlyDoNoHarm) {
    start();
    for (const std::string& text : {std::string("GET /api/"), request_text("GET", "/api/openapi.json"),
                                    request_text("POST", "/api/predict", drawing(arrow())),
                                    std::string("POST /api/learn HTTP/1.1\r\n")}) {
        for (int i = 0; i < 20; ++i) {
            const Client client(running_->port());
            EXPECT_TRUE(client.send(text));
        }
    }
    Client half_closed(running_->port());
    ASSERT_TRUE(half_closed.send(request_text("GET", "/api/model")));
    half_closed.stop_sending();
    EXPECT_EQ(half_closed.reply().status, 200);
    expect_alive();
}

TEST_F(ServerTest, EventsArriveInOrder) {
    start();
    Client stream(running_->port());
    ASSERT_TRUE(stream.send(request_text("GET", "/api/events")));
    const std::string head = stream.read_until("\r\n\r\n");
    EXPECT_THAT(head, HasSubstr("HTTP/1.1 200"));
    EXPECT_THAT(head, HasSubstr("Content-Type: text/event-stream"));
    EXPECT_EQ(stream.read_until("\n\n"), "retry: 2000\n\n");
    EXPECT_THAT(stream.read_until("\n\n"), HasSubstr("event: model\ndata: {\"model\":"));
    for (int i = 1; i <= 5; ++i)
        EXPECT_EQ(ask("POST", "/api/learn", lesson(arrow(i + 8), "arrow")).status, 200);
    EXPECT_EQ(ask("POST", "/api/undo").status, 200);
    for (const int lessons : {1, 2, 3, 4, 5, 4}) {
        const std::string event = stream.read_until("\n\n");
        const Json data = Json::parse(event.substr(event.find("data: ") + 6));
        EXPECT_EQ(data.at("model").at("lessons"), lessons) << event;
    }
    running_->stop();
    EXPECT_TRUE(stream.is_closed_by_server());
}

TEST_F(ServerTest, StreamsShowThatTheyAreAlive) {
    ServerOptions options;
    options.limits.keep_alive = std::chrono::milliseconds(50);
    start(options);
    Client stream(running_->port());
    ASSERT_TRUE(stream.send(request_text("GET", "/api/events")));
    EXPECT_THAT(stream.read_until(": keep-alive\n\n: keep-alive\n\n"), HasSubstr("event: model"));
}

TEST_F(ServerTest, SlowAndSurplusStreamsAreClosed) {
    ServerOptions options;
    options.limits.streams = 1;
    options.limits.queue = 4;
    options.limits.reply = std::chrono::seconds(60);
    start(options);
    Client slow(running_->port());
    ASSERT_TRUE(slow.send(request_text("GET", "/api/events")));
    EXPECT_THAT(slow.read_until("\r\n\r\n"), HasSubstr("200"));
    EXPECT_EQ(ask("GET", "/api/events").status, 503);
    // Events with a long label fill the buffers of a client that does not read, and then the queue.
    const std::string label(200'000, 'x');
    EXPECT_EQ(ask("POST", "/api/classes", fmt::format(R"({{"label": "{}"}})", label)).status, 200);
    int events = 0;
    while (events < 1000 && ask("GET", "/api/events").status == 503) {
        ASSERT_EQ(ask("POST", "/api/learn", lesson(arrow(), "arrow")).status, 200);
        ASSERT_EQ(ask("POST", "/api/undo").status, 200);
        events += 2;
    }
    EXPECT_LT(events, 1000) << "the slow client was never dropped";
    EXPECT_TRUE(slow.is_closed_by_server());
}

TEST_F(ServerTest, AStopFinishesWhatWasBegun) {
    start();
    Client idle(running_->port());
    Client teacher(running_->port());
    int acknowledged = 0;
    std::thread stopper;
    for (int i = 0; i < 1000; ++i) {
        if (!teacher.send(request_text("POST", "/api/learn", lesson(arrow(i % 50 + 5), "arrow")))) break;
        if (i == 10) stopper = std::thread([this] { running_->request_stop(); });
        if (teacher.reply().status != 200) break;
        ++acknowledged;
    }
    stopper.join();
    running_->stop();
    EXPECT_TRUE(idle.is_closed_by_server());
    EXPECT_GE(acknowledged, 10);
    EXPECT_LT(acknowledged, 1000) << "the stop came in between";
    const auto lessons = Model::load(folder_ / "a.sprig").facts().lessons;
    EXPECT_GE(lessons, static_cast<std::uint64_t>(acknowledged));
    EXPECT_LE(lessons, static_cast<std::uint64_t>(acknowledged) + 1);
}

} // namespace

} // namespace sprig::serve_test
