#include "store/parameters.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "learner/front_end_parameters.h"
#include "modeller/access.h"
#include "sprig/constellation.h"
#include "sprig/error.h"
#include "store/codec.h"

namespace sprig::store {

namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    return value.is_null() ? "none" : value.dump();
}

} // namespace

void read_parameters(const std::string& json,
                     const std::function<void(std::string_view, std::string_view)>& set) {
    const Json object = Json::parse(json, nullptr, false);
    if (!object.is_object()) throw bad_input("its parameters are not JSON");
    for (const auto& [name, value] : object.items()) {
        if (value.is_structured()) throw bad_input("its parameter " + name + " is not a value");
        set(name, text_of(value));
    }
}

FrontEndParams read_front_end(const std::string& json) {
    FrontEndParams params;
    read_parameters(json, [&](std::string_view name, std::string_view value) {
        if (!learner::set_parameter(params, name, value))
            throw usage_error(fmt::format("the front end has no parameter {}", name));
    });
    (void)front_end_schema(params); // refuses what is out of range
    return params;
}

std::unique_ptr<Codec> make_codec(const Head& head) {
    try {
        if (head.learner == "constellation") return make_constellation_codec(head);
        if (head.learner == "modeller") return make_modeller_codec(head);
    } catch (const Error& error) {
        throw bad_input(
            fmt::format("its parameters are not known here ({}): is it of a newer version?", error.what()));
    }
    throw bad_input(fmt::format("there is no learner '{}' here: is it of a newer version?", head.learner));
}

Head head_of(const Learner& learner, std::string preset) {
    Head head;
    head.learner = learner.name();
    head.preset = std::move(preset);
    head.parameters = learner.parameters();
    head.front_end = learner::to_json(learner.front_end()).dump();
    head.method = static_cast<std::uint64_t>(learner.version());
    if (const auto* modeller = dynamic_cast<const Modeller*>(&learner))
        head.seed = modeller::Access::seed(*modeller);
    head.steps = learner.steps();
    return head;
}

} // namespace sprig::store
