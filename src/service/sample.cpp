#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "service/base64.h"
#include "service/service.h"
#include "sprig/data.h"

namespace sprig::service {

namespace {

// The limits of picture files.
constexpr int max_side = 16384;
constexpr int max_pixels = 1 << 26;

constexpr std::string_view expected_sample =
    R"(give "strokes", "picture" (base64 of a file) or "pixels" (width, height, channels, data))";

/// The value of a key, or null.
const Json* find(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

const std::string& text_of(const Json& value, const char* key) {
    if (!value.is_string())
        throw bad_input(fmt::format(R"("{}" is {}, not a text in quotes)", key, value.type_name()));
    return value.get_ref<const std::string&>();
}

void check_side(double value, const char* key) {
    if (!(value >= 1 && value <= max_side && value == std::floor(value)))
        throw bad_input(
            fmt::format(R"("{}" of "pixels" must be a whole number from 1 to {})", key, max_side));
}

double number_of(const Json& pixels, const char* key) {
    const Json* const value = find(pixels, key);
    if (value == nullptr) throw bad_input(fmt::format(R"("pixels" has no "{}")", key));
    if (!value->is_number())
        throw bad_input(fmt::format(R"("{}" of "pixels" is {}, not a number)", key, value->type_name()));
    return value->get<double>();
}

Sample parse_pixels(const Json& pixels, bool raw) {
    if (!pixels.is_object())
        throw bad_input(fmt::format(R"("pixels" is {}, not an object with width, height, channels and data)",
                                    pixels.type_name()));
    const double width = number_of(pixels, "width");
    const double height = number_of(pixels, "height");
    const double channels = find(pixels, "channels") == nullptr ? 1 : number_of(pixels, "channels");
    check_pixels(width, height, channels, raw);
    const Json* const data = find(pixels, "data");
    if (data == nullptr) throw bad_input(R"("pixels" has no "data", the base64 of its bytes)");
    std::vector<std::uint8_t> bytes = from_base64(text_of(*data, "data"), R"("data" of "pixels")");
    if (static_cast<double>(bytes.size()) != width * height * channels)
        throw bad_input(fmt::format(
            R"("data" of "pixels" has {} bytes, but {} x {} px with {} channel{} are {} bytes)", bytes.size(),
            width, height, channels, channels == 1 ? "" : "s", width * height * channels));
    if (!raw)
        return Picture{static_cast<int>(width), static_cast<int>(height), static_cast<int>(channels),
                       std::move(bytes)};
    Image image;
    image.width = static_cast<int>(width);
    image.height = static_cast<int>(height);
    image.pixels = std::move(bytes);
    return image;
}

Strokes strokes_of(const Json& strokes) {
    Json drawing = Json::object();
    drawing["strokes"] = strokes;
    return parse_strokes(to_text(drawing)).strokes;
}

} // namespace

Json parse_request(std::string_view text) {
    Json request = Json::parse(text, nullptr, false);
    if (request.is_discarded()) throw bad_input("the request is not valid JSON");
    if (!request.is_object())
        throw bad_input(fmt::format("the request is {}, not a JSON object", request.type_name()));
    return request;
}

Sample parse_sample(const Json& request) {
    if (!request.is_object())
        throw bad_input(
            fmt::format("an image is {}, not an object; {}", request.type_name(), expected_sample));
    const Json* const strokes = find(request, "strokes");
    const Json* const picture = find(request, "picture");
    const Json* const pixels = find(request, "pixels");
    const int given =
        (strokes != nullptr ? 1 : 0) + (picture != nullptr ? 1 : 0) + (pixels != nullptr ? 1 : 0);
    if (given != 1)
        throw bad_input(fmt::format("the request has {}; {}", given == 0 ? "no image" : "more than one image",
                                    expected_sample));
    const bool raw = flag(request, "raw");
    if (raw && pixels == nullptr) throw bad_input(R"("raw" is for "pixels" only; leave it out)");
    if (strokes != nullptr) return strokes_of(*strokes);
    if (pixels != nullptr) return parse_pixels(*pixels, raw);
    return decode_picture(from_base64(text_of(*picture, "picture"), R"("picture")"), "the picture");
}

void check_pixels(double width, double height, double channels, bool raw) {
    check_side(width, "width");
    check_side(height, "height");
    if (width * height > max_pixels)
        throw bad_input(fmt::format("an image of {} x {} px is too large: the limit is {} million pixels; "
                                    "scale it down first",
                                    width, height, max_pixels >> 20));
    if (channels != 1 && channels != 3 && channels != 4)
        throw bad_input(fmt::format(
            R"("channels" of "pixels" is {}, but must be 1 (grey), 3 (RGB) or 4 (RGBA))", channels));
    if (raw && channels != 1)
        throw bad_input(fmt::format(
            R"("raw" needs one channel, and the image has {}; leave "raw" out to have it normalised)",
            channels));
}

std::string required_text(const Json& request, const char* key) {
    std::optional<std::string> text = optional_text(request, key);
    if (!text) throw bad_input(fmt::format(R"(the request has no "{}")", key));
    return *std::move(text);
}

std::optional<std::string> optional_text(const Json& request, const char* key) {
    const Json* const value = find(request, key);
    if (value == nullptr) return {};
    const std::string& text = text_of(*value, key);
    if (text.empty()) throw bad_input(fmt::format(R"("{}" is empty)", key));
    return text;
}

bool flag(const Json& request, const char* key) {
    const Json* const value = find(request, key);
    if (value == nullptr) return false;
    if (!value->is_boolean())
        throw bad_input(fmt::format(R"("{}" is {}, but must be true or false)", key, value->type_name()));
    return value->get<bool>();
}

} // namespace sprig::service
