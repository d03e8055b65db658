#include "serve/event_stream.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>

namespace sprig::serve {

void EventStream::start(std::string head) {
    hub_.streams.insert(self());
    send(std::make_shared<const std::string>(std::move(head)));
    notice_end();
}

void EventStream::send(std::shared_ptr<const std::string> text) {
    if (queue_.size() >= hub_.limits.queue) {
        close();
        return;
    }
    queue_.push_back(std::move(text));
    if (queue_.size() == 1) write_next();
}

void EventStream::write_next() {
    pause_.cancel();
    limit(hub_.limits.reply);
    asio::async_write(socket(), asio::buffer(*queue_.front()), [self = self()](ErrorCode error, std::size_t) {
        self->remove_limit();
        if (error) {
            self->close();
            return;
        }
        self->queue_.pop_front();
        self->queue_.empty() ? self->wait() : self->write_next();
    });
}

/// After a while without events a comment shows that the connection is alive, or finds that it is not.
void EventStream::wait() {
    pause_.expires_after(hub_.limits.keep_alive);
    pause_.async_wait([self = self()](ErrorCode error) {
        if (error || !self->queue_.empty() || !self->socket().is_open()) return;
        self->send(std::make_shared<const std::string>(": keep-alive\n\n"));
    });
}

void EventStream::notice_end() {
    socket().async_read_some(asio::buffer(ignored_input_), [self = self()](ErrorCode error, std::size_t) {
        if (error == asio::error::operation_aborted && self->socket().is_open())
            return; // a write was too slow
        error ? self->close() : self->notice_end();
    });
}

void EventStream::close() {
    pause_.cancel();
    close_socket();
    if (hub_.streams.erase(self()) > 0) hub_.stop_if_done();
}

} // namespace sprig::serve
