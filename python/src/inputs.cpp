#include "inputs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "sprig/data.h"
#include "sprig/error.h"
#include "sprig/front_end.h"
#include "vision/grey_levels.h"

namespace nb = nanobind;

namespace sprig::python {

namespace {

/// Arrays with a side of this length or more are pictures, unless the rules say otherwise: from here on, the
/// normalisation evens out the light.
constexpr int picture_side = 64;

/// Whether at least three quarters of the border of an image are bright, so that its ink must be dark.
bool has_bright_border(ImageView image) {
    int bright = 0;
    int all = 0;
    const auto look_at = [&](int x, int y) {
        ++all;
        if (image.at(x, y) >= 128) ++bright;
    };
    for (int x = 0; x < image.width; ++x) {
        look_at(x, 0);
        look_at(x, image.height - 1);
    }
    for (int y = 1; y + 1 < image.height; ++y) {
        look_at(0, y);
        look_at(image.width - 1, y);
    }
    return 4 * bright >= 3 * all;
}

Picture picture_of(const PixelsView& view) {
    const std::size_t size = static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height) *
                             static_cast<std::size_t>(view.channels);
    return {view.width, view.height, view.channels, {view.pixels, view.pixels + size}};
}

Sample prepare_array(const PixelsView& view, const InputRules& rules) {
    if (rules.normalise.value_or(std::max(view.width, view.height) >= picture_side)) return picture_of(view);
    if (view.channels > 1) {
        const Picture picture = picture_of(view);
        Image grey = composite_over(picture, background_for(picture)); // transparent parts are paper
        if (rules.ink == Ink::dark || (rules.ink == Ink::automatic && has_bright_border(grey.view())))
            for (std::uint8_t& value : grey.pixels) value = static_cast<std::uint8_t>(255 - value);
        return grey;
    }
    const ImageView image{view.pixels, view.width, view.height};
    if (image.size() == 0 || rules.ink == Ink::light ||
        (rules.ink == Ink::automatic && !has_bright_border(image)))
        return image;
    Image inverted(image);
    for (std::uint8_t& value : inverted.pixels) value = static_cast<std::uint8_t>(255 - value);
    return inverted;
}

/// The side of a square with this number of pixels.
std::optional<int> square_side(std::size_t pixels) {
    const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(pixels))));
    if (side * side != pixels || pixels > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        return {};
    return static_cast<int>(side);
}

int side_of(std::size_t length, const std::string& name) {
    if (length > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw nb::value_error(
            fmt::format("{} has a side of {} pixels, which is too long", name, length).c_str());
    return static_cast<int>(length);
}

std::string shape_text(const std::vector<std::size_t>& shape) {
    std::string text;
    for (const std::size_t length : shape) text += fmt::format("{}{}", text.empty() ? "" : ", ", length);
    return fmt::format("({}{})", text, shape.size() == 1 ? "," : "");
}

/// The image with the given shape: height and width, then perhaps channels; or the length of a flat square.
PixelsView view_of(const void* pixels, const std::vector<std::size_t>& shape, const std::string& name) {
    const auto* const bytes = static_cast<const std::uint8_t*>(pixels);
    if (std::ranges::count(shape, std::size_t{0}) > 0)
        throw nb::value_error(fmt::format("{} is empty: its shape is {}", name, shape_text(shape)).c_str());
    if (shape.size() == 1) {
        const std::optional<int> side = square_side(shape[0]);
        if (!side)
            throw nb::value_error(
                fmt::format("{} is a flat array of {} values, which is not the square of a side; "
                            "give it as an array of rows and columns",
                            name, shape[0])
                    .c_str());
        return {bytes, *side, *side, 1};
    }
    if (shape.size() == 2) return {bytes, side_of(shape[1], name), side_of(shape[0], name), 1};
    if (shape.size() == 3 && shape[2] <= 4)
        return {bytes, side_of(shape[1], name), side_of(shape[0], name), static_cast<int>(shape[2])};
    throw nb::value_error(
        fmt::format(
            "{} has the shape {}; an image has rows and columns, and perhaps up to 4 channels; a flat one "
            "has the square of its side as length",
            name, shape_text(shape))
            .c_str());
}

std::vector<std::size_t> shape_of(const auto& array) {
    std::vector<std::size_t> shape;
    for (std::size_t i = 0; i < array.ndim(); ++i) shape.push_back(array.shape(i));
    return shape;
}

/// Strokes from a list of arrays of points.
Strokes strokes_of(const nb::list& list) {
    Strokes strokes;
    for (const nb::handle item : list) {
        const auto points = nb::cast<std::vector<std::vector<double>>>(item);
        Stroke& stroke = strokes.emplace_back();
        for (const std::vector<double>& point : points) {
            StrokePoint& added = stroke.emplace_back();
            added.x = point.at(0);
            added.y = point.at(1);
            if (point.size() > 2) added.t = point[2];
        }
    }
    return strokes;
}

} // namespace

Sample prepare(const Input& input, const InputRules& rules) {
    if (const auto* const view = std::get_if<PixelsView>(&input)) return prepare_array(*view, rules);
    if (const auto* const path = std::get_if<std::filesystem::path>(&input)) return read_image(*path);
    if (const auto* const content = std::get_if<FileContent>(&input))
        return decode_picture(content->bytes, "the picture");
    return std::get<Strokes>(input);
}

/// An array of bytes, if the object is one that can be read in place.
std::optional<Inputs::Array> Inputs::bytes_array(nb::handle object) {
    if (!nb::ndarray_check(object)) return {};
    Array array;
    if (!nb::try_cast(object, array, false) || array.dtype() != nb::dtype<std::uint8_t>()) return {};
    return array;
}

void Inputs::add_array(const Array& array, const std::string& name) {
    items_.emplace_back(view_of(array.data(), shape_of(array), name));
    owners_.push_back(array);
}

void Inputs::add_content(nb::handle object) {
    const auto bytes = nb::borrow<nb::bytes>(object);
    items_.emplace_back(FileContent{{static_cast<const std::uint8_t*>(bytes.data()), bytes.size()}});
    contents_.push_back(bytes);
}

void Inputs::add(nb::handle image, const std::string& name) {
    if (nb::isinstance<nb::bytes>(image)) return add_content(image);
    if (const auto array = bytes_array(image)) return add_array(*array, name);
    // Everything else is first brought into one of three forms: an array of bytes, a path, or a list of
    // strokes.
    const nb::object plain = nb::module_::import_("sprig._inputs").attr("plain")(image, name);
    if (const auto array = bytes_array(plain)) return add_array(*array, name);
    if (nb::isinstance<nb::str>(plain)) {
        items_.emplace_back(std::filesystem::path(nb::cast<std::string>(plain)));
    } else {
        items_.emplace_back(strokes_of(nb::cast<nb::list>(plain)));
    }
}

void Inputs::set_rows(Array array) {
    std::vector<std::size_t> shape = shape_of(array);
    array_count_ = shape.front();
    shape.erase(shape.begin());
    if (array_count_ > 0) array_ = view_of(array.data(), shape, "each image");
    owners_.push_back(std::move(array));
}

Inputs Inputs::one(nb::handle image) {
    Inputs inputs;
    inputs.add(image, "the image");
    return inputs;
}

Inputs Inputs::many(nb::handle images) {
    Inputs inputs;
    const auto as_rows = [&](const Array& array) {
        if (array.ndim() < 2)
            throw nb::value_error("a batch is an array with an image in each row, or a sequence of images");
        inputs.set_rows(array);
    };
    if (const auto array = bytes_array(images)) {
        as_rows(*array);
        return inputs;
    }
    const nb::object plain = nb::module_::import_("sprig._inputs").attr("plain_batch")(images);
    if (const auto array = bytes_array(plain)) {
        as_rows(*array);
        return inputs;
    }
    std::size_t index = 0;
    for (const nb::handle image : plain) inputs.add(image, fmt::format("image {}", index++));
    return inputs;
}

Input Inputs::at(std::size_t index) const {
    if (!array_) return items_[index];
    PixelsView view = *array_;
    view.pixels += index * static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height) *
                   static_cast<std::size_t>(view.channels);
    return view;
}

} // namespace sprig::python
