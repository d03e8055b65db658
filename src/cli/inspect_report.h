#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sprig/model.h"

namespace sprig::cli {

/// A unit that was observed only once is in effect a stored image.
inline constexpr std::uint64_t default_maturity = 2;

/// A report on a model: its properties, classes and units.
[[nodiscard]] std::string model_report(const std::string& name, const Model& model);

/// A unit with its related units and its history.
struct UnitDetails {
    UnitView unit;
    std::vector<UnitView> below; ///< the unit it conditions, the one that this conditions, and so on
    std::vector<UnitView> above; ///< the units that condition it
    std::vector<LoggedEvent> history;
};
/// Finds the unit whose identifier starts with `id`. Throws Error(usage) if there is none or more than one.
[[nodiscard]] UnitDetails find_unit(const std::string& name, const Model& model, std::string_view id);
[[nodiscard]] std::string unit_report(const Model& model, const UnitDetails& details);

/// The unit and the units below it, as SVG.
[[nodiscard]] std::string draw_unit_chain(const UnitDetails& details);
/// All units with at least `maturity` observations, as SVG. By default `default_maturity`, or for a class
/// without such a unit its most observed one. Throws Error(usage) if there is nothing to draw.
[[nodiscard]] std::string draw_mature_units(const std::string& name, const Model& model,
                                            std::optional<std::uint64_t> maturity);

} // namespace sprig::cli
