#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace sprig::serve_test {

/// A reply as a client sees it.
struct HttpReply {
    int status = 0;                            ///< 0: the server closed the connection without a reply
    std::map<std::string, std::string> fields; ///< names in lower case
    std::string body;
};

/// A connection to a server on this machine. It knows as little of HTTP as the tests need, so that they can
/// also send what is wrong. Everything fails the test after a minute.
class Client {
  public:
    explicit Client(std::uint16_t port, std::string_view address = "127.0.0.1");
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    Client(Client&&) = delete;
    Client& operator=(Client&&) = delete;

    /// Returns false if the server has closed the connection.
    bool send(std::string_view text) const;
    /// `head`: the reply has no body, whatever its Content-Length says.
    [[nodiscard]] HttpReply reply(bool only_head = false);
    /// What arrives until `end` was seen; less if the connection is closed.
    [[nodiscard]] std::string read_until(std::string_view end);
    /// Whether the server closes the connection within a minute; what arrives before is ignored.
    [[nodiscard]] bool is_closed_by_server();
    void stop_sending() const;

  private:
    [[nodiscard]] bool receive();

    int socket_ = -1;
    std::string received_; ///< and not used yet
};

/// The text of a request. `fields`: further lines, each with its line end.
[[nodiscard]] std::string request_text(std::string_view method, std::string_view target,
                                       std::string_view body = "",
                                       std::string_view fields = "Host: localhost\r\n");
/// Sends one request on a connection of its own.
[[nodiscard]] HttpReply ask(std::uint16_t port, std::string_view method, std::string_view target,
                            std::string_view body = "", std::string_view fields = "Host: localhost\r\n");

} // namespace sprig::serve_test
