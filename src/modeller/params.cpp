#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sprig/error.h"
#include "sprig/modeller.h"

namespace sprig {

namespace {

template <typename Enum>
using Names = std::vector<std::pair<Enum, std::string_view>>;

/// Calls `visit(name, member)` for every parameter, and `visit(name, member, names)` for those that are one
/// of several words. The one list from which parameters are read, written and set.
template <typename Params, typename Visit>
void each_parameter(Params& p, Visit visit) {
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
}

[[noreturn]] void refuse(std::string_view name, std::string_view value, std::string_view wanted) {
    throw usage_error(fmt::format("{}={} makes no sense: {} is {}", name, value, name, wanted));
}

template <typename Number>
void set_number(std::string_view name, Number& member, std::string_view value) {
    Number number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc{} || end != value.data() + value.size()) {
        refuse(name, value, std::is_floating_point_v<Number> ? "a number" : "a whole number in its range");
    }
    member = number;
}

void set_value(std::string_view name, bool& member, std::string_view value) {
    if (value != "true" && value != "false") refuse(name, value, "true or false");
    member = value == "true";
}
void set_value(std::string_view name, double& member, std::string_view value) {
    set_number(name, member, value == "none" ? "inf" : value);
}
template <std::integral Number>
void set_value(std::string_view name, Number& member, std::string_view value) {
    set_number(name, member, value);
}
template <typename Enum>
void set_value(std::string_view name, Enum& member, std::string_view value, const Names<Enum>& names) {
    std::string words;
    for (const auto& [word, text] : names) {
        if (text == value) {
            member = word;
            return;
        }
        words += fmt::format("{}{}", words.empty() ? "" : ", ", text);
    }
    refuse(name, value, "one of " + words);
}

} // namespace

void set_parameter(ModellerParams& params, std::string_view name, std::string_view value) {
    ModellerParams changed = params;
    bool found = false;
    std::string known;
    each_parameter(changed, [&](std::string_view called, auto& member, const auto&... names) {
        known += fmt::format("{}{}", known.empty() ? "" : ", ", called);
        if (called != name) return;
        found = true;
        set_value(name, member, value, names...);
    });
    if (!found) throw usage_error(fmt::format("the modeller has no parameter {}: there are {}", name, known));
    changed.check();
    params = changed; // only now: what is refused leaves no trace
}

std::string to_json(const ModellerParams& params) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    each_parameter(params, [&](const char* name, const auto& member, const auto&... names) {
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (sizeof...(names) > 0) {
            for (const auto& [word, text] : (names, ...)) {
                if (word == member) json[name] = text;
            }
        } else if constexpr (std::is_same_v<Member, double>) {
            json[name] =
                std::isinf(member) ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(member);
        } else {
            json[name] = member;
        }
    });
    return json.dump();
}

void ModellerParams::check() const {
    const auto require = [](bool holds, std::string_view what) {
        if (!holds) throw usage_error(fmt::format("the modeller's {}", what));
    };
    const auto is_share = [](double value) { return value >= 0 && value <= 1; };
    require(max_error > 0, "max_error must be greater than 0 (none: no bound)");
    require(search_budget > 0, "search_budget must be at least 1");
    require(seeds >= 1 && seeds <= 1000, "seeds must be from 1 to 1000");
    require(match_threshold > 0 && match_threshold <= 1, "match_threshold must be above 0, and at most 1");
    require(is_share(spawn_reliability) && is_share(refine_reliability), "reliabilities must be from 0 to 1");
    require(significance > 0 && significance < 0.5, "significance must be between 0 and 0.5");
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
        throw usage_error(
            fmt::format("the modeller has no preset {}: there are best, paper and paper-literal", name));
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
