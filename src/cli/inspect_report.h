#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sprig/model.h"

namespace sprig::cli {

/// Seen more than once: what was seen once is in effect a stored image.
inline constexpr std::uint64_t usual_maturity = 2;

/// What a model is and knows, as a person reads it.
[[nodiscard]] std::string model_report(const std::string& name, const Model& model);

/// One unit, with what it stands on and what became of it.
struct UnitDossier {
    UnitView unit;
    std::vector<UnitView> below; ///< the unit that it conditions, that one's and so on
    std::vector<UnitView> above; ///< the units that condition it
    std::vector<LoggedEvent> history;
};
/// `id`: the beginning of the unit's name. Throws Error(usage) unless it is that of one unit only.
[[nodiscard]] UnitDossier find_unit(const std::string& name, const Model& model, std::string_view id);
[[nodiscard]] std::string unit_report(const Model& model, const UnitDossier& dossier);

/// The unit and all below it, as SVG.
[[nodiscard]] std::string draw_dossier(const UnitDossier& dossier);
/// All units of each class that were observed so often, as SVG. If nobody says how often: more than once,
/// and of a class that has no such unit the most observed one. Throws Error(usage) if there is nothing to
/// draw.
[[nodiscard]] std::string draw_mature(const std::string& name, const Model& model,
                                      std::optional<std::uint64_t> maturity);

} // namespace sprig::cli
