#include "serve/server.h"
#include "sprig/error.h"

// Instead of the server, in a program that is built without Boost.

namespace sprig::serve {

struct Server::Impl {};

Server::Server(const std::filesystem::path& /*model*/, const ModelOptions& /*model_options*/,
               const ServerOptions& /*options*/) {
    throw usage_error(
        "this program was built without the server; install Boost (Debian: libboost1.81-dev) and "
        "build it again, with -DSPRIG_BUILD_SERVE=ON");
}
Server::~Server() = default;

std::uint16_t Server::port() const {
    return 0;
}

std::string Server::url() const {
    return {};
}

ModelFacts Server::facts() const {
    return {};
}

void Server::run(const std::function<bool()>& /*should_stop*/) {}

bool serves_page() {
    return false;
}

} // namespace sprig::serve
