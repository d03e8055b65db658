#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "serve/client.h"
#include "serve/server.h"
#include "support/temp_folder.h"

namespace sprig::serve_test {

using Json = nlohmann::ordered_json;

/// A server on a free port, in a thread of its own.
class RunningServer {
  public:
    explicit RunningServer(const std::filesystem::path& model, const serve::ServerOptions& options = {})
        : server_(model, {}, options), thread_([this] { server_.run([this] { return stop_.load(); }); }) {}
    ~RunningServer() { stop(); }
    RunningServer(const RunningServer&) = delete;
    RunningServer& operator=(const RunningServer&) = delete;
    RunningServer(RunningServer&&) = delete;
    RunningServer& operator=(RunningServer&&) = delete;

    [[nodiscard]] std::uint16_t port() const { return server_.port(); }
    [[nodiscard]] const serve::Server& server() const { return server_; }
    /// Requests a stop, without waiting for it.
    void request_stop() { stop_ = true; }
    void stop() {
        stop_ = true;
        if (thread_.joinable()) thread_.join();
    }

  private:
    serve::Server server_;
    std::atomic<bool> stop_ = false;
    std::thread thread_;
};

// Drawings that a model tells apart after one lesson of each. `size` makes them different from each other.
[[nodiscard]] inline std::string arrow(int size = 9) {
    return fmt::format("[[[0,5],[{0},5]],[[{1},2],[{0},5],[{1},8]]]", size, size - 3);
}
[[nodiscard]] inline std::string cross(int size = 9) {
    return fmt::format("[[[0,0],[{0},{0}]],[[{0},0],[0,{0}]]]", size);
}
[[nodiscard]] inline std::string check_mark(int size = 9) {
    return fmt::format("[[[0,6],[3,{0}],[{0},0]]]", size);
}

/// The body of a request with a drawing; `more`: further keys.
[[nodiscard]] inline std::string drawing(const std::string& strokes, const std::string& more = "") {
    return fmt::format("{{\"strokes\": {}{}{}}}", strokes, more.empty() ? "" : ", ", more);
}
[[nodiscard]] inline std::string lesson(const std::string& strokes, std::string_view label) {
    return drawing(strokes, fmt::format("\"label\": \"{}\"", label));
}

/// The sentence of an error's body; empty if the body is not the JSON of an error.
[[nodiscard]] inline std::string sentence_of(const HttpReply& reply) {
    const Json json = Json::parse(reply.body, nullptr, false);
    if (!json.is_object() || json.size() != 1 || !json.contains("error")) return {};
    const Json& error = json.at("error");
    return error.contains("kind") && error.contains("message") ? error.at("message").get<std::string>() : "";
}

} // namespace sprig::serve_test
