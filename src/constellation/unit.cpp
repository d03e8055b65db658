#include "constellation/unit.h"

#include <algorithm>

namespace sprig::constellation {

namespace {

/// Updates a unit with one observation.
class UnitUpdate {
  public:
    UnitUpdate(const Unit& unit, const FeatureView& view, std::span<const std::uint32_t> placed,
               const ConstellationParams& params)
        : unit_(unit), view_(view), placed_(placed), params_(params), width_(view.width),
          is_placed_(view.size(), false) {
        result_.lineage = unit.lineage;
        result_.born = unit.born;
        result_.count = unit.count + 1;
        std::size_t most = unit.size() + view.size();
        for (const std::uint32_t seen : placed) {
            if (seen == unassigned) continue;
            is_placed_[seen] = true;
            --most;
        }
        result_.nodes.reserve(most);
        result_.means.reserve(most * width_);
        result_.squares.reserve(most * width_);
    }

    Unit run() {
        std::size_t node = 0;
        for (std::uint32_t type = 0; type < view_.types(); ++type) {
            for (; node < unit_.size() && unit_.nodes[node].type == type; ++node) keep(node);
            for (std::uint32_t seen = view_.begins[type]; seen < view_.begins[type + 1]; ++seen)
                if (!is_placed_[seen] && !params_.strict) add(type, seen);
        }
        return std::move(result_);
    }

  private:
    void keep(std::size_t node) {
        UnitNode record = unit_.nodes[node];
        ++record.watched;
        const std::uint32_t seen = placed_[node];
        if (seen != unassigned) ++record.hits;
        if (is_dropped(record, seen)) return;
        const auto first = static_cast<std::ptrdiff_t>(node * width_);
        const auto width = static_cast<std::ptrdiff_t>(width_);
        result_.nodes.push_back(record);
        result_.means.insert(result_.means.end(), unit_.means.begin() + first,
                             unit_.means.begin() + first + width);
        result_.squares.insert(result_.squares.end(), unit_.squares.begin() + first,
                               unit_.squares.begin() + first + width);
        if (seen != unassigned) update_statistics(static_cast<double>(record.hits), view_.row(seen));
    }

    [[nodiscard]] bool is_dropped(const UnitNode& record, std::uint32_t seen) const {
        if (params_.strict) return seen == unassigned;
        return record.watched >= params_.fading_age &&
               static_cast<double>(record.hits) < params_.fading_rate * static_cast<double>(record.watched);
    }

    /// Updates the running means and sums of squares of the last node by Welford's method.
    void update_statistics(double hits, const double* seen) {
        double* mean = result_.means.data() + result_.means.size() - width_;
        double* squares = result_.squares.data() + result_.squares.size() - width_;
        for (std::size_t f = 0; f < width_; ++f) {
            const double off = seen[f] - mean[f];
            mean[f] += off / hits;
            squares[f] += off * (seen[f] - mean[f]);
        }
    }

    void add(std::uint32_t type, std::uint32_t seen) {
        result_.nodes.push_back({type, 1, 1 + std::min(params_.late_doubt, unit_.count)});
        result_.means.insert(result_.means.end(), view_.row(seen), view_.row(seen) + width_);
        result_.squares.insert(result_.squares.end(), width_, 0.0);
    }

    const Unit& unit_;
    const FeatureView& view_;
    std::span<const std::uint32_t> placed_;
    const ConstellationParams& params_;
    std::size_t width_;
    std::vector<bool> is_placed_;
    Unit result_;
};

} // namespace

double Unit::square_scale(std::size_t node, std::size_t feature, const ConstellationParams& params,
                          const FeatureSet& set) const {
    const auto hits = static_cast<double>(nodes[node].hits);
    const double estimate =
        (set.prior_sums[feature] + squares[(node * set.size()) + feature]) / (params.prior_weight + hits);
    return estimate * (1 + (1 / hits)); // includes the uncertainty of the mean
}

std::size_t Unit::bytes() const {
    return sizeof(lineage) + sizeof(born) + sizeof(count) + (nodes.size() * sizeof(UnitNode)) +
           ((means.size() + squares.size()) * sizeof(double));
}

Unit make_unit(const FeatureView& view) {
    Unit unit;
    unit.count = 1;
    for (std::uint32_t type = 0; type < view.types(); ++type)
        unit.nodes.resize(view.begins[type + 1], UnitNode{type, 1, 1});
    unit.means.assign(view.row(0), view.row(view.size()));
    unit.squares.assign(unit.means.size(), 0.0);
    return unit;
}

Unit updated_unit(const Unit& unit, const FeatureView& view, std::span<const std::uint32_t> placed,
                  const ConstellationParams& params) {
    return UnitUpdate(unit, view, placed, params).run();
}

} // namespace sprig::constellation
