#include "sprig/learner.h"

#include <algorithm>

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
