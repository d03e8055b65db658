#include "serve/connection.h"

#include <sstream>
#include <string_view>
#include <utility>

#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <fmt/format.h>

#include "serve/event_stream.h"
#include "sprig/version.h"

namespace sprig::serve {

namespace beast = boost::beast;
namespace http = boost::beast::http;

namespace {

using Head = http::request_header<>;
using Response = http::response<http::string_body>;

/// How long what a refused client still sends is read.
constexpr Limits::Time lingering = std::chrono::seconds(2);

std::string text_of(beast::string_view text) {
    return {text.data(), text.size()};
}

Request request_of(const Head& head) {
    return {.method = text_of(head.method_string()),
            .target = text_of(head.target()),
            .host = text_of(head[http::field::host]),
            .origin = text_of(head[http::field::origin]),
            .fetch_site = text_of(head["Sec-Fetch-Site"]),
            .authorization = text_of(head[http::field::authorization]),
            .content_type = text_of(head[http::field::content_type]),
            .accept_encoding = text_of(head[http::field::accept_encoding]),
            .if_none_match = text_of(head[http::field::if_none_match]),
            .body = {}};
}

/// A second Host field could be the one that a proxy has looked at.
void check_repeated_fields(const Head& head) {
    for (const http::field name : {http::field::host, http::field::origin, http::field::authorization}) {
        if (head.count(name) > 1)
            throw Refusal{400, "bad_input",
                          "the request has the same header field twice: Host, Origin or "
                          "Authorization"};
    }
}

Refusal too_large(const Limits& limits) {
    return {
        413, "too_large",
        fmt::format("the body of the request is larger than {} MB; send smaller pictures, or fewer at once",
                    limits.body_size >> 20U)};
}

Refusal busy() {
    return {503, "busy", "the server has too many streams or large requests at once; try again later"};
}

Refusal too_slow(const char* what, Limits::Time time) {
    return {408, "timeout",
            fmt::format("the {} of the request did not arrive within {} s", what,
                        std::chrono::duration_cast<std::chrono::seconds>(time).count())};
}

/// What every reply says: it is what its type says, is not stored unless it allows it, and no page of another
/// site may show or load it.
void set_common_fields(Response& response) {
    response.set(http::field::server, "sprig/" SPRIG_VERSION);
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Referrer-Policy", "no-referrer");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    response.set("Cross-Origin-Opener-Policy", "same-origin");
    response.set("X-Frame-Options", "DENY");
    response.set("Cache-Control", "no-store");
    response.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
}

Response response_of(const Reply& reply) {
    Response response;
    response.version(11);
    response.result(static_cast<unsigned>(reply.status));
    set_common_fields(response);
    if (reply.status != 304) response.set(http::field::content_type, reply.content_type);
    for (const auto& [name, value] : reply.headers) response.set(name, value);
    return response;
}

/// Also if memory runs out.
Reply answer_without_throwing(const Api& api, const Request& request) noexcept {
    try {
        return api.answer(request);
    } catch (...) {
        return {.status = 500, .content_type = {}, .body = {}};
    }
}

} // namespace

void Connection::start() {
    ErrorCode ignored;
    socket().set_option(tcp::no_delay(true), ignored);
    hub_.connections.insert(self());
    wait_for_request();
}

void Connection::refuse(const Refusal& refusal) {
    hub_.connections.insert(self());
    send(reply_to(refusal), After::close);
}

void Connection::stop() {
    if (!is_busy_) close();
}

void Connection::wait_for_request() {
    is_busy_ = false;
    if (hub_.stopping) {
        close();
        return;
    }
    request_ = {};
    parser_.emplace();
    parser_->header_limit(static_cast<std::uint32_t>(hub_.limits.head_size));
    parser_->body_limit(hub_.limits.body_size);
    if (buffer_.size() > 0) { // the client did not wait for the last reply
        read_head();
        return;
    }
    limit(hub_.limits.idle);
    socket().async_read_some(buffer_.prepare(4096), [self = self()](ErrorCode error, std::size_t size) {
        if (error) {
            self->close();
            return;
        }
        self->buffer_.commit(size);
        self->read_head();
    });
}

void Connection::read_head() {
    limit(hub_.limits.head);
    http::async_read_header(socket(), buffer_, *parser_,
                            [self = self()](ErrorCode error, std::size_t) { self->take_head(error); });
}

void Connection::take_head(ErrorCode error) {
    const bool was_late = is_late();
    remove_limit();
    is_busy_ = true;
    if (error) {
        was_late ? send(reply_to(too_slow("head", hub_.limits.head)), After::close) : refuse_unread(error);
        return;
    }
    try {
        admit();
    } catch (const Refusal& refusal) {
        send(reply_to(refusal), After::close);
        return;
    }
    is_busy_ = false;
    read_body();
}

/// Checks what can be checked without the body.
void Connection::admit() {
    const Head& head = parser_->get();
    check_repeated_fields(head);
    request_ = request_of(head);
    work_ = hub_.api.admit(request_);
    if (parser_->chunked())
        throw Refusal{411, "bad_input", "the request does not say how long its body is; send Content-Length"};
    const std::size_t size =
        parser_->content_length() ? static_cast<std::size_t>(*parser_->content_length()) : 0;
    const bool no_room = size > hub_.limits.all_bodies - hub_.body_bytes;
    if (no_room || (work_ == Work::events && hub_.streams.size() >= hub_.limits.streams)) throw busy();
    body_bytes_ = size;
    hub_.body_bytes += size;
}

/// After an error of the connection or of the parser.
void Connection::refuse_unread(ErrorCode error) {
    if (error == http::error::body_limit) {
        send(reply_to(too_large(hub_.limits)), After::close);
    } else if (error == http::error::header_limit || error == http::error::buffer_overflow) {
        send(reply_to(
                 {431, "too_large",
                  fmt::format("the head of the request is larger than {} KB", hub_.limits.head_size >> 10U)}),
             After::close);
    } else if (error.category() == make_error_code(http::error::bad_version).category() &&
               error != http::error::end_of_stream && error != http::error::partial_message) {
        send(reply_to({400, "bad_input", fmt::format("the request is not HTTP: {}", error.message())}),
             After::close);
    } else {
        close();
    }
}

void Connection::read_body() {
    limit(hub_.limits.body);
    if (beast::iequals(parser_->get()[http::field::expect], "100-continue") && !parser_->is_done()) {
        static constexpr std::string_view go_on = "HTTP/1.1 100 Continue\r\n\r\n";
        asio::async_write(socket(), asio::buffer(go_on), [self = self()](ErrorCode error, std::size_t) {
            if (error) {
                self->close();
                return;
            }
            http::async_read(self->socket(), self->buffer_, *self->parser_,
                             [self](ErrorCode read_error, std::size_t) { self->take_body(read_error); });
        });
        return;
    }
    http::async_read(socket(), buffer_, *parser_,
                     [self = self()](ErrorCode error, std::size_t) { self->take_body(error); });
}

void Connection::take_body(ErrorCode error) {
    const bool was_late = is_late();
    remove_limit();
    if (!error && !hub_.stopping) {
        is_busy_ = true;
        request_.body = std::move(parser_->get().body());
        answer();
        return;
    }
    is_busy_ = true;
    was_late ? send(reply_to(too_slow("body", hub_.limits.body)), After::close) : refuse_unread(error);
}

void Connection::answer() {
    // The last reference to this connection must go in the thread of the sockets, so it is moved back there.
    auto work = [self = self()]() mutable {
        Reply reply = answer_without_throwing(self->hub_.api, self->request_);
        asio::io_context& io = self->hub_.io;
        asio::post(io, [self = std::move(self), reply = std::move(reply)]() mutable {
            self->release_body();
            if (self->work_ == Work::events && reply.status == 200 && self->request_.method == "GET") {
                self->become_stream(reply);
                return;
            }
            const bool keep = self->parser_->keep_alive() && !self->hub_.stopping;
            self->send(std::move(reply), keep ? After::next_request : After::close);
        });
    };
    asio::post(work_ == Work::read ? hub_.pool : hub_.changes, std::move(work));
}

void Connection::send(Reply reply, After after) {
    is_busy_ = true;
    release_body();
    response_.emplace(response_of(reply));
    response_->body() = std::move(reply.body);
    response_->keep_alive(after == After::next_request);
    response_->prepare_payload();
    if (reply.status == 304) response_->erase(http::field::content_length);
    write(request_.method == "HEAD", after);
}

void Connection::write(bool only_head, After after) {
    limit(hub_.limits.reply);
    serializer_.emplace(*response_);
    auto written = [self = self(), after](ErrorCode error, std::size_t) {
        self->remove_limit();
        if (error) {
            self->close();
        } else {
            after == After::next_request ? self->wait_for_request() : self->linger();
        }
    };
    if (only_head) {
        http::async_write_header(socket(), *serializer_, std::move(written));
    } else {
        http::async_write(socket(), *serializer_, std::move(written));
    }
}

void Connection::become_stream(const Reply& reply) {
    if (hub_.streams.size() >= hub_.limits.streams) { // others were faster
        send(reply_to(busy()), After::close);
        return;
    }
    Response response = response_of(reply);
    response.keep_alive(false); // its end is the end of the connection
    std::ostringstream head;
    head << response.base();
    const std::shared_ptr<Connection> last = self();
    hub_.connections.erase(last);
    std::make_shared<EventStream>(hub_, std::move(socket()))->start(std::move(head).str() + reply.body);
}

/// Tells the client that this was all, and reads what it still sends: closing at once would discard the
/// reply.
void Connection::linger() {
    if (hub_.stopping) {
        close();
        return;
    }
    is_busy_ = false;
    ErrorCode ignored;
    socket().shutdown(tcp::socket::shutdown_send, ignored);
    limit(lingering);
    discard_input();
}

void Connection::discard_input() {
    buffer_.clear();
    socket().async_read_some(buffer_.prepare(16384), [self = self()](ErrorCode error, std::size_t) {
        error ? self->close() : self->discard_input();
    });
}

void Connection::release_body() {
    hub_.body_bytes -= std::exchange(body_bytes_, 0);
    request_.body = {};
}

void Connection::close() {
    release_body();
    close_socket();
    if (hub_.connections.erase(self()) > 0) hub_.stop_if_done();
}

} // namespace sprig::serve
