#include "constellation/sketch.h"

#include <algorithm>
#include <bit>

namespace sprig::constellation {

namespace {

/// A coordinate between the middles of two parts.
struct Between {
    std::size_t lower;
    unsigned upper_share; ///< in quarters: 4 in the middle of the upper part
};

Between between_parts(double at) {
    constexpr double apart = 20.0 / 3; // the middles of two parts, in the frame of the ink
    constexpr double upper_end = 8;    // the middle of the last part, in quarters from that of the first
    const auto quarters = static_cast<unsigned>(std::clamp(((at / apart) + 1) * 4 + 0.5, 0.0, upper_end));
    const std::size_t lower = quarters < 4 ? 0 : 1;
    return {lower, quarters - (4 * static_cast<unsigned>(lower))};
}

/// The place of a feature, or 0 of its value if it is not in use.
double value_of(const double* row, const FeatureSet& set, Feature feature) {
    const std::size_t f = set.places[static_cast<std::size_t>(feature)];
    return f == no_place ? 0 : row[f];
}

} // namespace

Sketch::Sketch(const Unit& unit, const FeatureSet& set, std::size_t types) {
    clear(types);
    for (std::size_t node = 0; node < unit.size(); ++node) {
        const double* const row = unit.means.data() + (node * set.size());
        add(unit.nodes[node].type, value_of(row, set, Feature::x), value_of(row, set, Feature::y));
    }
}

void Sketch::assign(const ObservationFeatures& observed) {
    clear(observed.types());
    for (std::size_t type = 0; type < observed.types(); ++type) {
        for (std::size_t node = observed.begin(type); node < observed.begin(type + 1); ++node) {
            const double* const row = observed.features(node);
            add(type, value_of(row, observed.set(), Feature::x), value_of(row, observed.set(), Feature::y));
        }
    }
}

void Sketch::add(std::size_t type, double x, double y) {
    const Between across = between_parts(x);
    const Between down = between_parts(y);
    for (const std::size_t below : {0U, 1U}) {
        for (const std::size_t right : {0U, 1U}) {
            const unsigned along_x = right == 1 ? across.upper_share : 4 - across.upper_share;
            const unsigned along_y = below == 1 ? down.upper_share : 4 - down.upper_share;
            const std::size_t at = (parts * type) + (side * (down.lower + below)) + across.lower + right;
            Bytes& block = values_[at / sizeof(Bytes)];
            const unsigned sum = block[at % sizeof(Bytes)] + (along_x * along_y);
            block[at % sizeof(Bytes)] = static_cast<std::uint8_t>(std::min(sum, 255U));
        }
    }
}

std::uint32_t Sketch::distance(const Bytes* other) const {
    using Words = std::uint16_t __attribute__((vector_size(16)));
    constexpr std::size_t at_once = 64; // vectors whose differences cannot exceed a short integer
    std::uint32_t distance = 0;
    for (std::size_t first = 0; first < values_.size(); first += at_once) {
        Words sum{};
        for (std::size_t i = first; i < std::min(values_.size(), first + at_once); ++i) {
            const Bytes a = values_[i];
            const Bytes b = other[i];
            const auto off = std::bit_cast<Words>((a > b ? a : b) - (a > b ? b : a));
            sum += (off & 0xffU) + (off >> 8U);
        }
        for (std::size_t lane = 0; lane < 8; ++lane) distance += sum[lane];
    }
    return distance;
}

} // namespace sprig::constellation
