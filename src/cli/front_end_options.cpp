#include "cli/front_end_options.h"

#include <cstdlib>

#include <fmt/format.h>

#include "cli/interrupt.h"
#include "cli/terminal.h"

namespace sprig::cli {

namespace {

const char* const front_end_group = "Front end";

std::string note_on_pen(int thickened) {
    if (thickened == 0) return "";
    return fmt::format("; strokes {} by {} px", thickened > 0 ? "thickened" : "thinned", std::abs(thickened));
}

std::vector<std::string> notes_on(const Normalised& n, const Picture& picture) {
    const char* ink = n.dark_on_light ? "dark ink on light paper" : "light ink on dark paper";
    std::vector<std::string> notes;
    notes.push_back(fmt::format("{} x {} px, read as {} (--invert to swap), threshold {}", picture.width,
                                picture.height, ink, n.threshold));
    notes.push_back(fmt::format("ink of {} x {} px at ({}, {}), scaled to {} px and centred in {} px{}",
                                n.crop[2], n.crop[3], n.crop[0], n.crop[1], n.box, n.image.width,
                                note_on_pen(n.thickened)));
    return notes;
}

} // namespace

void add_contour_options(CLI::App& verb, FrontEndParams& params) {
    verb.add_option("--threshold", params.threshold, "Ink threshold: pixels above this value are ink")
        ->capture_default_str()
        ->group(front_end_group);
    verb.add_option("--scale", params.scale, "Enlarge the image by this factor before thresholding")
        ->capture_default_str()
        ->group(front_end_group);
    verb.add_flag("--deskew", params.deskew, "Correct the slant of the writing first")
        ->group(front_end_group);
    verb.add_option("--min-contour", params.min_contour,
                    "Minimum number of points of a contour, per unit of scale")
        ->capture_default_str()
        ->group(front_end_group);
}

void add_front_end_options(CLI::App& verb, FrontEndParams& params) {
    add_contour_options(verb, params);
    verb.add_option("--directions", params.directions,
                    "Number of directions for detecting extrema (2: the axes)")
        ->capture_default_str()
        ->group(front_end_group);
    verb.add_option("--min-persistence", params.min_persistence, "Minimum persistence of a node, in pixels")
        ->capture_default_str()
        ->group(front_end_group);
    verb.add_flag("--finest-only", params.finest_only, "Use only the edges of the finest level")
        ->group(front_end_group);
    verb.add_option("--sharpness-reach", params.sharpness_reach,
                    "Number of contour steps on each side for measuring sharpness")
        ->capture_default_str()
        ->group(front_end_group);
}

void add_picture_options(CLI::App& verb, PictureOptions& options) {
    verb.add_flag("--raw", options.raw, "Use the grey levels unchanged (255 is ink) instead of normalising")
        ->group(picture_group);
    verb.add_flag("--invert", options.invert, "Swap ink and background; with --raw, 0 is ink")
        ->group(picture_group);
}

Image PictureConverter::convert(const Picture& picture, Conversion* conversion) {
    std::vector<std::string> notes;
    Image image;
    if (options_.raw) {
        notes.emplace_back(options_.invert ? "grey levels inverted" : "grey levels unchanged");
        image = to_grey(picture, options_.invert);
    } else {
        Normalised normalised = normalise(picture, params_);
        ++(normalised.dark_on_light ? dark_on_light_ : light_on_dark_);
        notes = notes_on(normalised, picture);
        image = std::move(normalised.image);
    }
    if (conversion != nullptr) *conversion = {picture, std::move(notes)};
    return image;
}

void PictureConverter::print_ink_summary() const {
    const auto print_count = [](std::size_t count, const char* ink) {
        if (count == 0) return;
        print_message(fmt::format("sprig: {} picture{} read as {} (--invert to swap)", count,
                                  count == 1 ? "" : "s", ink));
    };
    print_count(dark_on_light_, "dark ink on light paper");
    print_count(light_on_dark_, "light ink on dark paper");
}

Dataset load_with_progress(const std::string& address, PictureConverter& converter) {
    ProgressBar bar("reading");
    LoadOptions load;
    load.prepare = [&](const Picture& picture) { return converter.convert(picture); };
    load.progress = [&](std::size_t at, std::size_t of) { bar.update(at, of); };
    Dataset data = load_dataset(address, load);
    stop_if_interrupted();
    converter.print_ink_summary();
    return data;
}

} // namespace sprig::cli
