#include "vision/ink_runs.h"

#include <algorithm>
#include <bit>

namespace sprig {

namespace {

/// Adds the runs of 64 pixels of a row, from x on. The row's runs so far are `first` to `end`; returns their
/// end.
InkRun* add_runs(InkRun* first, InkRun* end, unsigned x, std::uint64_t bits) {
    // A run that goes on from the pixels before is taken up again.
    if ((bits & 1U) != 0 && end != first && end[-1].last + 1U == x) {
        end[-1].last = static_cast<std::uint16_t>(x + static_cast<unsigned>(std::countr_one(bits)) - 1);
        bits &= bits + 1;
    }
    while (bits != 0) {
        const std::uint64_t after = bits + (bits & (~bits + 1)); // carries through the first run
        const auto begin = static_cast<unsigned>(std::countr_zero(bits));
        const auto behind = static_cast<unsigned>(std::countr_zero(after));
        *end++ = {static_cast<std::uint16_t>(x + begin), static_cast<std::uint16_t>(x + behind - 1)};
        bits &= after;
    }
    return end;
}

} // namespace

void InkRuns::find(const BinaryImage& image) {
    constexpr unsigned pixels_per_word = 64;
    const std::size_t most_in_row = (static_cast<std::size_t>(image.width()) / 2) + 1;
    first_.resize(static_cast<std::size_t>(image.height()) + 1);
    count_ = 0;
    for (int y = image.top(); y < image.bottom(); ++y) {
        first_[static_cast<std::size_t>(y)] = static_cast<std::uint32_t>(count_);
        if (runs_.size() < count_ + most_in_row) runs_.resize(2 * (count_ + most_in_row));
        InkRun* const first = runs_.data() + count_;
        InkRun* end = first;
        unsigned x = 0;
        for (const std::uint64_t bits : image.bits(y)) {
            end = add_runs(first, end, x, bits);
            x += pixels_per_word;
        }
        count_ += static_cast<std::size_t>(end - first);
    }
    first_[static_cast<std::size_t>(image.bottom())] = static_cast<std::uint32_t>(count_);
}

std::size_t InkRuns::at(int x, int y) const {
    constexpr std::size_t few = 8;
    std::size_t run = first(y);
    const std::size_t end = first(y + 1);
    if (end - run > few) {
        const auto row = all().subspan(run, end - run);
        const auto found = std::lower_bound(row.begin(), row.end(), x,
                                            [](const InkRun& r, int column) { return r.last < column; });
        return run + static_cast<std::size_t>(found - row.begin());
    }
    while (runs_[run].last < x) ++run;
    return run;
}

} // namespace sprig
