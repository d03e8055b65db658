#include "serve/api.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "data/files.h"
#include "serve/page.h"
#include "service/service.h"
#include "sprig/error.h"

namespace sprig::serve {

namespace {

using service::Json;

/// A request for more answers at once would keep a thread busy for long.
constexpr std::size_t max_samples = 1000;

constexpr std::string_view temporary_prefix = "sprig-serve-";

constexpr std::array all_routes = {
    Route{"GET", "/api/model", Work::read, "", &Api::model},
    Route{"GET", "/api/model/bytes", Work::read, "", &Api::model_bytes},
    Route{"GET", "/api/model/file", Work::read, "", &Api::model_file},
    Route{"GET", "/api/units", Work::read, "label", &Api::units},
    Route{"GET", "/api/drawing", Work::read, "", &Api::drawing},
    Route{"GET", "/api/events", Work::events, "token", &Api::event_stream},
    Route{"GET", "/api/events/log", Work::read, "", &Api::event_log},
    Route{"GET", "/api/openapi.json", Work::read, "", &Api::openapi},
    Route{"POST", "/api/predict", Work::read, "", &Api::predict},
    Route{"POST", "/api/explain", Work::read, "", &Api::explain},
    Route{"POST", "/api/learn", Work::change, "", &Api::learn},
    Route{"POST", "/api/undo", Work::change, "", &Api::undo},
    Route{"POST", "/api/rename", Work::change, "", &Api::rename},
    Route{"POST", "/api/forget", Work::change, "", &Api::forget},
    Route{"POST", "/api/classes", Work::change, "", &Api::add_class},
};

bool is_of_interface(std::string_view path) {
    return path == "/api" || path.starts_with("/api/");
}

/// HEAD is allowed wherever GET is.
bool has_method(std::string_view allowed, std::string_view method) {
    return method == allowed || (allowed == "GET" && method == "HEAD");
}

void require_method(std::string_view allowed, const Request& request, std::string_view path) {
    if (has_method(allowed, request.method)) return;
    throw Refusal{405, "method_not_allowed",
                  fmt::format("{} cannot be used with the method {}; use {}", path, request.method, allowed),
                  allowed == "GET" ? "GET, HEAD" : std::string(allowed)};
}

/// The route of a path; null for a path of the page.
const Route* find_route(const Request& request, const Target& target) {
    const auto* const found = std::ranges::find(all_routes, target.path, &Route::path);
    if (found == all_routes.end()) {
        if (is_of_interface(target.path)) {
            throw Refusal{
                404, "not_found",
                fmt::format("there is no '{}'; /api/openapi.json describes what there is", target.path)};
        }
        require_method("GET", request, target.path);
        return nullptr;
    }
    require_method(found->method, request, target.path);
    return found;
}

void check_query(const Route& route, const Target& target) {
    for (const auto& [name, value] : target.query) {
        if (name != route.parameter || route.parameter.empty())
            throw Refusal{400, "bad_input", fmt::format("{} has no parameter '{}'", route.path, name)};
    }
    if (target.query.size() > 1)
        throw Refusal{400, "bad_input", fmt::format("the parameter '{}' is there twice", route.parameter)};
}

/// Only application/json, which a form on a page of another site cannot send.
void check_content_type(const Request& request) {
    std::string type =
        lower_case(std::string_view(request.content_type).substr(0, request.content_type.find(';')));
    while (type.ends_with(' ')) type.pop_back();
    if (type == "application/json" || (type.empty() && request.body.empty())) return;
    throw Refusal{415, "unsupported_type",
                  fmt::format("the body has the type '{}'; send JSON, with 'Content-Type: application/json'",
                              request.content_type)};
}

Reply json_reply(const Json& json) {
    return {.body = service::to_text(json)};
}

int status_of(const Error& error) {
    switch (error.kind()) {
    case ErrorKind::usage:
    case ErrorKind::bad_input:
        return 400;
    case ErrorKind::failed:
        break;
    }
    return 500;
}

Reply error_reply(int status, const Json& error) {
    Reply reply = json_reply(error);
    reply.status = status;
    return reply;
}

Reply download(std::string body, std::string_view file_name) {
    return {.content_type = "application/octet-stream",
            .body = std::move(body),
            .headers = {{"Content-Disposition", fmt::format("attachment; filename=\"{}\"", file_name)}}};
}

std::string event_text(std::string_view event, std::string_view data) {
    return fmt::format("event: {}\ndata: {}\n\n", event, data);
}

std::string query_token(const Target& target) {
    for (const auto& [name, value] : target.query) {
        if (name == "token") return value;
    }
    return {};
}

Json answers_to(const Model& model, const Json& samples) {
    if (!samples.is_array()) throw bad_input("\"samples\" is not an array; each of its elements is a sample");
    if (samples.size() > max_samples)
        throw bad_input(
            fmt::format("the request has {} samples; a request has at most {}", samples.size(), max_samples));
    Json answers = Json::array();
    for (const Json& sample : samples) {
        try {
            answers.push_back(service::predict(model, service::parse_sample(sample)));
        } catch (const Error& error) {
            throw Error(error.kind(), fmt::format("sample {}: {}", answers.size(), error.what()));
        }
    }
    return {{"answers", std::move(answers)}};
}

} // namespace

std::span<const Route> routes() {
    return all_routes;
}

Api::Api(ServedModel& model, AccessRules rules, Announce announce)
    : model_(model), rules_(std::move(rules)), announce_(std::move(announce)) {}

Work Api::admit(const Request& request) const {
    check_site(request, rules_);
    const Target target = parse_target(request.target);
    const bool of_interface = is_of_interface(target.path);
    if (of_interface) check_token(request, target.path == "/api/events" ? query_token(target) : "", rules_);
    const Route* const route = find_route(request, target);
    if (route == nullptr) return Work::read;
    check_query(*route, target);
    if (!request.content_type.empty()) check_content_type(request);
    return route->work;
}

Reply Api::answer(const Request& request) const {
    try {
        (void)admit(request);
        const Target target = parse_target(request.target);
        if (const Route* const route = find_route(request, target); route != nullptr) {
            check_content_type(request);
            return (this->*route->answer)(request, target);
        }
        if (std::optional<Reply> file = page_reply(request, target.path)) return std::move(*file);
        throw Refusal{404, "not_found", fmt::format("there is no '{}'", target.path)};
    } catch (const Refusal& refusal) {
        return reply_to(refusal);
    } catch (const Error& error) {
        return error_reply(status_of(error), service::error_reply(error));
    } catch (const std::exception&) {
        return error_reply(500, service::error_reply());
    }
}

Reply Api::model(const Request& /*request*/, const Target& /*target*/) const {
    return json_reply(model_.read([](const Model& model) { return service::summary(model); }));
}

Reply Api::model_bytes(const Request& /*request*/, const Target& /*target*/) const {
    return download(model_.get_after_waiting_lessons()->to_bytes(), "model.bytes");
}

Reply Api::model_file(const Request& /*request*/, const Target& /*target*/) const {
    std::error_code problem;
    const std::filesystem::path parent = std::filesystem::temp_directory_path(problem);
    if (problem) throw failed("cannot copy the model: there is no folder for temporary files");
    data_detail::remove_abandoned(parent, temporary_prefix); // of servers that were killed
    const data_detail::TemporaryFolder folder(parent, temporary_prefix);
    const std::filesystem::path copy = folder.path() / "model.sprig";
    model_.get_after_waiting_lessons()->save(copy);
    return download(std::string(data_detail::as_text(data_detail::read_file(copy))), "model.sprig");
}

Reply Api::units(const Request& /*request*/, const Target& target) const {
    std::optional<std::string> label;
    if (!target.query.empty()) label = target.query.front().second;
    return json_reply(model_.read([&](const Model& model) { return service::units(model, label); }));
}

Reply Api::drawing(const Request& /*request*/, const Target& /*target*/) const {
    return {.content_type = "image/svg+xml",
            .body = model_.get_after_waiting_lessons()->draw(),
            .headers = {{"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"}}};
}

Reply Api::event_log(const Request& /*request*/, const Target& /*target*/) const {
    return json_reply(model_.read([](const Model& model) { return service::events(model); }));
}

Reply Api::event_stream(const Request& /*request*/, const Target& /*target*/) const {
    const Json data = {{"model", model_.read([](const Model& model) { return service::summary(model); })}};
    return {.content_type = "text/event-stream",
            .body = "retry: 2000\n\n" + event_text("model", service::to_text(data)),
            .headers = {}};
}

Reply Api::predict(const Request& request, const Target& /*target*/) const {
    const Json json = service::parse_request(request.body);
    const std::shared_ptr<const Model> model = model_.get();
    if (json.contains("samples")) return json_reply(answers_to(*model, json.at("samples")));
    return json_reply(service::predict(*model, service::parse_sample(json)));
}

Reply Api::explain(const Request& request, const Target& /*target*/) const {
    const Json json = service::parse_request(request.body);
    const service::Sample sample = service::parse_sample(json);
    const service::ExplainRequest wanted{.versus = service::optional_text(json, "versus"),
                                         .svg = service::flag(json, "svg")};
    return json_reply(service::explain(*model_.get_after_waiting_lessons(), sample, wanted));
}

/// Changes the model and announces it. What contradicts the state of the model is a conflict.
template <typename Change>
Reply Api::changed(std::string_view event, const Change& change) const {
    try {
        const Json reply = model_.change([&](Model& model) {
            Json result = change(model);
            announce_(event_text(event, service::to_text(result)));
            return result;
        });
        return json_reply(reply);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::usage) throw;
        return error_reply(409, service::error_reply(error));
    }
}

Reply Api::learn(const Request& request, const Target& /*target*/) const {
    const Json json = service::parse_request(request.body);
    const service::Sample sample = service::parse_sample(json);
    const std::string label = service::required_text(json, "label");
    return changed("lesson", [&](Model& model) { return service::learn(model, sample, label); });
}

Reply Api::undo(const Request& /*request*/, const Target& /*target*/) const {
    return changed("undo", [](Model& model) { return service::undo(model); });
}

Reply Api::rename(const Request& request, const Target& /*target*/) const {
    const Json json = service::parse_request(request.body);
    const std::string label = service::required_text(json, "label");
    const std::string new_label = service::required_text(json, "new_label");
    return changed("rename", [&](Model& model) {
        Json reply = service::rename(model, label, new_label);
        reply["label"] = label;
        reply["new_label"] = new_label;
        return reply;
    });
}

Reply Api::forget(const Request& request, const Target& /*target*/) const {
    const Json json = service::parse_request(request.body);
    const std::string label = service::required_text(json, "label");
    return changed("forget", [&](Model& model) {
        Json reply = service::forget(model, label);
        reply["label"] = label;
        return reply;
    });
}

Reply Api::add_class(const Request& request, const Target& /*target*/) const {
    const Json json = service::parse_request(request.body);
    const std::string label = service::required_text(json, "label");
    return changed("class", [&](Model& model) {
        Json reply = service::add_class(model, label);
        reply["label"] = label;
        return reply;
    });
}

Reply Api::openapi(const Request& /*request*/, const Target& /*target*/) const {
    return {.body = std::string(openapi_document())};
}

} // namespace sprig::serve
