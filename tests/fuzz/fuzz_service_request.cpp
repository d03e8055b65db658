#include <string>

#include "fuzz_target.h"
#include "service/service.h"

// A request of any content to a model with three classes: every reply is JSON, every refusal an Error, and a
// refused request changes nothing.

namespace {

using namespace sprig;
using service::Json;
using sprig::fuzz::require;

const std::string& taught() {
    static const std::string bytes = [] {
        Model model({.preset = "fast"});
        model.learn(Strokes{{{0, 5}, {9, 5}}, {{6, 2}, {9, 5}, {6, 8}}}, "arrow");
        model.learn(Strokes{{{0, 0}, {4, 9}, {8, 0}, {12, 9}}}, "zigzag");
        model.learn(Strokes{{{0, 0}, {9, 1}, {8, 9}, {1, 8}, {0, 0}}}, "square");
        return model.to_bytes();
    }();
    return bytes;
}

/// The reply to one kind of request.
Json answered(Model& model, const Json& request, unsigned kind) {
    switch (kind) {
    case 0:
        return service::predict(model, service::parse_sample(request));
    case 1:
        return service::learn(model, service::parse_sample(request),
                              service::required_text(request, "label"));
    case 2:
        return service::explain(model, service::parse_sample(request),
                                {service::optional_text(request, "versus"), service::flag(request, "svg")});
    case 3:
        return service::units(model, service::optional_text(request, "label"));
    case 4:
        return service::rename(model, service::required_text(request, "label"),
                               service::required_text(request, "new_label"));
    case 5:
        return service::forget(model, service::required_text(request, "label"));
    case 6:
        return service::add_class(model, service::required_text(request, "label"));
    case 7:
        return service::undo(model);
    default:
        return service::events(model);
    }
}

constexpr unsigned kinds = 9;

void check_request(const Json& request, unsigned kind) {
    Model model = Model::from_bytes(taught());
    const std::string before = model.to_bytes();
    try {
        require(Json::accept(service::to_text(answered(model, request, kind))));
        require(Json::accept(service::to_text(service::summary(model))));
        if (kind == 1) { // the lesson can be undone
            model.undo();
            require(model.to_bytes() == before);
        }
    } catch (const Error& error) {
        require(Json::accept(service::to_text(service::error_reply(error))));
        require(model.to_bytes() == before);
    }
}

/// A picture may be large, which takes seconds with sanitizers. Other targets have large ones.
bool is_small(const Json& request) {
    try {
        const service::Sample sample = service::parse_sample(request);
        if (const auto* const picture = std::get_if<Picture>(&sample))
            return picture->width * picture->height <= 10000;
        if (const auto* const image = std::get_if<Image>(&sample)) return image->pixels.size() <= 2500;
        return true;
    } catch (const Error&) {
        return true;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const Json request = service::parse_request(text);
        if (!is_small(request)) return 0;
        for (unsigned kind = 0; kind < kinds; ++kind) check_request(request, kind);
    } catch (const Error& error) {
        require(error.kind() == ErrorKind::bad_input);
    }
    return 0;
}
