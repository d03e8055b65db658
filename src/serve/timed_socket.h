#pragma once

#include <memory>
#include <utility>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>

#include "serve/server.h"

namespace sprig::serve {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using ErrorCode = boost::system::error_code;

/// The socket of a client, with a limit on the time that an operation takes. It is used in one thread only.
class TimedSocket : public std::enable_shared_from_this<TimedSocket> {
  public:
    explicit TimedSocket(tcp::socket socket) : socket_(std::move(socket)), timer_(socket_.get_executor()) {}
    virtual ~TimedSocket() = default;
    TimedSocket(const TimedSocket&) = delete;
    TimedSocket& operator=(const TimedSocket&) = delete;
    TimedSocket(TimedSocket&&) = delete;
    TimedSocket& operator=(TimedSocket&&) = delete;

  protected:
    [[nodiscard]] tcp::socket& socket() { return socket_; }
    /// From now on, the operations that are running must end within this time, or they are cancelled and end
    /// with an error. Replaces the limit before it.
    void limit(Limits::Time time) {
        is_late_ = false;
        ++stage_;
        cancel_after(time);
    }
    void remove_limit() {
        is_late_ = false;
        ++stage_;
        timer_.cancel();
    }
    /// Whether the limit was exceeded.
    [[nodiscard]] bool is_late() const { return is_late_; }
    void close_socket() {
        remove_limit();
        ErrorCode ignored;
        socket_.close(ignored);
    }

  private:
    void cancel_after(Limits::Time time) {
        timer_.expires_after(time);
        timer_.async_wait([weak = weak_from_this(), stage = stage_](ErrorCode error) {
            const std::shared_ptr<TimedSocket> self = weak.lock();
            if (error || self == nullptr || self->stage_ != stage) return;
            self->is_late_ = true;
            ErrorCode ignored;
            self->socket_.cancel(ignored);
            // An operation of several steps may have been between two of them, where nothing is cancelled.
            self->cancel_after(std::chrono::milliseconds(50));
        });
    }

    tcp::socket socket_;
    asio::steady_timer timer_;
    std::uint64_t stage_ = 0; ///< counts the limits, so that the timer of an earlier one has no effect
    bool is_late_ = false;
};

} // namespace sprig::serve
