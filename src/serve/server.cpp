#include "serve/server.h"

#include <algorithm>
#include <array>
#include <thread>
#include <utility>

#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <fmt/format.h>

#include "serve/connection.h"
#include "serve/event_stream.h"
#include "serve/hub.h"
#include "serve/page.h"
#include "sprig/error.h"

namespace sprig::serve {

namespace {

constexpr std::size_t min_token = 16;
/// How often a stop is looked for.
constexpr auto stop_interval = std::chrono::milliseconds(100);
/// Clients above the limit that are told so; any more are disconnected at once.
constexpr std::size_t told_to_wait = 64;

std::size_t threads_of(const ServerOptions& options) {
    return options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
}

/// The address to listen on, if it is given.
asio::ip::address address_of(const ServerOptions& options) {
    ErrorCode error;
    asio::ip::address address = asio::ip::make_address(options.listen, error);
    if (error)
        throw usage_error(
            fmt::format("'{}' is not an IP address; use one such as 192.168.1.5, or 0.0.0.0 for "
                        "all addresses of this machine",
                        options.listen));
    return address;
}

AccessRules rules_of(const ServerOptions& options) {
    if (!options.listen.empty()) (void)address_of(options);
    AccessRules rules{.loopback_only = options.listen.empty() || is_loopback(options.listen),
                      .host_names = options.hosts,
                      .token = options.token};
    if (!rules.loopback_only && rules.token.empty())
        throw usage_error(
            fmt::format("{} can be reached from other machines, so the server needs a token; give "
                        "it in a file, with --token-file, or in the variable SPRIG_TOKEN",
                        options.listen));
    if (!rules.token.empty() && rules.token.size() < min_token)
        throw usage_error(fmt::format("the token has {} characters; for safety it needs at least {}",
                                      rules.token.size(), min_token));
    return rules;
}

} // namespace

Hub::Hub(ServedModel& model, AccessRules rules, const Limits& its_limits, std::size_t threads)
    : limits(its_limits), pool(threads),
      api(model, std::move(rules), [this](std::string event) { announce(std::move(event)); }) {}

void Hub::announce(std::string event) {
    auto text = std::make_shared<const std::string>(std::move(event));
    asio::post(io, [this, text = std::move(text)] {
        for (const auto& stream : std::set(streams)) stream->send(text); // a copy: sending may close it
    });
}

void Hub::stop() {
    stopping = true;
    for (const auto& stream : std::set(streams)) stream->close();
    for (const auto& connection : std::set(connections)) connection->stop();
    stop_if_done();
}

void Hub::stop_if_done() {
    if (stopping && connections.empty() && streams.empty()) io.stop();
}

/// Accepts clients at one address.
class Listener {
  public:
    Listener(Hub& hub, const tcp::endpoint& endpoint) : hub_(hub), acceptor_(hub.io), pause_(hub.io) {
        acceptor_.open(endpoint.protocol());
        if (endpoint.address().is_v6()) acceptor_.set_option(asio::ip::v6_only(true));
        acceptor_.set_option(asio::socket_base::reuse_address(true));
        acceptor_.bind(endpoint);
        acceptor_.listen(asio::socket_base::max_listen_connections);
    }

    [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
    void accept() {
        acceptor_.async_accept([this](ErrorCode error, tcp::socket socket) {
            if (error == asio::error::operation_aborted) return;
            if (error) { // such as too many open files
                wait_and_accept();
                return;
            }
            welcome(std::move(socket));
            accept();
        });
    }
    void close() {
        ErrorCode ignored;
        acceptor_.close(ignored);
        pause_.cancel();
    }

  private:
    void welcome(tcp::socket socket) {
        const bool has_room = hub_.has_room();
        if (!has_room && hub_.connections.size() >= hub_.limits.connections + told_to_wait) return;
        const auto connection = std::make_shared<Connection>(hub_, std::move(socket));
        if (has_room) {
            connection->start();
        } else {
            connection->refuse({503, "busy", "the server has too many connections; try again later"});
        }
    }
    void wait_and_accept() {
        pause_.expires_after(stop_interval);
        pause_.async_wait([this](ErrorCode error) {
            if (!error) accept();
        });
    }

    Hub& hub_;
    tcp::acceptor acceptor_;
    asio::steady_timer pause_;
};

struct Server::Impl {
    Impl(const std::filesystem::path& path, const ModelOptions& model_options, ServerOptions server_options)
        : options(std::move(server_options)), rules(rules_of(options)), model(path, model_options),
          hub(model, rules, options.limits, threads_of(options)), poll(hub.io) {
        listen();
    }

    void listen();
    void listen_on_loopback();
    void look_for_stop(const std::function<bool()>& should_stop);
    void begin_stop();

    ServerOptions options;
    AccessRules rules;
    ServedModel model;
    Hub hub;
    asio::steady_timer poll;
    std::vector<std::unique_ptr<Listener>> listeners;
};

void Server::Impl::listen() {
    try {
        if (options.listen.empty()) {
            listen_on_loopback();
            return;
        }
        listeners.push_back(
            std::make_unique<Listener>(hub, tcp::endpoint(address_of(options), options.port)));
    } catch (const boost::system::system_error& error) {
        throw failed(fmt::format("cannot listen on port {}: {}; choose another port with --port",
                                 options.port, error.code().message()));
    }
}

void Server::Impl::listen_on_loopback() {
    listeners.push_back(
        std::make_unique<Listener>(hub, tcp::endpoint(asio::ip::address_v4::loopback(), options.port)));
    try {
        listeners.push_back(std::make_unique<Listener>(
            hub, tcp::endpoint(asio::ip::address_v6::loopback(), listeners.front()->port())));
    } catch (const boost::system::system_error& error) {
        // Many machines have no IPv6. But another program that has the port there would get our requests.
        if (error.code() == asio::error::address_in_use) throw;
    }
}

void Server::Impl::look_for_stop(const std::function<bool()>& should_stop) {
    if (should_stop()) {
        begin_stop();
        return;
    }
    poll.expires_after(stop_interval);
    poll.async_wait([this, &should_stop](ErrorCode error) {
        if (!error) look_for_stop(should_stop);
    });
}

void Server::Impl::begin_stop() {
    for (const auto& listener : listeners) listener->close();
    poll.expires_after(options.limits.stop);
    poll.async_wait([this](ErrorCode error) {
        if (!error) hub.io.stop();
    });
    hub.stop();
}

Server::Server(const std::filesystem::path& model, const ModelOptions& model_options,
               const ServerOptions& options) {
    ModelOptions durable = model_options;
    durable.durable = true; // a lesson is on the disk before it is answered
    impl_ = std::make_unique<Impl>(model, durable, options);
}

Server::~Server() = default;

std::uint16_t Server::port() const {
    return impl_->listeners.front()->port();
}

std::string Server::url() const {
    const std::string& listen = impl_->options.listen;
    const auto address = asio::ip::make_address(listen.empty() ? "127.0.0.1" : listen);
    if (address.is_loopback() || address.is_unspecified()) return fmt::format("http://localhost:{}/", port());
    if (address.is_v4()) return fmt::format("http://{}:{}/", listen, port());
    return fmt::format("http://[{}]:{}/", listen, port());
}

ModelFacts Server::facts() const {
    return impl_->model.get()->facts();
}

void Server::run(const std::function<bool()>& should_stop) {
    const auto work = asio::make_work_guard(impl_->hub.io);
    for (const auto& listener : impl_->listeners) listener->accept();
    impl_->look_for_stop(should_stop);
    while (!impl_->hub.io.stopped()) {
        try {
            impl_->hub.io.run();
        } catch (const std::exception&) { // NOLINT(bugprone-empty-catch): no memory for one client; go on
                                          // with others
        }
    }
    for (asio::thread_pool* const threads : {&impl_->hub.changes, &impl_->hub.pool}) {
        threads->stop(); // what has not begun is not answered any more
        threads->join(); // what has begun is finished
    }
    impl_->model.close();
}

bool serves_page() {
    return has_page();
}

} // namespace sprig::serve
