#include "vision/ink_parts.h"

#include <algorithm>
#include <numeric>

namespace sprig {

void InkParts::find(const BinaryImage& image, double min_share) {
    kept_.clear();
    if (image.top() == image.bottom()) return;
    runs_.find(image);
    parent_.resize(runs_.all().size());
    std::iota(parent_.begin(), parent_.end(), 0U);
    for (int y = image.top() + 1; y < image.bottom(); ++y)
        join_rows(runs_.first(y - 1), runs_.first(y), runs_.first(y + 1));
    const double least = static_cast<double>(measure_parts()) * min_share;
    for (int y = image.top(); y < image.bottom(); ++y) {
        for (std::size_t r = runs_.first(y); r < runs_.first(y + 1); ++r) {
            const InkRun run = runs_.all()[r];
            if (static_cast<double>(area_[parent_[r]]) >= least)
                kept_.push_back({y, run.begin, run.last + 1});
        }
    }
}

InkMoments InkParts::moments() const {
    InkSums sums;
    for (const Run& run : kept_) sums.add_run(run.y, run.begin, run.end);
    return sums.moments();
}

/// Joins the runs of a row, from `begin` to `end`, with those of the row above it, which end at `begin`.
void InkParts::join_rows(std::size_t above, std::size_t begin, std::size_t end) {
    const std::span<const InkRun> runs = runs_.all();
    for (std::size_t r = begin; r < end; ++r) {
        while (above < begin && runs[above].last + 1 < runs[r].begin) ++above;
        for (std::size_t a = above; a < begin && runs[a].begin <= runs[r].last + 1; ++a) join(a, r);
    }
}

void InkParts::join(std::size_t a, std::size_t b) {
    const auto [first, second] = std::minmax({root_of(a), root_of(b)});
    parent_[second] = first;
}

std::uint32_t InkParts::root_of(std::size_t run) {
    while (parent_[run] != run) {
        parent_[run] = parent_[parent_[run]]; // shortens the path for the next search
        run = parent_[run];
    }
    return static_cast<std::uint32_t>(run);
}

/// Sets the area of every part, and every run's parent to the root. Returns the largest area.
std::int64_t InkParts::measure_parts() {
    const std::span<const InkRun> runs = runs_.all();
    area_.assign(runs.size(), 0);
    std::int64_t largest = 0;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        parent_[r] = parent_[parent_[r]]; // the parent comes earlier, so its parent is the root already
        std::int64_t& area = area_[parent_[r]];
        area += runs[r].last + 1 - runs[r].begin;
        largest = std::max(largest, area);
    }
    return largest;
}

} // namespace sprig
