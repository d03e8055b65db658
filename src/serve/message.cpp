#include "serve/message.h"

#include <optional>

#include <nlohmann/json.hpp>

namespace sprig::serve {

namespace {

std::optional<int> digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return {};
}

Refusal bad_target() {
    return {400, "bad_input",
            "the address of the request is not a path with percent escapes, such as /api/units?label=a%20b"};
}

/// Replaces %XX; in a query also + by a space.
std::string unescaped(std::string_view text, bool is_query) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            result += is_query && text[i] == '+' ? ' ' : text[i];
            continue;
        }
        const auto high = i + 2 < text.size() ? digit(text[i + 1]) : std::nullopt;
        const auto low = i + 2 < text.size() ? digit(text[i + 2]) : std::nullopt;
        if (!high || !low) throw bad_target();
        result += static_cast<char>((*high * 16) + *low);
        i += 2;
    }
    return result;
}

} // namespace

std::string lower_case(std::string_view text) {
    std::string result(text);
    for (char& c : result) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return result;
}

Reply reply_to(const Refusal& refusal) {
    const nlohmann::ordered_json json = {{"error", {{"kind", refusal.kind}, {"message", refusal.message}}}};
    Reply reply{.status = refusal.status,
                .body = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)};
    if (!refusal.allow.empty()) reply.headers.emplace_back("Allow", refusal.allow);
    if (refusal.status == 401) reply.headers.emplace_back("WWW-Authenticate", "Bearer");
    return reply;
}

Target parse_target(std::string_view target) {
    if (!target.starts_with('/')) throw bad_target();
    const std::size_t mark = target.find('?');
    Target parsed{.path = unescaped(target.substr(0, mark), false), .query = {}};
    std::string_view rest = mark == std::string_view::npos ? std::string_view() : target.substr(mark + 1);
    while (!rest.empty()) {
        const std::string_view pair = rest.substr(0, rest.find('&'));
        rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
        if (pair.empty()) continue;
        const std::size_t equals = std::min(pair.find('='), pair.size());
        parsed.query.emplace_back(unescaped(pair.substr(0, equals), true),
                                  unescaped(pair.substr(std::min(equals + 1, pair.size())), true));
    }
    return parsed;
}

} // namespace sprig::serve
