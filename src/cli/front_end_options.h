#pragma once

#include <atomic>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "sprig/data.h"
#include "sprig/front_end.h"
#include "sprig/model.h"

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
/// The heading of their group.
inline constexpr const char* picture_group = "Your own pictures";
void add_picture_options(CLI::App& verb, PictureOptions& options);

/// Converts picture files to grey images and counts dark and light ink. Several threads may use it.
class PictureConverter {
  public:
    /// For a model with this front end.
    explicit PictureConverter(const PictureOptions& options, const FrontEndParams& front_end = {})
        : options_(options), params_(normalise_for({.invert = options.invert}, front_end)) {}

    /// One converted picture, with notes for the user.
    struct Conversion {
        Picture picture;
        std::vector<std::string> notes;
    };
    /// How pen strokes are drawn for the same model.
    [[nodiscard]] StrokeParams strokes() const { return strokes_for(params_); }
    Image convert(const Picture& picture, Conversion* conversion = nullptr);
    /// Prints to stderr how many pictures were read as dark and as light ink.
    void print_ink_summary() const;

  private:
    PictureOptions options_;
    NormaliseParams params_;
    std::atomic<std::size_t> dark_on_light_ = 0;
    std::atomic<std::size_t> light_on_dark_ = 0;
};

/// Loads a data set and shows the progress. `converter` converts picture files.
[[nodiscard]] Dataset load_with_progress(const std::string& address, PictureConverter& converter);

} // namespace sprig::cli
