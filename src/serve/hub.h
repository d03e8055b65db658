#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>

#include "serve/api.h"
#include "serve/server.h"

namespace sprig::serve {

class Connection;
class EventStream;

/// What the connections of a server share. One thread reads and writes all sockets and has everything here to
/// itself; it hands requests to the threads of a pool, which answer them.
struct Hub {
    Hub(ServedModel& model, AccessRules rules, const Limits& its_limits, std::size_t threads);

    /// Sends an event to all streams. Any thread may call it.
    void announce(std::string event);
    /// Whether one more client is welcome.
    [[nodiscard]] bool has_room() const { return connections.size() + streams.size() < limits.connections; }
    /// Closes what is idle, and the rest as soon as its request is answered.
    void stop();
    /// Called when a connection is gone.
    void stop_if_done();

    Limits limits;
    boost::asio::io_context io{1};
    boost::asio::thread_pool pool;       ///< for requests that read the model
    boost::asio::thread_pool changes{1}; ///< for those that change it: they do not wait for the others
    Api api;
    std::set<std::shared_ptr<Connection>> connections;
    std::set<std::shared_ptr<EventStream>> streams;
    std::size_t body_bytes = 0; ///< of requests that are being read or answered
    bool stopping = false;
};

} // namespace sprig::serve
