#include "sprig/learner.h"

#include <algorithm>
#include <cmath>

#include "sprig/error.h"

namespace sprig {

LearnReport& LearnReport::operator+=(const LearnReport& other) {
    events.insert(events.end(), other.events.begin(), other.events.end());
    work += other.work;
    return *this;
}

std::size_t LearnReport::count(UnitEvent::Kind kind) const {
    return static_cast<std::size_t>(std::count_if(
        events.begin(), events.end(), [&](const UnitEvent& event) { return event.kind == kind; }));
}

const Decision& Reader::decide(const Network& network) {
    const Prediction& prediction = predict(network);
    decision_.best = prediction.best;
    decision_.work = prediction.work;
    return decision_;
}

void Reader::set_budget(std::size_t /*units*/) {}

std::array<double, 2> FoundPose::to_observation(std::array<double, 2> in_pattern) const {
    if (!is_changed()) return in_pattern;
    const double x = left_right ? -in_pattern[0] : in_pattern[0];
    const double y = top_bottom ? -in_pattern[1] : in_pattern[1];
    // The observation was turned to match the unit, so that the unit is turned back. Rounded, because the
    // last bits of a cosine differ between C libraries.
    constexpr double one = 4294967296.0;
    const double cosine = std::round(std::cos(turned) * one) / one;
    const double sine = std::round(std::sin(turned) * one) / one;
    return {(cosine * x) + (sine * y), (cosine * y) - (sine * x)};
}

std::vector<Addition> Reader::possible_additions(const Network& /*network*/, std::size_t /*in_favour*/,
                                                 std::size_t /*against*/) {
    return {};
}

std::vector<double> Reader::scores_with(const Network& network, std::span<const Addition> added) {
    if (!added.empty()) throw usage_error("this learner does not support additions to an observation");
    return predict(network).scores;
}

std::size_t Reader::fewest_needed(const Network& /*network*/, std::size_t /*label*/,
                                  std::span<const Addition> /*candidates*/, double /*score*/) {
    return 0;
}

} // namespace sprig
