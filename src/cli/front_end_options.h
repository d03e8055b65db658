#pragma once

#include <atomic>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sprig/data.h"
#include "sprig/front_end.h"

namespace sprig::cli {

/// Adds all options of the front end.
void add_front_end_options(CLI::App& verb, FrontEndParams& params);
/// Adds only the options that affect contours.
void add_contour_options(CLI::App& verb, FrontEndParams& params);

/// How a picture file becomes a grey image.
struct PictureOptions {
    bool raw = false;
    bool invert = false;
};
void add_picture_options(CLI::App& verb, PictureOptions& options);

/// Converts picture files to grey images and counts dark and light ink. Several threads may use it.
class PictureConverter {
  public:
    explicit PictureConverter(const PictureOptions& options) : options_(options) {}

    /// One converted picture, with notes for the user.
    struct Conversion {
        Picture picture;
        std::vector<std::string> notes;
    };
    Image convert(const Picture& picture, Conversion* conversion = nullptr);
    /// Prints to stderr how many pictures were read as dark and as light ink.
    void print_ink_summary() const;

  private:
    PictureOptions options_;
    std::atomic<std::size_t> dark_on_light_ = 0;
    std::atomic<std::size_t> light_on_dark_ = 0;
};

/// Loads a data set and shows the progress. `converter` converts picture files.
[[nodiscard]] Dataset load_with_progress(const std::string& address, PictureConverter& converter);

} // namespace sprig::cli
