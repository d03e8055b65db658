#include <memory>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "fuzz_target.h"
#include "serve/api.h"

// The request handlers of the server, without sockets. The input is one or several requests, separated by a
// line "===":
//   METHOD TARGET
//   field: value ...
//   (an empty line)
//   body

namespace {

using sprig::fuzz::require;
using sprig::serve::Api;
using sprig::serve::Reply;
using sprig::serve::Request;
using sprig::serve::ServedModel;

/// The text up to a separator, which is removed with it.
std::string take(std::string_view& rest, std::string_view separator) {
    const std::size_t end = rest.find(separator);
    const std::string text(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + separator.size());
    return text;
}

void set_field(Request& request, const std::string& name, const std::string& value) {
    if (name == "host") request.host = value;
    if (name == "origin") request.origin = value;
    if (name == "site") request.fetch_site = value;
    if (name == "token") request.authorization = value;
    if (name == "type") request.content_type = value;
    if (name == "encoding") request.accept_encoding = value;
    if (name == "match") request.if_none_match = value;
}

Request parse(std::string_view text) {
    Request request{.host = "localhost", .content_type = "application/json"};
    request.method = take(text, " ");
    request.target = take(text, "\n");
    for (std::string line = take(text, "\n"); !line.empty(); line = take(text, "\n")) {
        std::string_view field = line;
        const std::string name = take(field, ": ");
        set_field(request, name, std::string(field));
    }
    request.body = text;
    return request;
}

/// Whatever was asked: a reply of the interface is what its type says, and an error has a sentence.
void check(const Reply& reply) {
    require(reply.status == 200 || reply.status == 304 || (reply.status >= 400 && reply.status <= 415));
    if (reply.content_type != "application/json") {
        require(reply.status < 400);
        return;
    }
    const nlohmann::json json = nlohmann::json::parse(reply.body); // throws if it is not JSON
    require(json.is_object());
    if (reply.status >= 400) require(!json.at("error").at("message").get<std::string>().empty());
    require(json.contains("error") == (reply.status >= 400));
}

/// A model that a former input has not changed too much: it would grow from input to input.
std::unique_ptr<ServedModel> new_model() {
    sprig::ModelOptions options;
    options.preset = "fast";
    auto model = std::make_unique<ServedModel>(sprig::Model(options));
    model->change([](sprig::Model& it) {
        it.learn(sprig::Strokes{{{0, 0}, {9, 9}}, {{9, 0}, {0, 9}}}, "cross");
        it.learn(sprig::Strokes{{{0, 5}, {9, 5}}, {{6, 2}, {9, 5}, {6, 8}}}, "arrow");
    });
    return model;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::unique_ptr<ServedModel> model = new_model();
    std::size_t announced = 0;
    const Api api(*model, {.token = ""}, [&](const std::string& event) {
        require(event.starts_with("event: ") && event.ends_with("\n\n"));
        require(event.find("\n\n") == event.size() - 2);
        ++announced;
    });
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    for (int requests = 0; requests < 8 && !rest.empty(); ++requests) {
        const Request request = parse(take(rest, "\n===\n"));
        const std::uint64_t before = model->get()->digest();
        const std::size_t announced_before = announced;
        const Reply reply = api.answer(request);
        check(reply);
        // Nothing changes unless it is announced, and a refused request changes nothing.
        if (reply.status != 200) require(announced == announced_before);
        if (announced == announced_before) require(model->get()->digest() == before);
    }
    return 0;
}
