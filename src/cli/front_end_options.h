#pragma once

#include <functional>

#include <CLI/CLI.hpp>

#include "sprig/data.h"
#include "sprig/front_end.h"

namespace sprig::cli {

/// Adds the options that say how an image becomes a network.
void add_front_end_options(CLI::App& verb, FrontEndParams& params);

/// How a person's own picture is taken in.
struct PictureOptions {
    bool raw = false;
    bool invert = false;
};
void add_picture_options(CLI::App& verb, PictureOptions& options);

/// What `LoadOptions::prepare` must be for these options.
[[nodiscard]] std::function<Image(const Picture&)> picture_reader(const PictureOptions& options);

} // namespace sprig::cli
