#include "serve/page.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "data/gzip.h"

namespace sprig::serve {

namespace {

constexpr std::string_view no_page = R"(<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Sprig</title>
<p>This is the server of Sprig. It was built without its page, so it has the interface only:
<a href="/api/model">the model</a>, <a href="/api/drawing">a drawing of it</a> and
<a href="/api/openapi.json">the description of the interface</a>.
<p>To build the page, run <code>make page</code> in the source folder of Sprig, and then <code>make build</code>.
</html>
)";

/// What the page may do: load its own files, run its own WebAssembly, and talk to this server.
constexpr std::string_view page_policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'; "
    "img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; font-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

std::string_view type_of(std::string_view path) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 11> types = {{
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".mjs", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".json", "application/json"},
        {".webmanifest", "application/manifest+json"},
        {".wasm", "application/wasm"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".ico", "image/vnd.microsoft.icon"},
        {".txt", "text/plain; charset=utf-8"},
    }};
    const auto* const found =
        std::ranges::find_if(types, [&](const auto& t) { return path.ends_with(t.first); });
    return found == types.end() ? "application/octet-stream" : found->second;
}

std::string unpacked(std::span<const unsigned char> gzip) {
    constexpr std::size_t step = 1U << 16U;
    data_detail::Inflater inflater(gzip, data_detail::Inflater::Format::gzip, "a file of the page");
    data_detail::Bytes bytes;
    while (!inflater.at_end()) inflater.read(bytes, step);
    return {bytes.begin(), bytes.end()};
}

Reply file_reply(const Request& request, const PageFile& file) {
    Reply reply{.content_type = std::string(type_of(file.path)), .body = {}};
    // The names of the files stay the same in a new version, so browsers ask each time.
    reply.headers = {{"ETag", std::string(file.etag)},
                     {"Cache-Control", "no-cache"},
                     {"Vary", "Accept-Encoding"},
                     {"Content-Security-Policy", std::string(page_policy)}};
    if (request.if_none_match.find(file.etag) != std::string::npos) {
        reply.status = 304;
    } else if (request.accept_encoding.find("gzip") != std::string::npos) {
        reply.headers.emplace_back("Content-Encoding", "gzip");
        reply.body.assign(file.gzip.begin(), file.gzip.end());
    } else {
        reply.body = unpacked(file.gzip);
    }
    return reply;
}

} // namespace

bool has_page() {
    return !page_files().empty();
}

std::optional<Reply> page_reply(const Request& request, std::string_view path) {
    if (path == "/") path = "/index.html";
    const std::span<const PageFile> files = page_files();
    const auto found = std::ranges::find(files, path, &PageFile::path);
    if (found != files.end()) return file_reply(request, *found);
    if (path != "/index.html") return {};
    return Reply{
        .content_type = "text/html; charset=utf-8",
        .body = std::string(no_page),
        .headers = {{"Cache-Control", "no-cache"}, {"Content-Security-Policy", "default-src 'none'"}}};
}

} // namespace sprig::serve
