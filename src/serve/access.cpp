#include "serve/access.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace sprig::serve {

namespace {

bool is_number(std::string_view text, std::size_t most_digits) {
    return !text.empty() && text.size() <= most_digits &&
           std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// The name or address in a Host field, without the port and the brackets of IPv6; empty if it is malformed.
std::string name_in(std::string_view host) {
    const bool is_bracketed = host.starts_with('[');
    const std::size_t end = is_bracketed ? host.find(']') : host.find(':');
    if (is_bracketed && end == std::string_view::npos) return {};
    const std::string_view port = host.substr(std::min(host.size(), is_bracketed ? end + 1 : end));
    if (!port.empty() && (port.front() != ':' || !is_number(port.substr(1), 5))) return {};
    return lower_case(is_bracketed ? host.substr(1, end - 1) : host.substr(0, end));
}

bool is_ipv4(std::string_view text) {
    for (int part = 0; part < 3; ++part) {
        const std::size_t dot = text.find('.');
        if (dot == std::string_view::npos || !is_number(text.substr(0, dot), 3)) return false;
        text.remove_prefix(dot + 1);
    }
    return is_number(text, 3);
}

/// Only IPv6 addresses have colons. They need no closer look, because names have none.
bool is_ip_address(std::string_view name) {
    return is_ipv4(name) || name.find(':') != std::string_view::npos;
}

bool is_own_name(const std::string& name, const AccessRules& rules) {
    if (name.empty()) return false;
    if (name == "localhost" || is_loopback(name)) return true;
    // An address cannot be rebound: only names can.
    if (!rules.loopback_only && is_ip_address(name)) return true;
    return std::ranges::any_of(rules.host_names,
                               [&](const std::string& own) { return lower_case(own) == name; });
}

/// Takes the same time wherever the texts differ, so that the time does not reveal the token.
bool is_equal_in_constant_time(std::string_view given, std::string_view expected) {
    volatile unsigned difference = given.size() == expected.size() ? 0U : 1U;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const auto a = static_cast<unsigned char>(given[i]);
        const auto b = static_cast<unsigned char>(expected[i % expected.size()]);
        difference = difference | static_cast<unsigned>(a ^ b);
    }
    return difference == 0;
}

} // namespace

bool is_loopback(std::string_view address) {
    return address == "::1" || (is_ipv4(address) && address.starts_with("127."));
}

void check_site(const Request& request, const AccessRules& rules) {
    if (!is_own_name(name_in(request.host), rules)) {
        throw Refusal{403, "forbidden",
                      fmt::format("the request is for the host '{}', which is not a name of this server; use "
                                  "localhost, or allow the name with --host",
                                  request.host)};
    }
    // The scheme is http: with TLS in front of this server, the proxy forwards its Host field.
    const std::string host = lower_case(request.host);
    const std::array<std::string, 2> own = {"http://" + host, "https://" + host};
    if (!request.origin.empty() && std::ranges::find(own, lower_case(request.origin)) == own.end()) {
        throw Refusal{
            403, "forbidden",
            fmt::format("the request comes from a page of '{}'; only pages of this server may use it",
                        request.origin)};
    }
    // Pages of other sites can also make requests without an Origin, such as for a picture.
    if (request.fetch_site == "cross-site" && request.target.starts_with("/api/"))
        throw Refusal{403, "forbidden",
                      "the request comes from a page of another site; only pages of this server may use it"};
}

void check_token(const Request& request, std::string_view query_token, const AccessRules& rules) {
    if (rules.token.empty()) return;
    constexpr std::string_view scheme = "bearer ";
    const std::string_view field = request.authorization;
    const bool is_bearer =
        field.size() > scheme.size() && lower_case(field.substr(0, scheme.size())) == scheme;
    const std::string_view given = is_bearer ? field.substr(scheme.size()) : query_token;
    if (is_equal_in_constant_time(given, rules.token)) return;
    throw Refusal{401, "unauthorized",
                  "the request needs the server's token, in the header field 'Authorization: Bearer TOKEN'"};
}

} // namespace sprig::serve
