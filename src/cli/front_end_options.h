#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sprig/data.h"
#include "sprig/front_end.h"

namespace sprig::cli {

/// Adds the options that say how an image becomes a network.
void add_front_end_options(CLI::App& verb, FrontEndParams& params);
/// Of these, the ones that say which contours there are.
void add_contour_options(CLI::App& verb, FrontEndParams& params);

/// How a person's own picture is taken in.
struct PictureOptions {
    bool raw = false;
    bool invert = false;
};
void add_picture_options(CLI::App& verb, PictureOptions& options);

/// Takes in a person's pictures, and remembers what was made of them.
class PictureReader {
  public:
    explicit PictureReader(const PictureOptions& options) : options_(options) {}

    /// What became of one picture, in words.
    struct Taken {
        Picture picture;
        std::vector<std::string> notes;
    };
    Image take(const Picture& picture, Taken* taken = nullptr);
    /// Says on stderr how many pictures were taken for what.
    void say_what_was_taken() const;

  private:
    PictureOptions options_;
    std::size_t as_they_are_ = 0;
    std::size_t dark_on_light_ = 0;
    std::size_t light_on_dark_ = 0;
};

/// Loads a data set with progress shown, and a person's pictures taken in by `reader`.
[[nodiscard]] Dataset load_shown(const std::string& address, PictureReader& reader);

} // namespace sprig::cli
