#include "cli/front_end_options.h"

namespace sprig::cli {

void add_front_end_options(CLI::App& verb, FrontEndParams& params) {
    const char* group = "Front end";
    verb.add_option("--threshold", params.threshold, "A pixel is ink if its value is greater")
        ->capture_default_str()
        ->group(group);
    verb.add_option("--scale", params.scale, "Enlarge this many times before the threshold")
        ->capture_default_str()
        ->group(group);
    verb.add_flag("--deskew", params.deskew, "Set slanted writing upright first")->group(group);
    verb.add_option("--directions", params.directions,
                    "Look for extrema along this many directions (2: the axes)")
        ->capture_default_str()
        ->group(group);
    verb.add_option("--min-contour", params.min_contour, "Drop contours of fewer points (per unit of scale)")
        ->capture_default_str()
        ->group(group);
    verb.add_option("--min-persistence", params.min_persistence,
                    "Drop nodes that coarsening removes below this (px)")
        ->capture_default_str()
        ->group(group);
    verb.add_flag("--finest-only", params.finest_only, "Only the edges of the finest level")->group(group);
    verb.add_option("--sharpness-reach", params.sharpness_reach,
                    "Steps before and after a node that tell how sharp it is")
        ->capture_default_str()
        ->group(group);
}

void add_picture_options(CLI::App& verb, PictureOptions& options) {
    const char* group = "Your own pictures";
    verb.add_flag("--raw", options.raw, "Take grey levels as they are (255 is ink) instead of normalising")
        ->group(group);
    verb.add_flag("--invert", options.invert, "The other way round than guessed, or with --raw: 0 is ink")
        ->group(group);
}

std::function<Image(const Picture&)> picture_reader(const PictureOptions& options) {
    return [options](const Picture& picture) {
        return options.raw ? grey(picture, options.invert)
                           : normalise(picture, {.invert = options.invert}).image;
    };
}

} // namespace sprig::cli
