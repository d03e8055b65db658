#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>

#include "serve/hub.h"
#include "serve/timed_socket.h"

namespace sprig::serve {

/// The connection of a client: reads a request, has it answered, sends the reply, and so on.
class Connection : public TimedSocket {
  public:
    Connection(Hub& hub, tcp::socket socket) : TimedSocket(std::move(socket)), hub_(hub) {}

    /// Waits for requests.
    void start();
    /// Sends an error and closes.
    void refuse(const Refusal& refusal);
    /// Closes, after the request that is being answered.
    void stop();

  private:
    enum class After : bool { close, next_request };

    [[nodiscard]] std::shared_ptr<Connection> self() {
        return std::static_pointer_cast<Connection>(shared_from_this());
    }
    void wait_for_request();
    void read_head();
    void take_head(ErrorCode error);
    void admit();
    void refuse_unread(ErrorCode error);
    void read_body();
    void take_body(ErrorCode error);
    void answer();
    void send(Reply reply, After after);
    void write(bool only_head, After after);
    void become_stream(const Reply& reply);
    void linger();
    void discard_input();
    void release_body();
    void close();

    Hub& hub_;
    boost::beast::flat_buffer buffer_;
    std::optional<boost::beast::http::request_parser<boost::beast::http::string_body>> parser_;
    std::optional<boost::beast::http::response<boost::beast::http::string_body>> response_;
    std::optional<boost::beast::http::response_serializer<boost::beast::http::string_body>> serializer_;
    Request request_;
    Work work_ = Work::read;
    std::size_t body_bytes_ = 0; ///< of this request, as counted in the hub
    bool is_busy_ = false;       ///< has a complete request, or sends a reply
};

} // namespace sprig::serve
