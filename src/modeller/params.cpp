#include <cmath>

#include <fmt/format.h>

#include "core/parameters.h"
#include "sprig/error.h"
#include "sprig/modeller.h"

namespace sprig {

namespace {

using parameters::Names;

/// The list of all parameters: see core/parameters.h.
constexpr auto each_parameter = [](auto& p, auto visit) {
    using P = ModellerParams;
    visit("max_error", p.max_error);
    visit("search_budget", p.search_budget);
    visit("seeds", p.seeds);
    visit("match_threshold", p.match_threshold);
    visit("growth", p.growth,
          Names<P::Growth>{{P::Growth::greedy, "greedy"}, {P::Growth::population, "population"}});
    visit("residuals", p.residuals,
          Names<P::Residuals>{{P::Residuals::dropped, "dropped"},
                              {P::Residuals::while_unreliable, "while_unreliable"},
                              {P::Residuals::always, "always"}});
    visit("spawn_reliability", p.spawn_reliability);
    visit("refine_reliability", p.refine_reliability);
    visit("suppressors", p.suppressors);
    visit("position_gate", p.position_gate,
          Names<P::PositionGate>{{P::PositionGate::none, "none"},
                                 {P::PositionGate::match, "match"},
                                 {P::PositionGate::suppressors, "suppressors"},
                                 {P::PositionGate::nodes, "nodes"}});
    visit("significance", p.significance);
    visit("depth_scaling", p.depth_scaling,
          Names<P::DepthScaling>{{P::DepthScaling::none, "none"},
                                 {P::DepthScaling::half_linear, "half_linear"},
                                 {P::DepthScaling::logarithmic, "logarithmic"}});
    visit("reintegration_threshold", p.reintegration_threshold);
    visit("removal_rate", p.removal_rate);
    visit("reintegration_rate", p.reintegration_rate);
    visit("stale_removal", p.stale_removal);
    visit("stale_reintegration", p.stale_reintegration);
    visit("reintegrate_since_birth", p.reintegrate_since_birth);
    visit("means_of_active_only", p.means_of_active_only);
    visit("read_out", p.read_out,
          Names<P::ReadOut>{{P::ReadOut::geometric, "geometric"},
                            {P::ReadOut::student, "student"},
                            {P::ReadOut::presence, "presence"},
                            {P::ReadOut::graded, "graded"},
                            {P::ReadOut::precedence, "precedence"}});
    visit("chains", p.chains,
          Names<P::Chains>{{P::Chains::anchored, "anchored"}, {P::Chains::unified, "unified"}});
    visit("average_trees", p.average_trees);
    visit("position_weight", p.position_weight);
    visit("orientation_weight", p.orientation_weight);
    visit("concentration", p.concentration);
    visit("spread_floor", p.spread_floor);
    visit("smoothing", p.smoothing);
    visit("prior_weight", p.prior_weight);
    visit("maturity", p.maturity);
    visit("first_level_at_once", p.first_level_at_once);
    visit("read_suppressors", p.read_suppressors);
};

} // namespace

void set_parameter(ModellerParams& params, std::string_view name, std::string_view value) {
    ModellerParams changed = params;
    if (!parameters::set_in(changed, each_parameter, name, value)) {
        throw usage_error(fmt::format("the modeller has no parameter {}: its parameters are {}", name,
                                      parameters::names_in(params, each_parameter)));
    }
    changed.check();
    params = changed; // only now, so that an invalid value changes nothing
}

std::string to_json(const ModellerParams& params) {
    return parameters::json_text(params, each_parameter);
}

void ModellerParams::check() const {
    const auto require = [](bool holds, std::string_view what) {
        if (!holds) throw usage_error(fmt::format("the modeller's {}", what));
    };
    const auto is_share = [](double value) { return value >= 0 && value <= 1; };
    require(max_error > 0, "max_error must be greater than 0 (none: no limit)");
    require(search_budget > 0, "search_budget must be at least 1");
    require(seeds >= 1 && seeds <= 1000, "seeds must be from 1 to 1000");
    require(match_threshold > 0 && match_threshold <= 1,
            "match_threshold must be greater than 0 and at most 1");
    require(is_share(spawn_reliability) && is_share(refine_reliability), "reliabilities must be from 0 to 1");
    require(significance > 0 && significance < 0.5, "significance must be between 0 and 0.5");
    require(reintegration_threshold > 0.5 && reintegration_threshold < 1,
            "reintegration_threshold must be between 0.5 and 1");
    require(is_share(removal_rate) && is_share(reintegration_rate), "rates must be from 0 to 1");
    require(is_share(stale_removal) && is_share(stale_reintegration), "stale factors must be from 0 to 1");
    require(position_weight >= 0 && orientation_weight >= 0 && concentration >= 0 &&
                std::isfinite(position_weight + orientation_weight + concentration),
            "weights must be finite and not negative");
    require(spread_floor > 0 && std::isfinite(spread_floor),
            "spread_floor must be finite and greater than 0");
    require(smoothing > 0 && std::isfinite(smoothing), "smoothing must be finite and greater than 0");
    require(prior_weight > 0 && std::isfinite(prior_weight),
            "prior_weight must be finite and greater than 0");
}

ModellerParams modeller_preset(std::string_view name) {
    ModellerParams params;
    if (name == "best") return params;
    if (name != "paper" && name != "paper-literal") {
        throw usage_error(fmt::format(
            "the modeller has no preset {}: its presets are best, paper and paper-literal", name));
    }
    params.max_error = 16;
    params.removal_rate = 0.5;
    params.residuals = ModellerParams::Residuals::while_unreliable;
    params.depth_scaling = ModellerParams::DepthScaling::half_linear;
    params.stale_reintegration = name == "paper" ? 0 : 0.5;
    params.read_out = ModellerParams::ReadOut::geometric;
    params.smoothing = 0.5;
    params.average_trees = false;
    params.maturity = 0;
    params.first_level_at_once = false;
    params.position_weight = 3;
    return params;
}

} // namespace sprig
