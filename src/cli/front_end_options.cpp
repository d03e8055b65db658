#include "cli/front_end_options.h"

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/terminal.h"

namespace sprig::cli {

namespace {

const char* const front_end_group = "Front end";

std::vector<std::string> notes_on(const Normalised& n, const Picture& picture,
                                  const NormaliseParams& params) {
    const char* ink = n.dark_on_light ? "dark ink on light paper" : "light ink on dark paper";
    std::vector<std::string> notes;
    notes.push_back(fmt::format("{} x {} px, taken as {} (--invert for the other way round), threshold {}",
                                picture.width, picture.height, ink, n.threshold));
    notes.push_back(
        fmt::format("ink of {} x {} px at ({}, {}), scaled to {} px and centred in {} px{}", n.crop[2],
                    n.crop[3], n.crop[0], n.crop[1], params.box, params.side,
                    n.thickened > 0 ? fmt::format("; thin strokes widened by {} px", n.thickened) : ""));
    return notes;
}

} // namespace

void add_contour_options(CLI::App& verb, FrontEndParams& params) {
    verb.add_option("--threshold", params.threshold, "A pixel is ink if its value is greater")
        ->capture_default_str()
        ->group(front_end_group);
    verb.add_option("--scale", params.scale, "Enlarge this many times before the threshold")
        ->capture_default_str()
        ->group(front_end_group);
    verb.add_flag("--deskew", params.deskew, "Set slanted writing upright first")->group(front_end_group);
    verb.add_option("--min-contour", params.min_contour, "Drop contours of fewer points (per unit of scale)")
        ->capture_default_str()
        ->group(front_end_group);
}

void add_front_end_options(CLI::App& verb, FrontEndParams& params) {
    add_contour_options(verb, params);
    verb.add_option("--directions", params.directions,
                    "Look for extrema along this many directions (2: the axes)")
        ->capture_default_str()
        ->group(front_end_group);
    verb.add_option("--min-persistence", params.min_persistence,
                    "Drop nodes that coarsening removes below this (px)")
        ->capture_default_str()
        ->group(front_end_group);
    verb.add_flag("--finest-only", params.finest_only, "Only the edges of the finest level")
        ->group(front_end_group);
    verb.add_option("--sharpness-reach", params.sharpness_reach,
                    "Steps before and after a node that tell how sharp it is")
        ->capture_default_str()
        ->group(front_end_group);
}

void add_picture_options(CLI::App& verb, PictureOptions& options) {
    const char* group = "Your own pictures";
    verb.add_flag("--raw", options.raw, "Take grey levels as they are (255 is ink) instead of normalising")
        ->group(group);
    verb.add_flag("--invert", options.invert, "The other way round than guessed, or with --raw: 0 is ink")
        ->group(group);
}

Image PictureReader::take(const Picture& picture, Taken* taken) {
    std::vector<std::string> notes;
    Image image;
    if (options_.raw) {
        ++as_they_are_;
        notes.emplace_back(options_.invert ? "grey levels inverted" : "grey levels taken as they are");
        image = grey(picture, options_.invert);
    } else {
        const NormaliseParams params{.invert = options_.invert};
        Normalised normalised = normalise(picture, params);
        ++(normalised.dark_on_light ? dark_on_light_ : light_on_dark_);
        notes = notes_on(normalised, picture, params);
        image = std::move(normalised.image);
    }
    if (taken != nullptr) *taken = {picture, std::move(notes)};
    return image;
}

void PictureReader::say_what_was_taken() const {
    const auto pictures = [](std::size_t count) {
        return fmt::format("{} picture{}", count, count == 1 ? "" : "s");
    };
    if (dark_on_light_ > 0) {
        say(fmt::format("sprig: {} taken as dark ink on light paper (--invert for the other way round)",
                        pictures(dark_on_light_)));
    }
    if (light_on_dark_ > 0) {
        say(fmt::format("sprig: {} taken as light ink on dark paper (--invert for the other way round)",
                        pictures(light_on_dark_)));
    }
}

Dataset load_shown(const std::string& address, PictureReader& reader) {
    ProgressBar bar("reading");
    LoadOptions load;
    load.prepare = [&](const Picture& picture) { return reader.take(picture); };
    load.progress = [&](std::size_t at, std::size_t of) { bar.update(at, of); };
    Dataset data = load_dataset(address, load);
    stop_if_interrupted();
    reader.say_what_was_taken();
    return data;
}

} // namespace sprig::cli
