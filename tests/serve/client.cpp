#include "serve/client.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <stdexcept>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace sprig::serve_test {

namespace {

int connected(const sockaddr* address, socklen_t size, int family) {
    const int made = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    timeval limit{};
    limit.tv_sec = 60;
    setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(made, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    if (connect(made, address, size) != 0) {
        close(made);
        throw std::runtime_error("cannot connect to the server");
    }
    return made;
}

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

HttpReply parse_head(const std::string& head) {
    HttpReply reply;
    reply.status = std::stoi(head.substr(head.find(' ') + 1));
    std::size_t at = head.find("\r\n") + 2;
    while (at < head.size() - 2) {
        const std::size_t end = head.find("\r\n", at);
        const std::size_t colon = head.find(": ", at);
        reply.fields[lower(head.substr(at, colon - at))] = head.substr(colon + 2, end - colon - 2);
        at = end + 2;
    }
    return reply;
}

} // namespace

Client::Client(std::uint16_t port, std::string_view address) {
    if (address.find(':') != std::string_view::npos) {
        sockaddr_in6 to{};
        to.sin6_family = AF_INET6;
        to.sin6_port = htons(port);
        inet_pton(AF_INET6, std::string(address).c_str(), &to.sin6_addr);
        socket_ = connected(reinterpret_cast<const sockaddr*>(&to), sizeof to, AF_INET6);
    } else {
        sockaddr_in to{};
        to.sin_family = AF_INET;
        to.sin_port = htons(port);
        inet_pton(AF_INET, std::string(address).c_str(), &to.sin_addr);
        socket_ = connected(reinterpret_cast<const sockaddr*>(&to), sizeof to, AF_INET);
    }
}

Client::~Client() {
    close(socket_);
}

bool Client::send(std::string_view text) const {
    while (!text.empty()) {
        const ssize_t sent = ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

bool Client::receive() {
    std::array<char, 65536> buffer{};
    const ssize_t got = recv(socket_, buffer.data(), buffer.size(), 0);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        throw std::runtime_error("the server says nothing");
    if (got <= 0) return false;
    received_.append(buffer.data(), static_cast<std::size_t>(got));
    return true;
}

std::string Client::read_until(std::string_view end) {
    while (received_.find(end) == std::string::npos) {
        if (!receive()) return std::exchange(received_, {});
    }
    const std::size_t size = received_.find(end) + end.size();
    std::string result = received_.substr(0, size);
    received_.erase(0, size);
    return result;
}

HttpReply Client::reply(bool only_head) {
    const std::string head = read_until("\r\n\r\n");
    if (!head.ends_with("\r\n\r\n")) return {};
    HttpReply reply = parse_head(head);
    const auto length = reply.fields.find("content-length");
    if (only_head || length == reply.fields.end()) return reply;
    const std::size_t size = std::stoul(length->second);
    while (received_.size() < size) {
        if (!receive()) throw std::runtime_error("a reply was torn");
    }
    reply.body = received_.substr(0, size);
    received_.erase(0, size);
    return reply;
}

bool Client::is_closed_by_server() {
    while (receive()) received_.clear();
    return true;
}

void Client::stop_sending() const {
    shutdown(socket_, SHUT_WR);
}

std::string request_text(std::string_view method, std::string_view target, std::string_view body,
                         std::string_view fields) {
    std::string text = fmt::format("{} {} HTTP/1.1\r\n{}", method, target, fields);
    if (!body.empty()) {
        if (fields.find("Content-Type") == std::string_view::npos)
            text += "Content-Type: application/json\r\n";
        text += fmt::format("Content-Length: {}\r\n", body.size());
    }
    return text + "\r\n" + std::string(body);
}

HttpReply ask(std::uint16_t port, std::string_view method, std::string_view target, std::string_view body,
              std::string_view fields) {
    Client client(port);
    if (!client.send(request_text(method, target, body, fields))) return {};
    return client.reply(method == "HEAD");
}

} // namespace sprig::serve_test
