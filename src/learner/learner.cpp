#include "sprig/learner.h"

#include <algorithm>

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

} // namespace sprig
