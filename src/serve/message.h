#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sprig::serve {

/// An HTTP request, with the header fields that matter here. Fields that were not sent are empty.
struct Request {
    std::string method = {};
    std::string target = {}; ///< the path and the query, as sent
    std::string host = {};
    std::string origin = {};
    std::string fetch_site = {}; ///< Sec-Fetch-Site
    std::string authorization = {};
    std::string content_type = {};
    std::string accept_encoding = {};
    std::string if_none_match = {};
    std::string body = {};
};

struct Reply {
    int status = 200;
    std::string content_type = "application/json";
    std::string body;
    std::vector<std::pair<std::string, std::string>> headers = {}; ///< further header fields
};

/// A request that is refused: the status of the reply, and the error that it carries.
struct Refusal {
    int status = 400;
    std::string kind; ///< "bad_input", "usage", "failed", "forbidden", ...
    std::string message;
    std::string allow = {}; ///< the methods that the path has, for status 405
};

/// The reply to a refused request: {"error":{"kind":...,"message":...}}.
[[nodiscard]] Reply reply_to(const Refusal& refusal);

/// A text with its ASCII letters in lower case.
[[nodiscard]] std::string lower_case(std::string_view text);

/// A request's target, taken apart.
struct Target {
    std::string path; ///< without escapes
    std::vector<std::pair<std::string, std::string>> query;
};
/// Throws Refusal if the target is not a path with a query.
[[nodiscard]] Target parse_target(std::string_view target);

} // namespace sprig::serve
