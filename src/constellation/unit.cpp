#include "constellation/unit.h"

#include <algorithm>

namespace sprig::constellation {

namespace {

/// One observation joins one unit.
class Joining {
  public:
    Joining(const Unit& unit, const Shown& shown, std::span<const std::uint32_t> placed,
            const ConstellationParams& params)
        : unit_(unit), shown_(shown), placed_(placed), params_(params), width_(shown.width),
          asked_for_(shown.size(), false) {
        result_.lineage = unit.lineage;
        result_.born = unit.born;
        result_.count = unit.count + 1;
        for (const std::uint32_t seen : placed)
            if (seen != nowhere) asked_for_[seen] = true;
    }

    Unit go() {
        std::size_t node = 0;
        for (std::uint32_t type = 0; type < shown_.types(); ++type) {
            for (; node < unit_.size() && unit_.nodes[node].type == type; ++node) keep(node);
            for (std::uint32_t seen = shown_.begins[type]; seen < shown_.begins[type + 1]; ++seen)
                if (!asked_for_[seen] && !params_.strict) enter(type, seen);
        }
        return std::move(result_);
    }

  private:
    void keep(std::size_t node) {
        UnitNode record = unit_.nodes[node];
        ++record.watched;
        const std::uint32_t seen = placed_[node];
        if (seen != nowhere) ++record.hits;
        if (goes(record, seen)) return;
        const auto first = static_cast<std::ptrdiff_t>(node * width_);
        const auto width = static_cast<std::ptrdiff_t>(width_);
        result_.nodes.push_back(record);
        result_.means.insert(result_.means.end(), unit_.means.begin() + first,
                             unit_.means.begin() + first + width);
        result_.squares.insert(result_.squares.end(), unit_.squares.begin() + first,
                               unit_.squares.begin() + first + width);
        if (seen != nowhere) move(static_cast<double>(record.hits), shown_.of(seen));
    }

    [[nodiscard]] bool goes(const UnitNode& record, std::uint32_t seen) const {
        if (params_.strict) return seen == nowhere;
        return record.watched >= params_.fading_age &&
               static_cast<double>(record.hits) < params_.fading_rate * static_cast<double>(record.watched);
    }

    /// Moves the last node's running means (Welford's way, which loses no digits).
    void move(double hits, const double* seen) {
        double* mean = result_.means.data() + result_.means.size() - width_;
        double* squares = result_.squares.data() + result_.squares.size() - width_;
        for (std::size_t f = 0; f < width_; ++f) {
            const double off = seen[f] - mean[f];
            mean[f] += off / hits;
            squares[f] += off * (seen[f] - mean[f]);
        }
    }

    void enter(std::uint32_t type, std::uint32_t seen) {
        result_.nodes.push_back({type, 1, 1 + std::min(params_.late_doubt, unit_.count)});
        result_.means.insert(result_.means.end(), shown_.of(seen), shown_.of(seen) + width_);
        result_.squares.insert(result_.squares.end(), width_, 0.0);
    }

    const Unit& unit_;
    const Shown& shown_;
    std::span<const std::uint32_t> placed_;
    const ConstellationParams& params_;
    std::size_t width_;
    std::vector<bool> asked_for_;
    Unit result_;
};

} // namespace

double Unit::presence(std::size_t node) const {
    // Never quite certain: one absence must not cost more than all the rest can make up for.
    constexpr double most = 0.999;
    const double share =
        (static_cast<double>(nodes[node].hits) + 1) / (static_cast<double>(nodes[node].watched) + 1.3);
    return std::min(most, share);
}

double Unit::square_scale(std::size_t node, std::size_t feature, const ConstellationParams& params,
                          const FeatureSet& set) const {
    const auto hits = static_cast<double>(nodes[node].hits);
    const double prior = params.prior_weight * set.prior_squares[feature];
    const double estimate = (prior + squares[(node * set.size()) + feature]) / (params.prior_weight + hits);
    return estimate * (1 + (1 / hits)); // the mean is uncertain, too
}

std::size_t Unit::bytes() const {
    return sizeof(lineage) + sizeof(born) + sizeof(count) + (nodes.size() * sizeof(UnitNode)) +
           ((means.size() + squares.size()) * sizeof(double));
}

Unit found(const Shown& shown) {
    Unit unit;
    unit.count = 1;
    for (std::uint32_t type = 0; type < shown.types(); ++type)
        unit.nodes.resize(shown.begins[type + 1], UnitNode{type, 1, 1});
    unit.means.assign(shown.of(0), shown.of(shown.size()));
    unit.squares.assign(unit.means.size(), 0.0);
    return unit;
}

Unit joined(const Unit& unit, const Shown& shown, std::span<const std::uint32_t> placed,
            const ConstellationParams& params) {
    return Joining(unit, shown, placed, params).go();
}

} // namespace sprig::constellation
