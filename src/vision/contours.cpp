#include "vision/contours.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "vision/bytes16.h"

namespace sprig {

namespace {

constexpr unsigned neighbourhoods = 256;
/// By step: the bit of the neighbour in that direction. The neighbours are numbered row by row.
constexpr std::array<unsigned, step_count> neighbour_bit = {4, 2, 1, 0, 3, 5, 6, 7};
constexpr Step step_right = 0;
constexpr Step step_left = 4;
constexpr Step no_step = step_count;

// Flags in a byte of `steps_`, above the step: the neighbour to the left or to the right is background, and
// the border passes between it and the pixel.
constexpr std::uint8_t passed_left = 8;
constexpr std::uint8_t passed_right = 16;
constexpr unsigned passed_count = 6; // position of their number

Step turned(Step step, int by) {
    return static_cast<Step>((step + step_count + by) % step_count);
}

bool has_neighbour(unsigned neighbours, Step step) {
    return ((neighbours >> neighbour_bit[step]) & 1U) != 0;
}

/// The first neighbour that is ink, starting beside `from` and turning in one direction (1: left, -1: right).
/// Adds the flags of the background that is passed on the way to `passed`.
Step next_ink(Step from, int direction, unsigned neighbours, std::uint8_t& passed) {
    for (int k = 1; k < step_count; ++k) {
        const Step step = turned(from, k * direction);
        if (has_neighbour(neighbours, step)) return step;
        if (step == step_left) passed |= passed_left;
        if (step == step_right) passed |= passed_right;
    }
    return from;
}

/// The run that ends or begins at a pixel.
std::size_t run_at(const BinaryImage& image, PixelPoint pixel) {
    const std::span<const InkRun> runs = image.runs();
    std::size_t run = image.first_run(pixel.y);
    const std::size_t end = image.first_run(pixel.y + 1);
    constexpr std::size_t few = 8;
    if (end - run > few) {
        const auto row = runs.subspan(run, end - run);
        const auto found = std::lower_bound(row.begin(), row.end(), pixel.x,
                                            [](const InkRun& r, std::int32_t x) { return r.last < x; });
        return run + static_cast<std::size_t>(found - row.begin());
    }
    while (runs[run].last < pixel.x) ++run;
    return run;
}

std::uint8_t with_count(std::uint8_t passed) {
    return static_cast<std::uint8_t>(passed | (std::popcount(passed) << passed_count));
}

} // namespace

/// Suzuki's search: counterclockwise from the pixel where the border comes from.
ContourFinder::Move ContourFinder::forward_move(Step reached_by, unsigned neighbours) {
    std::uint8_t passed = 0;
    const Step step = next_ink(turned(reached_by, step_count / 2), 1, neighbours, passed);
    return {0, static_cast<std::uint16_t>(step * neighbourhoods), step, with_count(passed)};
}

/// Its inverse: clockwise from the pixel where the border goes. `step` is the one that leads to this pixel.
ContourFinder::Move ContourFinder::backward_move(Step left_by, unsigned neighbours) {
    std::uint8_t passed = 0;
    const Step back = next_ink(left_by, -1, neighbours, passed);
    const Step step = turned(back, step_count / 2);
    return {0, static_cast<std::uint16_t>(step * neighbourhoods), step, with_count(passed)};
}

ContourFinder::ContourFinder() {
    for (unsigned i = 0; i < forward_.size(); ++i) {
        const auto step = static_cast<Step>(i / neighbourhoods);
        forward_[i] = forward_move(step, i % neighbourhoods);
        backward_[i] = backward_move(step, i % neighbourhoods);
    }
    for (unsigned n = 0; n < neighbourhoods; ++n) {
        std::uint8_t passed = 0;
        first_step_[0][n] = n == 0 ? no_step : next_ink(step_left, -1, n, passed);
        first_step_[1][n] = n == 0 ? no_step : next_ink(step_right, -1, n, passed);
    }
}

void ContourFinder::set_stride(int stride) {
    if (stride == stride_) return;
    stride_ = stride;
    grid_ = PixelGrid(static_cast<std::uint32_t>(stride));
    for (std::size_t i = 0; i < forward_.size(); ++i) {
        forward_[i].offset = offset_of(forward_[i].step);
        backward_[i].offset = -offset_of(backward_[i].step);
    }
}

/// Gathers the eight neighbours of each pixel in one byte, for the rows with ink.
void ContourFinder::map_neighbours(const BinaryImage& image) {
    neighbours_.resize(static_cast<std::size_t>(stride_) * static_cast<std::size_t>(image.height()));
    const auto row_bytes = static_cast<std::ptrdiff_t>(stride_);
    // Of a row, the three pixels around each as neighbours of the row below (bits 0 to 2), and the two beside
    // it as neighbours in the row itself (bits 3 and 4).
    const auto three = [](const std::uint8_t* at) {
        return (load_bytes(at - 1) & 9) | (load_bytes(at) & 2) | (load_bytes(at + 1) & 20);
    };
    for (int x = 0; x < stride_; x += 16) {
        const std::uint8_t* from = image.row(image.top()) + x;
        std::uint8_t* to = neighbours_.data() + (image.top() * row_bytes) + x;
        Bytes16 above{};
        Bytes16 here = three(from);
        for (int y = image.top(); y < image.bottom(); ++y) {
            from += row_bytes;
            const Bytes16 below = three(from);
            store_bytes(to, (above & 7) | (here & 24) | ((below & 7) << 5));
            to += row_bytes;
            above = here;
            here = below;
        }
    }
}

void ContourFinder::make_room() {
    constexpr std::size_t least = 4096;
    const std::size_t size = std::max(least, 2 * steps_.size());
    steps_.resize(size);
    indices_.resize(size);
}

/// Follows a border from its start, whose last point lies in the direction `towards_last`. The second half is
/// found backwards and written from the end of the memory downwards, then moved next to the first.
std::size_t ContourFinder::follow(std::uint32_t start, Step towards_last) {
    // Local copies: the compiler must assume that a store of a byte changes any member.
    const std::uint8_t* const neighbours = neighbours_.data();
    const Move* const forward = forward_.data();
    const Move* const backward = backward_.data();
    std::uint8_t* const steps = steps_.data();
    std::uint32_t* const indices = indices_.data();
    const std::size_t end = steps_.empty() ? 0 : steps_.size() - spare;

    const Step last_step = turned(towards_last, step_count / 2);
    std::uint32_t front = start;
    const Move* front_moves = forward + (last_step * neighbourhoods);
    std::uint32_t back = start + static_cast<std::uint32_t>(offset_of(towards_last));
    std::uint32_t back_step = last_step; // the step from `back`
    const Move* back_moves = backward + (last_step * neighbourhoods);
    std::size_t low = used_;
    std::size_t high = end;
    std::size_t ends = 0;
    while (low + 2 <= high) {
        const Move ahead = front_moves[neighbours[front]];
        const Move behind = back_moves[neighbours[back]];
        steps[low] = static_cast<std::uint8_t>(ahead.step | ahead.passed);
        indices[low++] = front;
        ends += ahead.passed >> passed_count;
        bool met = ((front ^ back) | (ahead.step ^ back_step)) == 0;
        if (!met) {
            steps[--high] = static_cast<std::uint8_t>(back_step | behind.passed);
            indices[high] = back;
            ends += behind.passed >> passed_count;
            back += static_cast<std::uint32_t>(behind.offset);
            back_step = behind.step;
            back_moves = backward + behind.row;
            met = ((front ^ back) | (ahead.step ^ back_step)) == 0;
        }
        if (met) {
            std::memmove(steps + low, steps + high, end - high);
            std::memmove(indices + low, indices + high, (end - high) * sizeof(indices[0]));
            used_ = low + end - high;
            return ends;
        }
        front += static_cast<std::uint32_t>(ahead.offset);
        front_moves = forward + ahead.row;
    }
    make_room();
    return follow(start, towards_last);
}

std::size_t ContourFinder::add_border(bool is_hole, std::uint32_t start, std::uint32_t parent) {
    Border border{used_, 1, parent, 0, is_hole};
    if (parent != none) border.depth = borders_[parent].depth + 1;
    std::size_t ends = 2;
    const Step towards_last = first_step_[is_hole ? 1 : 0][neighbours_[start]];
    if (towards_last != no_step) {
        ends = follow(start, towards_last);
    } else {
        if (used_ + spare >= steps_.size()) make_room();
        steps_[used_] = passed_left | passed_right;
        indices_[used_] = start;
        ++used_;
    }
    border.size = used_ - border.begin;
    borders_.push_back(border);
    return ends;
}

void ContourFinder::record_ends(const BinaryImage& image, std::uint32_t border) {
    const Border& b = borders_[border];
    for (std::size_t i = b.begin; i < b.begin + b.size; ++i) {
        if ((steps_[i] & (passed_left | passed_right)) == 0) continue;
        const PixelPoint pixel = grid_.at(indices_[i]);
        RunBorders& run = run_borders_[run_at(image, pixel)];
        if ((steps_[i] & passed_left) != 0) run.left = border;
        if ((steps_[i] & passed_right) != 0) run.right = border;
    }
}

/// The border around a new one that starts at a run. Beside it lies a border that was found before: to the
/// left of an outer border the right end of the run before, beside a hole the left end of the same run. That
/// border is the parent if one of the two is a hole's and the other is not; otherwise both have the same
/// parent.
std::uint32_t ContourFinder::parent_of(bool is_hole, std::size_t run, bool is_first_in_row) const {
    if (!is_hole && is_first_in_row) return none;
    const std::uint32_t beside = is_hole ? run_borders_[run].left : run_borders_[run - 1].right;
    return borders_[beside].is_hole != is_hole ? beside : borders_[beside].parent;
}

void ContourFinder::find_borders(const BinaryImage& image) {
    const std::span<const InkRun> runs = image.runs();
    const auto index = [this](int y, int x) { return static_cast<std::uint32_t>((y * stride_) + x); };
    std::size_t ends = 2 * runs.size(); // that no border has passed
    ends -= add_border(false, index(image.top(), runs.front().begin), none);
    if (ends == 0) return;
    run_borders_.assign(runs.size(), {none, none});
    record_ends(image, 0);
    for (int y = image.top(); y < image.bottom(); ++y) {
        for (std::size_t run = image.first_run(y); run < image.first_run(y + 1); ++run) {
            for (const bool is_hole : {false, true}) {
                if ((is_hole ? run_borders_[run].right : run_borders_[run].left) != none) continue;
                const std::uint32_t start = index(y, is_hole ? runs[run].last : runs[run].begin);
                ends -= add_border(is_hole, start, parent_of(is_hole, run, run == image.first_run(y)));
                if (ends == 0) return;
                record_ends(image, static_cast<std::uint32_t>(borders_.size() - 1));
            }
        }
    }
}

std::span<const TracedContour> ContourFinder::find(const BinaryImage& image, std::size_t min_points) {
    set_stride(image.stride());
    borders_.clear();
    found_.clear();
    used_ = 0;
    if (image.runs().empty()) return found_;
    map_neighbours(image);
    find_borders(image);
    for (const Border& border : borders_) {
        if (border.size < min_points) continue;
        found_.push_back({std::span(steps_).subspan(border.begin, border.size),
                          std::span(indices_).subspan(border.begin, border.size), grid_, border.depth});
    }
    return found_;
}

} // namespace sprig
