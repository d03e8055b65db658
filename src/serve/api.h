#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "serve/access.h"
#include "serve/message.h"
#include "serve/served_model.h"

namespace sprig::serve {

class Api;

/// How a route is answered.
enum class Work {
    read,   ///< reads the model, and runs beside lessons
    change, ///< changes the model: one after the other
    events, ///< stays open and reports changes
};

/// A path and a method of the interface.
struct Route {
    std::string_view method;
    std::string_view path;
    Work work;
    std::string_view parameter; ///< the name that its query may have; empty: none
    Reply (Api::*answer)(const Request& request, const Target& target) const;
};
/// All routes of the interface. The files of the page are not among them.
[[nodiscard]] std::span<const Route> routes();

/// The requests of the interface and of the page, without sockets. Several threads may call it.
class Api {
  public:
    /// Called after each change, in the order of the changes, with an event as it stands in a stream.
    using Announce = std::function<void(std::string event)>;

    Api(ServedModel& model, AccessRules rules, Announce announce);

    /// What kind of work a request is. Everything but its body is checked. Throws Refusal.
    [[nodiscard]] Work admit(const Request& request) const;
    /// The reply to a request; of a stream of events, the beginning. Errors are replies too.
    [[nodiscard]] Reply answer(const Request& request) const;

    // The answers of the routes.
    [[nodiscard]] Reply model(const Request& request, const Target& target) const;
    [[nodiscard]] Reply model_bytes(const Request& request, const Target& target) const;
    [[nodiscard]] Reply model_file(const Request& request, const Target& target) const;
    [[nodiscard]] Reply units(const Request& request, const Target& target) const;
    [[nodiscard]] Reply drawing(const Request& request, const Target& target) const;
    [[nodiscard]] Reply event_log(const Request& request, const Target& target) const;
    [[nodiscard]] Reply event_stream(const Request& request, const Target& target) const;
    [[nodiscard]] Reply predict(const Request& request, const Target& target) const;
    [[nodiscard]] Reply learn(const Request& request, const Target& target) const;
    [[nodiscard]] Reply explain(const Request& request, const Target& target) const;
    [[nodiscard]] Reply undo(const Request& request, const Target& target) const;
    [[nodiscard]] Reply rename(const Request& request, const Target& target) const;
    [[nodiscard]] Reply forget(const Request& request, const Target& target) const;
    [[nodiscard]] Reply add_class(const Request& request, const Target& target) const;
    [[nodiscard]] Reply openapi(const Request& request, const Target& target) const;

  private:
    template <typename Change>
    [[nodiscard]] Reply changed(std::string_view event, const Change& change) const;

    ServedModel& model_;
    AccessRules rules_;
    Announce announce_;
};

/// The OpenAPI description of the interface, as JSON.
[[nodiscard]] std::string_view openapi_document();

} // namespace sprig::serve
