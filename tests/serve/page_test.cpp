#include "serve/page.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

// Built with the folder `page` beside this file as the page.

namespace sprig::serve_test {

namespace {

using serve::Reply;
using serve::Request;

Reply get(std::string_view path, const Request& request = {}) {
    const std::optional<Reply> reply = serve::page_reply(request, path);
    EXPECT_TRUE(reply) << path;
    return reply.value_or(Reply{.status = 404, .body = {}});
}

std::string field(const Reply& reply, const std::string& wanted) {
    for (const auto& [name, value] : reply.headers) {
        if (name == wanted) return value;
    }
    return {};
}

TEST(Page, HasEveryFileButMaps) {
    std::set<std::string_view> paths;
    std::set<std::string_view> etags;
    for (const serve::PageFile& file : serve::page_files()) {
        paths.insert(file.path);
        etags.insert(file.etag);
    }
    EXPECT_EQ(paths,
              (std::set<std::string_view>{"/index.html", "/script.js", "/empty.css", "/more/data.bin"}));
    EXPECT_EQ(etags.size(), paths.size());
    EXPECT_TRUE(serve::has_page());
}

TEST(Page, FilesAreServedAsTheyAre) {
    const Reply page = get("/");
    EXPECT_EQ(page.body, "<!DOCTYPE html><title>A page</title>\n");
    EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
    EXPECT_NE(field(page, "Content-Security-Policy").find("script-src 'self' 'wasm-unsafe-eval'"),
              std::string::npos);
    EXPECT_EQ(get("/index.html").body, page.body);
    EXPECT_EQ(get("/script.js").content_type, "text/javascript; charset=utf-8");
    EXPECT_EQ(get("/more/data.bin").body, std::string("\0\1\2\3\xff", 5));
    EXPECT_EQ(get("/more/data.bin").content_type, "application/octet-stream");
    EXPECT_EQ(get("/empty.css").body, "");
    for (const char* path :
         {"/other", "/more", "/more/", "/script.js.map", "/index.html/", "//index.html", ""})
        EXPECT_FALSE(serve::page_reply({}, path)) << path;
}

TEST(Page, IsSentCompressedIfTheClientUnderstandsIt) {
    const Reply packed = get("/script.js", {.accept_encoding = "gzip, deflate, br"});
    EXPECT_EQ(field(packed, "Content-Encoding"), "gzip");
    EXPECT_TRUE(packed.body.starts_with("\x1f\x8b"));
    EXPECT_EQ(field(packed, "Vary"), "Accept-Encoding");
    EXPECT_EQ(field(get("/script.js"), "Content-Encoding"), "");
}

TEST(Page, IsNotSentAgainIfItIsUnchanged) {
    const std::string etag = field(get("/script.js"), "ETag");
    const Reply unchanged = get("/script.js", {.if_none_match = "\"x\", " + etag});
    EXPECT_EQ(unchanged.status, 304);
    EXPECT_TRUE(unchanged.body.empty());
    EXPECT_EQ(get("/index.html", {.if_none_match = etag}).status, 200);
}

} // namespace

} // namespace sprig::serve_test
