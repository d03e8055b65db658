#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sprig/model.h"

namespace sprig::serve {

/// What a client may use. A client that exceeds a time is disconnected.
struct Limits {
    using Time = std::chrono::milliseconds;
    Time idle = std::chrono::seconds(75);       ///< between two requests
    Time head = std::chrono::seconds(10);       ///< for sending the head of a request
    Time body = std::chrono::seconds(30);       ///< for sending the body
    Time reply = std::chrono::seconds(30);      ///< for receiving the reply, or an event
    Time keep_alive = std::chrono::seconds(15); ///< between two comments in a stream of events
    Time stop = std::chrono::seconds(10); ///< for requests that are being answered when the server stops
    std::size_t head_size = 16U << 10U;
    std::size_t body_size = 8U << 20U;
    std::size_t all_bodies = 128U << 20U; ///< of requests that are being read or answered
    std::size_t connections = 512;
    std::size_t streams = 32; ///< connections that are streams of events
    std::size_t queue = 64;   ///< events that wait for a slow client
};

struct ServerOptions {
    std::string listen = {};             ///< an IP address; empty: 127.0.0.1 and ::1
    std::uint16_t port = 0;              ///< 0: any free port
    std::vector<std::string> hosts = {}; ///< further names of this machine that requests may use
    std::string token = {};  ///< every request to the interface must have it; empty: none is needed
    std::size_t threads = 0; ///< that answer requests; 0: one per core
    Limits limits = {};
};

/// HTTP on a model. docs/server.md describes the interface.
class Server {
  public:
    /// Opens or creates the model file and listens. Throws as `Model::open`, and Error(usage) if an option is
    /// wrong, Error(failed) if the port is taken.
    Server(const std::filesystem::path& model, const ModelOptions& model_options,
           const ServerOptions& options);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    Server(Server&&) = delete;
    Server& operator=(Server&&) = delete;

    [[nodiscard]] std::uint16_t port() const;
    /// The address of the page, without the token.
    [[nodiscard]] std::string url() const;
    [[nodiscard]] ModelFacts facts() const;

    /// Answers requests until `should_stop`, which is called a few times a second, returns true. Then
    /// finishes the requests that are being answered and closes the file. Throws Error(failed) if that fails;
    /// no lesson is lost.
    void run(const std::function<bool()>& should_stop);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Whether the server has the page.
[[nodiscard]] bool serves_page();

} // namespace sprig::serve
