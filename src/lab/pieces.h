#pragma once

#include <string>
#include <vector>

#include "lab/kept_pieces.h"
#include "lab/parallel.h"
#include "lab/study.h"

namespace sprig::lab {

/// Work that one thread does on its own, and whose result is worth keeping.
struct Piece {
    Work work;
    std::uint64_t seed = 0;
    double seconds = 1;    ///< about how long it takes
    std::size_t ticks = 1; ///< how often it ticks
    std::function<nlohmann::ordered_json(const Tick& tick)> compute;
    IsSound is_sound; ///< of what `compute` gives always true
};

/// What all of them gave, in their order. What the context keeps is not computed again; what is missing is
/// shared by its threads and its team, and kept as soon as it is finished. All members of a team must come
/// here with the same pieces. `title` is for the progress. Throws std::logic_error if two pieces are kept in
/// one place.
[[nodiscard]] std::vector<nlohmann::ordered_json>
compute_pieces(const StudyContext& context, const std::vector<Piece>& pieces, const std::string& title);

} // namespace sprig::lab
