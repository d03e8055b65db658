#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "serve/message.h"

namespace sprig::serve {

/// A file of the page that was in web/dist when the program was built.
struct PageFile {
    std::string_view path; ///< as in a request: /index.html
    std::string_view etag; ///< with its quotes
    std::span<const unsigned char> gzip;
};
/// All of them; none if the page was not built. `embed_page` writes the file that defines it.
[[nodiscard]] std::span<const PageFile> page_files();

/// Whether the program has the page.
[[nodiscard]] bool has_page();
/// The reply to a request for a file of the page, or for / if there is no page; nullopt if there is no such
/// file.
[[nodiscard]] std::optional<Reply> page_reply(const Request& request, std::string_view path);

} // namespace sprig::serve
