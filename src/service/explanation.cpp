#include <array>
#include <cmath>

#include "core/json_object.h"
#include "service/base64.h"
#include "service/service.h"

namespace sprig::service {

namespace {

/// A map of the plane in the order of the canvas: (x, y) to (a x + c y + e, b x + d y + f).
using Affine = std::array<double, 6>;

ImageExplanation explanation_of(const Model& model, const Sample& sample, const ExplainOptions& options) {
    if (const auto* const image = std::get_if<Image>(&sample)) return model.explain(image->view(), options);
    if (const auto* const picture = std::get_if<Picture>(&sample)) return model.explain(*picture, options);
    return model.explain(std::get<Strokes>(sample), options);
}

/// From coordinates of the network to those of the image, whose corner is (0, 0): half a pixel from the
/// centre of the first pixel.
Affine to_image(const FrontEndView& view) {
    const CoordinateTransform& to = view.transform;
    // Undoes the rotation and the unit.
    const double cosine = to.cosine / to.unit;
    const double sine = to.sine / to.unit;
    const double shear = view.slant.shear;
    return {cosine + (shear * sine),
            sine,
            (shear * cosine) - sine,
            cosine,
            to.origin_x + (shear * (to.origin_y - view.slant.centre_y)) + 0.5,
            to.origin_y + 0.5};
}

/// From coordinates of the image to those of the drawing or of the image that was given. Null if the
/// normalisation has no inverse of this form.
Json to_drawing(const Model& model, const Sample& sample) {
    if (std::holds_alternative<Image>(sample)) return Affine{1, 0, 0, 1, 0, 0};
    const auto* const strokes = std::get_if<Strokes>(&sample);
    if (strokes == nullptr) return nullptr;
    const StrokePlacement placed = model.placement(*strokes);
    const double size = 1 / placed.scale;
    const Affine inverse = {size, 0, 0, size, -placed.left * size, -placed.top * size};
    for (const double value : inverse)
        if (!std::isfinite(value)) return nullptr;
    return inverse;
}

Json view_json(const Model& model, const Sample& sample, const FrontEndView& view) {
    return json_object({{"image", json_object({{"width", view.image.width},
                                               {"height", view.image.height},
                                               {"pixels", to_base64(view.image.pixels)}})},
                        {"to_image", to_image(view)},
                        {"to_drawing", to_drawing(model, sample)}});
}

} // namespace

Json explain(const Model& model, const Sample& sample, const ExplainRequest& request) {
    ExplainOptions options;
    options.versus = request.versus;
    const ImageExplanation explanation = explanation_of(model, sample, options);
    const LocalExplanation& values = explanation.values();
    Json reply = Json::parse(explanation.json());
    reply["text"] = sentences(values);
    if (request.svg) reply["svg"] = explanation.svg();
    reply["view"] = view_json(model, sample, *values.front_end_view);
    return reply;
}

} // namespace sprig::service
