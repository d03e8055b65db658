#pragma once

#include <array>
#include <deque>
#include <memory>
#include <string>

#include "serve/hub.h"
#include "serve/timed_socket.h"

namespace sprig::serve {

/// A connection that reports changes as server-sent events. A client that does not keep up is disconnected;
/// it connects again and begins with the model as it is then.
class EventStream : public TimedSocket {
  public:
    EventStream(Hub& hub, tcp::socket socket) : TimedSocket(std::move(socket)), hub_(hub), pause_(hub.io) {}

    /// `head`: of the reply, and the first events.
    void start(std::string head);
    void send(std::shared_ptr<const std::string> text);
    void close();

  private:
    [[nodiscard]] std::shared_ptr<EventStream> self() {
        return std::static_pointer_cast<EventStream>(shared_from_this());
    }
    void write_next();
    void wait();
    void notice_end();

    Hub& hub_;
    asio::steady_timer pause_;
    std::deque<std::shared_ptr<const std::string>> queue_; ///< the first one is being written
    std::array<char, 256> ignored_input_{};
};

} // namespace sprig::serve
