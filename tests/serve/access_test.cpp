#include "serve/access.h"

#include <gtest/gtest.h>

namespace sprig::serve_test {

namespace {

using serve::AccessRules;
using serve::Refusal;
using serve::Request;

int status_of_site(const Request& request, const AccessRules& rules) {
    try {
        serve::check_site(request, rules);
        return 200;
    } catch (const Refusal& refusal) {
        EXPECT_FALSE(refusal.message.empty());
        return refusal.status;
    }
}

int status_of_host(const std::string& host, const AccessRules& rules = {}) {
    return status_of_site({.target = "/api/model", .host = host}, rules);
}

TEST(Access, OnTheLoopbackOnlyItsNamesAreHosts) {
    for (const char* own : {"localhost", "localhost:8642", "LocalHost:1", "127.0.0.1", "127.0.0.1:8642",
                            "127.1.2.3", "[::1]", "[::1]:8642"})
        EXPECT_EQ(status_of_host(own), 200) << own;
    for (const char* foreign : {"",
                                ":",
                                ":80",
                                "example.com",
                                "localhost.example.com",
                                "127.0.0.1.example.com",
                                "127.0.0",
                                "127.0.0.1.1",
                                "127.0.0.",
                                "127..0.1",
                                "localhost:port",
                                "localhost:123456",
                                "localhost:",
                                "localhost:80:80",
                                "[::1",
                                "[::2]",
                                "[::1]x",
                                "::1",
                                "10.0.0.1",
                                "127.0.0.1:80@example.com",
                                "localhost localhost",
                                "127.a.0.1",
                                "1127.0.0.1"})
        EXPECT_EQ(status_of_host(foreign), 403) << foreign;
}

TEST(Access, ElsewhereAddressesAndGivenNamesAreHosts) {
    const AccessRules rules{.loopback_only = false, .host_names = {"Box.lan"}, .token = "t"};
    for (const char* own : {"localhost:1", "10.0.0.1:8642", "[fe80::1]:8642", "box.lan", "BOX.LAN:8642"})
        EXPECT_EQ(status_of_host(own, rules), 200) << own;
    for (const char* foreign : {"example.com", "box.lan.example.com", "box", "10.0.0", ""})
        EXPECT_EQ(status_of_host(foreign, rules), 403) << foreign;
}

TEST(Access, OnlyPagesOfTheSameServerMayAsk) {
    const auto status = [](const std::string& origin, const std::string& fetch_site = "") {
        return status_of_site(
            {.target = "/api/model", .host = "localhost:8642", .origin = origin, .fetch_site = fetch_site},
            {});
    };
    EXPECT_EQ(status(""), 200);
    EXPECT_EQ(status("http://localhost:8642"), 200);
    EXPECT_EQ(status("https://LOCALHOST:8642"), 200);
    EXPECT_EQ(status("", "same-origin"), 200);
    EXPECT_EQ(status("", "none"), 200);
    for (const char* origin : {"null", "http://localhost", "http://localhost:3000", "http://127.0.0.1:8642",
                               "http://example.com", "ftp://localhost:8642", "localhost:8642"})
        EXPECT_EQ(status(origin), 403) << origin;
    EXPECT_EQ(status("", "cross-site"), 403);
    EXPECT_EQ(status_of_site({.target = "/", .host = "localhost", .fetch_site = "cross-site"}, {}), 200)
        << "a link to the page";
}

TEST(Access, TokenMustBeEqual) {
    const AccessRules rules{.token = "0123456789abcdef"};
    const auto status = [&](const std::string& authorization, std::string_view in_query = "") {
        try {
            serve::check_token({.authorization = authorization}, in_query, rules);
            return 200;
        } catch (const Refusal& refusal) {
            return refusal.status;
        }
    };
    EXPECT_EQ(status("Bearer 0123456789abcdef"), 200);
    EXPECT_EQ(status("bearer 0123456789abcdef"), 200);
    EXPECT_EQ(status("", "0123456789abcdef"), 200);
    for (const char* wrong : {"", "Bearer", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdeg",
                              "Bearer 0123456789abcdef0123456789abcdef", "Basic 0123456789abcdef",
                              "0123456789abcdef", "Bearer  0123456789abcdef"})
        EXPECT_EQ(status(wrong), 401) << wrong;
    EXPECT_EQ(status("Bearer wrong", "0123456789abcdef"), 401) << "the header field is what counts";
}

TEST(Access, LoopbackAddresses) {
    for (const char* address : {"127.0.0.1", "127.255.0.3", "::1"})
        EXPECT_TRUE(serve::is_loopback(address)) << address;
    for (const char* address : {"", "localhost", "127.1", "128.0.0.1", "0.0.0.0", "::", "::2", "127.0.0.1x"})
        EXPECT_FALSE(serve::is_loopback(address)) << address;
}

TEST(Target, IsTakenApart) {
    const serve::Target target = serve::parse_target("/api/units?label=a%20b+c%2B%c3%A9&x&=y");
    EXPECT_EQ(target.path, "/api/units");
    const std::vector<std::pair<std::string, std::string>> query = {
        {"label", "a b c+\xc3\xa9"}, {"x", ""}, {"", "y"}};
    EXPECT_EQ(target.query, query);
    EXPECT_EQ(serve::parse_target("/a%2fb+c").path, "/a/b+c");
    EXPECT_TRUE(serve::parse_target("/?").query.empty());
    for (const char* wrong : {"", "x", "*", "http://localhost/", "/%", "/%2", "/%zz", "/?a=%f", "?a=b"})
        EXPECT_THROW((void)serve::parse_target(wrong), Refusal) << wrong;
}

} // namespace

} // namespace sprig::serve_test
