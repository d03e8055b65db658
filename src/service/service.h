#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <nlohmann/json.hpp>

#include "sprig/error.h"
#include "sprig/image.h"
#include "sprig/model.h"
#include "sprig/strokes.h"

/// Requests to a model and their replies as JSON, for `sprig serve` and for the package for JavaScript.
/// docs/architecture.md lists the keys. Labels may contain any bytes; in replies, those that are not UTF-8
/// are replaced. A call that throws leaves the model as it was.
namespace sprig::service {

using Json = nlohmann::ordered_json;

/// An image in one of the forms that a model takes. An `Image` has grey levels that are used as they are.
using Sample = std::variant<Picture, Image, Strokes>;

// Requests. A request has a sample, and for some calls more keys. Other keys are ignored.

/// Parses the text of a request. Throws Error(bad_input) if it is not a JSON object.
[[nodiscard]] Json parse_request(std::string_view text);
/// The sample of a request, in exactly one of the forms
///   {"strokes": [[[x, y], [x, y, t], ...], ...]}    as for `parse_strokes`
///   {"picture": "..."}                              the base64 of a PNG, JPEG, BMP, PGM or PPM file
///   {"pixels": {"width": w, "height": h, "channels": 1, 3 or 4, "data": "..."}, "raw": true or false}
/// `data` is the base64 of the pixels, row by row; `raw` (default: false) takes them as grey levels, with 255
/// for ink. Throws Error(bad_input), also if the image is too large.
[[nodiscard]] Sample parse_sample(const Json& request);
/// Throws Error(bad_input) unless these are whole numbers and an image can have them; see `parse_sample`.
void check_pixels(double width, double height, double channels, bool raw);
/// The text of a key. Throws Error(bad_input) if there is none, or if it is empty.
[[nodiscard]] std::string required_text(const Json& request, const char* key);
/// The same; nullopt if the key is missing or null.
[[nodiscard]] std::optional<std::string> optional_text(const Json& request, const char* key);
/// False if the key is missing or null. Throws Error(bad_input) if it is neither true nor false.
[[nodiscard]] bool flag(const Json& request, const char* key);

// Replies

[[nodiscard]] Json predict(const Model& model, const Sample& sample);
[[nodiscard]] Json learn(Model& model, const Sample& sample, std::string_view label);
struct ExplainRequest {
    std::optional<std::string> versus = {}; ///< as in ExplainOptions
    bool svg = false;                       ///< whether the reply has a page that explains the answer
};
[[nodiscard]] Json explain(const Model& model, const Sample& sample, const ExplainRequest& request = {});
[[nodiscard]] Json summary(const Model& model);
/// All units, or those of a class. Throws Error(usage) if there is no such class.
[[nodiscard]] Json units(const Model& model, const std::optional<std::string>& label = {});
[[nodiscard]] Json events(const Model& model);
[[nodiscard]] Json undo(Model& model);
[[nodiscard]] Json rename(Model& model, std::string_view label, std::string_view new_label);
[[nodiscard]] Json forget(Model& model, std::string_view label);
[[nodiscard]] Json add_class(Model& model, std::string_view label);

[[nodiscard]] Json error_reply(const Error& error);
/// For the exception that is being handled. Other exceptions than Error are kinds of failure: no memory, or
/// an internal error.
[[nodiscard]] Json error_reply();

/// The text of a reply, on one line.
[[nodiscard]] std::string to_text(const Json& reply);

} // namespace sprig::service
