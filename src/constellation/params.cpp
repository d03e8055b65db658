#include <cmath>

#include <fmt/format.h>

#include "core/parameters.h"
#include "sprig/constellation.h"
#include "sprig/error.h"

namespace sprig {

namespace {

using parameters::Names;

/// The list of all parameters: see core/parameters.h.
constexpr auto each_parameter = [](auto& p, auto visit) {
    using Assignment = ConstellationParams::Assignment;
    using Poses = ConstellationParams::Poses;
    visit("position_weight", p.position_weight);
    visit("neighbour_weight", p.neighbour_weight);
    visit("survivor_weight", p.survivor_weight);
    visit("persistence_weight", p.persistence_weight);
    visit("sharpness_weight", p.sharpness_weight);
    visit("position_spread", p.position_spread);
    visit("displacement_spread", p.displacement_spread);
    visit("persistence_spread", p.persistence_spread);
    visit("sharpness_spread", p.sharpness_spread);
    visit("prior_weight", p.prior_weight);
    visit("clutter_rate", p.clutter_rate);
    visit("clutter_area", p.clutter_area);
    visit("assignment", p.assignment,
          Names<Assignment>{{Assignment::greedy, "greedy"}, {Assignment::optimal, "optimal"}});
    visit("poses", p.poses,
          Names<Poses>{{Poses::fixed, "fixed"}, {Poses::flips, "flips"}, {Poses::any, "any"}});
    visit("join_threshold", p.join_threshold);
    visit("join_growth", p.join_growth);
    visit("late_doubt", p.late_doubt);
    visit("fading_rate", p.fading_rate);
    visit("fading_age", p.fading_age);
    visit("strict", p.strict);
    visit("patience", p.patience);
    visit("max_units", p.max_units);
    visit("temperature", p.temperature);
};

constexpr double one_unit_per_class = -std::numeric_limits<double>::infinity();

/// The paper's front end and vocabulary: two axes, positions and relations along the contour.
ConstellationPreset paper_vocabulary() {
    ConstellationPreset preset;
    preset.front_end.relations = false;
    preset.params.position_spread = 2;
    preset.params.neighbour_weight = 0.25;
    preset.params.sharpness_weight = 0;
    preset.params.prior_weight = 4;
    preset.params.temperature = 4;
    preset.params.join_threshold = one_unit_per_class;
    return preset;
}

/// For speed: the unscaled image, four directions. In this and the following preset coordinates are relative
/// to the centre and size of the ink, so that the position and size of a shape have no effect.
ConstellationPreset fast() {
    ConstellationPreset preset;
    preset.front_end.directions = 4;
    preset.front_end.frame = FrontEndParams::Frame::ink;
    preset.front_end.relations = false;
    return preset;
}

/// For any shapes in images of any size. Contours have sub-pixel detail, the slant is removed, and small
/// parts are kept, but neither they nor small structure along a contour move the rest.
ConstellationPreset standard() {
    ConstellationPreset preset = fast();
    preset.front_end.directions = 8;
    preset.front_end.resolution = 84;
    preset.front_end.threshold = 115;
    preset.front_end.deskew = true;
    preset.front_end.slant_damping = 0.5;
    preset.front_end.min_part = 0.04;
    preset.front_end.min_contour = 4;
    preset.front_end.min_persistence = 0.75;
    preset.params.persistence_weight = 0.25;
    preset.params.sharpness_spread = 0.1;
    preset.params.displacement_spread = 3;
    preset.params.prior_weight = 5;
    preset.params.clutter_rate = 0.1;
    preset.params.join_growth = 1;
    preset.params.temperature = 16;
    return preset;
}

bool was_a_preset(std::string_view name) {
    return name == "accurate" || name == "long" || name == "general";
}

} // namespace

void set_parameter(ConstellationParams& params, std::string_view name, std::string_view value) {
    ConstellationParams changed = params;
    if (!parameters::set_in(changed, each_parameter, name, value)) {
        throw usage_error(fmt::format("constellation has no parameter {}: there are {}", name,
                                      parameters::names_in(params, each_parameter)));
    }
    changed.check();
    params = changed; // after the check: an invalid value changes nothing
}

std::string to_json(const ConstellationParams& params) {
    return parameters::json_text(params, each_parameter);
}

void ConstellationParams::check() const {
    const auto require = [](bool holds, std::string_view what) {
        if (!holds) throw usage_error(fmt::format("constellation's {}", what));
    };
    double weights = 0;
    for (const double weight :
         {position_weight, neighbour_weight, survivor_weight, persistence_weight, sharpness_weight}) {
        require(weight >= 0 && weight <= 1 && 4 * weight == std::floor(4 * weight),
                "weights must be 0, 0.25, 0.5, 0.75 or 1");
        weights += weight;
    }
    require(weights > 0, "weights must not all be 0");
    for (const double spread : {position_spread, displacement_spread, persistence_spread, sharpness_spread}) {
        require(spread >= 0.01 && spread <= 1000, "spreads must be from 0.01 to 1000");
    }
    require(prior_weight >= 1 && prior_weight <= 1e6, "prior_weight must be from 1 to 1000000");
    require(clutter_rate > 0 && clutter_rate <= 1, "clutter_rate must be above 0 and at most 1");
    require(clutter_area >= 1 && clutter_area <= 1e9, "clutter_area must be from 1 to 1000000000");
    require(!std::isnan(join_threshold) && join_threshold < 1e6,
            "join_threshold must be a number (-inf: one unit per class)");
    require(join_growth >= 0 && join_growth <= 1e6, "join_growth must be from 0 to 1000000");
    require(late_doubt <= 1'000'000, "late_doubt must be at most 1000000");
    require(fading_rate >= 0 && fading_rate <= 1, "fading_rate must be from 0 to 1");
    require(patience >= 1, "patience must be at least 1");
    require(max_units >= 1, "max_units must be at least 1");
    require(temperature > 0 && temperature <= 1e6, "temperature must be above 0 and at most 1000000");
}

ConstellationPreset constellation_preset(std::string_view name) {
    if (name == "default") return standard();
    if (name == "fast") return fast();
    if (name == "paper-vocabulary") return paper_vocabulary();
    throw usage_error(
        fmt::format("constellation has no preset {}: there are default, fast and paper-vocabulary{}", name,
                    was_a_preset(name) ? "; default has taken its place" : ""));
}

} // namespace sprig
