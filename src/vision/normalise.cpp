#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "core/centre.h"
#include "sprig/error.h"
#include "sprig/front_end.h"
#include "vision/area_scale.h"
#include "vision/even_light.h"
#include "vision/grey_levels.h"
#include "vision/ink.h"
#include "vision/ink_levels.h"
#include "vision/pen.h"
#include "vision/polarity.h"

// Normalises a picture as MNIST was: ink on an empty background, its longer side scaled to a box, centred by
// mass in a square. A photograph is reduced and its light evened out first.

namespace sprig {

namespace {

/// Whether a picture has enough pixels for strokes wider than one of them, and for measuring its noise.
bool is_large(const Image& picture) {
    constexpr int shorter = 150;
    return std::min(picture.width, picture.height) >= shorter;
}

void check(const NormaliseParams& params) {
    if (params.box < 1 || params.side < params.box || params.side > 1024) {
        throw usage_error(
            fmt::format("a box of {} px does not fit into a square of {} px: the square may have up to "
                        "1024 px, and the box at most as many as the square",
                        params.box, params.side));
    }
}

/// With the usual lengths where none are given.
NormaliseParams complete(NormaliseParams params) {
    if (params.box == 0) params.box = NormaliseParams::usual_box;
    if (params.side == 0) params.side = NormaliseParams::usual_side;
    return params;
}

/// `guess` is called only if it is needed.
template <class Guess>
bool is_dark_on_light(const NormaliseParams& params, const Guess& guess) {
    const bool dark = params.polarity == NormaliseParams::Polarity::guess
                          ? guess()
                          : params.polarity == NormaliseParams::Polarity::dark_on_light;
    return dark != params.invert;
}

void invert(Image& picture) {
    for (std::uint8_t& v : picture.pixels) v = static_cast<std::uint8_t>(255 - v);
}

/// A picture in which ink is light, and its levels.
struct Separated {
    Image light;
    InkLevels levels;
    bool dark_on_light = false; ///< the polarity before
};

Separated separated_clean(Image picture, const NormaliseParams& params) {
    const int threshold = otsu(histogram_of(picture));
    const bool dark = is_dark_on_light(params, [&] { return background_is_light(picture, threshold); });
    if (dark) invert(picture);
    const InkLevels levels = clean_ink_levels(picture, dark ? 254 - threshold : threshold);
    return {std::move(picture), levels, dark};
}

/// Smaller, so that noise averages out and the time does not depend on the camera.
Image reduced(Image picture) {
    constexpr int shorter = 384;
    const Size size = reduced_size(picture, shorter);
    if (size != Size{picture.width, picture.height}) picture = scale_area(picture, size);
    // In a smaller picture a stroke may have less than three pixels.
    return is_large(picture) ? box_blurred(picture) : picture;
}

Separated separated_photograph(Image picture, const NormaliseParams& params) {
    picture = reduced(std::move(picture));
    const bool dark = is_dark_on_light(params, [&] { return photographed_background_is_light(picture); });
    even_light(picture, dark);
    if (dark) invert(picture);
    const InkLevels levels = photographed_ink_levels(picture);
    return {std::move(picture), levels, dark};
}

constexpr int least_contrast = 24; // less is the noise of an empty page

bool has_ink(const InkLevels& levels) {
    return levels.are_found() && levels.contrast() >= least_contrast;
}

/// Whether a photograph has ink, as far as its levels and the parts of its ink tell.
bool has_ink(const Separated& photograph, const Ink& ink) {
    const InkLevels& levels = photograph.levels;
    // A person sees contrast beside that of black ink on the same paper.
    const int black = photograph.dark_on_light ? std::max(1, 255 - levels.paper) : 255;
    const int contrast = 255 * levels.contrast() / black;
    if (!levels.are_found() || contrast < least_contrast) return false;
    if (!is_large(photograph.light)) return true;
    // Otsu's threshold separates noise alone by less than three deviations.
    if (levels.contrast() < 6 * levels.noise) return false;
    // Weak parts can be what is left of shadows at the edges, or the grain of the paper.
    if (contrast < 120 && ink.at_edge_only) return false;
    const int shorter = std::min(photograph.light.width, photograph.light.height);
    return contrast >= 80 || 100 * ink.longest >= 4 * shorter;
}

Error without_ink() {
    return bad_input("the picture has no ink: nothing in it stands out from the background");
}

/// A length in the reduced picture as one in the picture.
int enlarged(int length, int from, int to) {
    return static_cast<int>(((2LL * length * to) + from) / (2LL * from));
}

/// A rectangle of the reduced picture as one of the picture.
std::array<int, 4> enlarged(const Rectangle& part, const Image& small, const Picture& picture) {
    const int left = enlarged(part.left, small.width, picture.width);
    const int top = enlarged(part.top, small.height, picture.height);
    return {left, top, enlarged(part.left + part.width, small.width, picture.width) - left,
            enlarged(part.top + part.height, small.height, picture.height) - top};
}

/// Fits the ink into the box and centres it.
Image fitted(const Image& soft, const NormaliseParams& params) {
    const Rectangle shape = bounds_of(soft);
    const int longer = std::max(shape.width, shape.height);
    const auto scaled = [&](int length) {
        return std::max(1, static_cast<int>(((2LL * length * params.box) + longer) / (2LL * longer)));
    };
    return centre_by_mass(scale_area(soft, shape, {scaled(shape.width), scaled(shape.height)}), params.side);
}

/// A picture whose ink was found.
struct Found {
    Separated picture;
    Ink ink;
};

Found found_in(Separated picture) {
    Ink ink = find_ink(picture.light, picture.levels.threshold);
    return {std::move(picture), std::move(ink)};
}

/// The same without what comes in from the edge, such as a table: that may be darker than the ink, and then
/// the threshold separates it from both ink and paper.
Found without_outside(const Found& found) {
    Separated rest = found.picture;
    const Image outside = near_ink(found.ink.outside, 0, near_reach(rest.light));
    for (std::size_t i = 0; i < rest.light.pixels.size(); ++i)
        if (outside.pixels[i] != 0) rest.light.pixels[i] = static_cast<std::uint8_t>(rest.levels.paper);
    rest.levels = photographed_ink_levels(rest.light);
    return found_in(std::move(rest));
}

Found found_in_photograph(Image grey, const NormaliseParams& params) {
    Found found = found_in(separated_photograph(std::move(grey), params));
    if (!found.ink.outside.pixels.empty() && found.picture.levels.are_found()) {
        Found rest = without_outside(found);
        if (rest.ink.is_inside && has_ink(rest.picture, rest.ink)) return rest;
    }
    if (!has_ink(found.picture, found.ink)) throw without_ink();
    return found;
}

Found found_in_clean(Image grey, const NormaliseParams& params) {
    Separated picture = separated_clean(std::move(grey), params);
    if (!has_ink(picture.levels)) throw without_ink();
    return found_in(std::move(picture));
}

} // namespace

NormaliseParams normalise_for(NormaliseParams params, const FrontEndParams& front_end) {
    if (front_end.resolution == 0) return params;
    params.even_pens = true;
    if (params.side == 0) params.side = front_end.resolution;
    if (params.box == 0) {
        // As much of the side as in MNIST.
        constexpr int usual_side = NormaliseParams::usual_side;
        params.box =
            ((2 * front_end.resolution * NormaliseParams::usual_box) + usual_side) / (2 * usual_side);
    }
    return params;
}

Normalised normalise(const Picture& picture, const NormaliseParams& given) {
    const NormaliseParams params = complete(given);
    check(params);
    Image grey = composite_over(picture, background_for(picture));
    const bool is_photograph =
        params.even_light && std::min(grey.width, grey.height) >= smallest_for_even_light;
    const auto [found, ink] = is_photograph ? found_in_photograph(std::move(grey), params)
                                            : found_in_clean(std::move(grey), params);
    Normalised result;
    result.box = params.box;
    result.dark_on_light = found.dark_on_light;
    result.threshold = found.dark_on_light ? 254 - found.levels.threshold : found.levels.threshold;
    Image soft = soft_ink(found.light, ink.mask, found.levels.paper, found.levels.ink);
    result.crop = enlarged(bounds_of(soft), found.light, picture);
    if (params.even_pens) {
        const EvenedPen evened = even_pen(soft, params.box);
        result.thickened = static_cast<int>(std::lround(evened.widened * picture.width / found.light.width));
        result.image = fitted(evened.ink, params);
        return result;
    }
    result.thickened = enlarged(thicken(soft, ink.mask, params.box), found.light.width, picture.width);
    result.image = fitted(soft, params);
    return result;
}

} // namespace sprig
