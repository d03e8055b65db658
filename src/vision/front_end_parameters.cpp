#include "vision/front_end_parameters.h"

#include "core/parameters.h"

namespace sprig {

namespace {

using parameters::Names;

/// The list of all parameters: see core/parameters.h.
constexpr auto each_parameter = [](auto& p, auto visit) {
    using Frame = FrontEndParams::Frame;
    visit("threshold", p.threshold);
    visit("scale", p.scale);
    visit("deskew", p.deskew);
    visit("frame", p.frame,
          Names<Frame>{{Frame::image, "image"},
                       {Frame::centred, "centred"},
                       {Frame::ink, "ink"},
                       {Frame::axis, "axis"}});
    visit("directions", p.directions);
    visit("min_contour", p.min_contour);
    visit("min_persistence", p.min_persistence);
    visit("single_scale", p.finest_only); // the paper's name for this ablation
    visit("sharpness_reach", p.sharpness_reach);
    visit("relations", p.relations);
    visit("resolution", p.resolution);
    visit("slant_damping", p.slant_damping);
    visit("min_part", p.min_part);
};

} // namespace

bool set_parameter(FrontEndParams& params, std::string_view name, std::string_view value) {
    return parameters::set_in(params, each_parameter, name, value);
}

std::string front_end_parameter_names() {
    return parameters::names_in(FrontEndParams{}, each_parameter);
}

std::string to_json(const FrontEndParams& params) {
    return parameters::json_text(params, each_parameter);
}

FrontEndParams read_front_end(const std::string& json) {
    FrontEndParams params;
    parameters::read(json, [&](std::string_view name, std::string_view value) {
        if (!set_parameter(params, name, value))
            throw usage_error(fmt::format("the front end has no parameter {}", name));
    });
    (void)front_end_schema(params); // checks the ranges
    return params;
}

} // namespace sprig
