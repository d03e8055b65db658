#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "serve/message.h"

namespace sprig::serve {

/// Who may use the server.
struct AccessRules {
    bool loopback_only = true;
    /// Names of this machine that a Host field may have, besides localhost and IP addresses.
    std::vector<std::string> host_names = {};
    std::string token = {}; ///< every request to the interface must have it; empty: none is needed
};

/// Throws Refusal if the request comes from a page of another site: its Host field is a foreign name, as
/// after DNS rebinding, or its Origin is not this server.
void check_site(const Request& request, const AccessRules& rules);
/// Throws Refusal if a token is needed and the request does not have it. `query_token`: a token in the query.
void check_token(const Request& request, std::string_view query_token, const AccessRules& rules);

/// Whether an address, such as 127.0.0.1 or ::1, is reached from this machine only.
[[nodiscard]] bool is_loopback(std::string_view address);

} // namespace sprig::serve
