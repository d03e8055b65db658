#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "sprig/image.h"
#include "sprig/strokes.h"

namespace sprig::python {

/// Which pixels of an image are ink. `automatic`: the bright ones; in a picture as guessed, and in a small
/// array the dark ones if most of its border is bright.
enum class Ink : std::uint8_t { automatic, light, dark };

/// How the images of a model are read.
struct InputRules {
    Ink ink = Ink::automatic;
    /// Whether arrays are normalised as pictures are. Not set: those of 64 px or more are.
    std::optional<bool> normalise = {};
};

/// Pixels that a Python object owns.
struct PixelsView {
    const std::uint8_t* pixels = nullptr;
    int width = 0;
    int height = 0;
    int channels = 1;
};

/// What a model takes: an image as it is, a picture to normalise, or strokes.
using Sample = std::variant<ImageView, Image, Picture, Strokes>;

/// The content of a picture file that a Python object owns.
struct FileContent {
    std::span<const std::uint8_t> bytes;
};

/// An image given by a Python program, before its pixels are looked at.
using Input = std::variant<PixelsView, std::filesystem::path, FileContent, Strokes>;

/// Prepares an input for the model; a picture file is read. Needs no Python. Throws Error(bad_input) if the
/// image cannot be used.
[[nodiscard]] Sample prepare(const Input& input, const InputRules& rules);

/// Images given by a Python program. It holds the objects that own the pixels, so it must be made and
/// destroyed with the interpreter's lock, and can be read without it.
class Inputs {
  public:
    /// One image: an array, a PIL image, a path, the content of a file, or strokes. Throws TypeError or
    /// ValueError if it is none of them.
    [[nodiscard]] static Inputs one(nanobind::handle image);
    /// A sequence of images, or an array with an image in each row.
    [[nodiscard]] static Inputs many(nanobind::handle images);

    [[nodiscard]] std::size_t size() const { return array_ ? array_count_ : items_.size(); }
    [[nodiscard]] Input at(std::size_t index) const;

  private:
    using Array = nanobind::ndarray<nanobind::ro, nanobind::c_contig, nanobind::device::cpu>;

    [[nodiscard]] static std::optional<Array> bytes_array(nanobind::handle object);
    void add(nanobind::handle image, const std::string& name);
    void add_content(nanobind::handle object);
    void add_array(const Array& array, const std::string& name);
    void set_rows(Array array);

    std::vector<Input> items_;
    std::vector<Array> owners_;
    std::vector<nanobind::object> contents_;
    // For an array of images, instead of items: its first image.
    std::optional<PixelsView> array_;
    std::size_t array_count_ = 0;
};

} // namespace sprig::python
