#include <algorithm>
#include <map>
#include <new>

#include <fmt/format.h>

#include "core/json_object.h"
#include "service/service.h"
#include "sprig/draw_model.h"

namespace sprig::service {

namespace {

std::string hexadecimal(std::uint64_t number) {
    return fmt::format("{:016x}", number);
}

Json number_or_null(const std::optional<double>& number) {
    return number ? Json(*number) : Json(nullptr);
}

Answer answer_for(const Model& model, const Sample& sample) {
    if (const auto* const image = std::get_if<Image>(&sample)) return model.predict(image->view());
    if (const auto* const picture = std::get_if<Picture>(&sample)) return model.predict(*picture);
    return model.predict(std::get<Strokes>(sample));
}

LearnReport teach(Model& model, const Sample& sample, std::string_view label) {
    if (const auto* const image = std::get_if<Image>(&sample)) return model.learn(image->view(), label);
    if (const auto* const picture = std::get_if<Picture>(&sample)) return model.learn(*picture, label);
    return model.learn(std::get<Strokes>(sample), label);
}

Json changed(const Model& model) {
    return json_object({{"model", summary(model)}});
}

/// The name of an error's kind, as in ErrorKind.
const char* name_of(ErrorKind kind) {
    switch (kind) {
    case ErrorKind::usage:
        return "usage";
    case ErrorKind::bad_input:
        return "bad_input";
    default:
        return "failed";
    }
}

Json error_of(const char* kind, const std::string& message) {
    return json_object({{"error", json_object({{"kind", kind}, {"message", message}})}});
}

} // namespace

Json predict(const Model& model, const Sample& sample) {
    const Answer answer = answer_for(model, sample);
    Json reply = json_object({{"label", answer.ranking.empty() ? Json(nullptr) : Json(answer.label)},
                              {"probability", answer.probability},
                              {"known", number_or_null(answer.known)},
                              {"fit", number_or_null(answer.fit)},
                              {"margin", answer.margin},
                              {"ranking", Json::array()}});
    for (const RankedClass& one : answer.ranking)
        reply["ranking"].push_back(
            json_object({{"label", one.label}, {"probability", one.probability}, {"score", one.score}}));
    return reply;
}

Json learn(Model& model, const Sample& sample, std::string_view label) {
    if (label.empty()) throw usage_error("a class label must not be empty");
    const std::vector<std::string> before = model.classes();
    const LearnReport report = teach(model, sample, label);
    Json reply = json_object({{"label", label},
                              {"new_class", std::ranges::find(before, label) == before.end()},
                              {"events", Json::array()}});
    for (const UnitEvent& event : report.events)
        reply["events"].push_back(
            json_object({{"kind", event_name(event.kind)}, {"unit", hexadecimal(event.unit)}}));
    reply["model"] = summary(model);
    return reply;
}

Json summary(const Model& model) {
    const ModelSummary all = model.summary();
    Json reply = json_object({{"learner", all.facts.learner},
                              {"preset", all.facts.preset},
                              {"free_pose", all.facts.free_pose},
                              {"classes", Json::array()},
                              {"lessons", all.facts.lessons},
                              {"undoable", all.facts.undoable},
                              {"bytes", all.bytes},
                              {"digest", hexadecimal(all.digest)},
                              {"file", model.has_file()}});
    for (const ClassFacts& one : all.classes)
        reply["classes"].push_back(
            json_object({{"label", one.label}, {"samples", one.samples}, {"units", one.units}}));
    return reply;
}

Json units(const Model& model, const std::optional<std::string>& label) {
    std::vector<UnitView> views = model.units();
    // All units are drawn, so that the drawings of one class show the same region as those of all.
    const std::vector<std::string> drawings = draw_each_unit(views);
    Json reply = json_object({{"units", Json::array()}});
    for (std::size_t i = 0; i < views.size(); ++i) {
        const UnitView& unit = views[i];
        if (label && unit.label != *label) continue;
        reply["units"].push_back(json_object({{"id", hexadecimal(unit.lineage)},
                                              {"label", unit.label},
                                              {"samples", unit.observations()},
                                              {"nodes", unit.own_nodes},
                                              {"svg", drawings[i]}}));
    }
    if (label && reply["units"].empty() && std::ranges::count(model.classes(), *label) == 0)
        throw usage_error(fmt::format("the model has no class '{}'", *label));
    return reply;
}

Json events(const Model& model) {
    std::map<Lineage, std::string> labels;
    for (const UnitView& unit : model.units()) labels.emplace(unit.lineage, unit.label);
    Json reply = json_object({{"events", Json::array()}});
    for (const LoggedEvent& logged : model.events()) {
        const auto known = labels.find(logged.event.unit);
        reply["events"].push_back(
            json_object({{"lesson", logged.lesson},
                         {"kind", event_name(logged.event.kind)},
                         {"unit", hexadecimal(logged.event.unit)},
                         {"label", known == labels.end() ? Json(nullptr) : Json(known->second)}}));
    }
    return reply;
}

Json undo(Model& model) {
    model.undo();
    return changed(model);
}

Json rename(Model& model, std::string_view label, std::string_view new_label) {
    model.rename(label, new_label);
    return changed(model);
}

Json forget(Model& model, std::string_view label) {
    model.forget(label);
    return changed(model);
}

Json add_class(Model& model, std::string_view label) {
    if (label.empty()) throw usage_error("a class label must not be empty");
    model.add_class(label);
    return changed(model);
}

Json error_reply(const Error& error) {
    return error_of(name_of(error.kind()), error.what());
}

Json error_reply() {
    try {
        throw;
    } catch (const Error& error) {
        return error_reply(error);
    } catch (const std::bad_alloc&) {
        return error_of("failed", "there is not enough memory");
    } catch (const std::exception& error) {
        return error_of("failed", fmt::format("internal error: {}", error.what()));
    }
}

std::string to_text(const Json& reply) {
    return reply.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace sprig::service
