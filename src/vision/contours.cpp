#include "vision/contours.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "vision/bytes16.h"

namespace sprig {

namespace {

constexpr unsigned neighbourhoods = 256;
constexpr unsigned backward = step_count * neighbourhoods; // first row of the table for going back
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

/// A step with its flags, and their number.
std::uint8_t with_count(int code) {
    const auto passed = static_cast<unsigned>(code & (passed_left | passed_right));
    return static_cast<std::uint8_t>(code | (std::popcount(passed) << passed_count));
}

/// The first pixel of ink of a row that has some.
int first_bit(std::span<const std::uint64_t> bits) {
    int x = 0;
    for (const std::uint64_t word : bits) {
        if (word != 0) return x + std::countr_zero(word);
        x += 64;
    }
    return x;
}

} // namespace

/// Suzuki's search: counterclockwise from the pixel where the border comes from.
ContourFinder::Move ContourFinder::forward_move(Step reached_by, unsigned neighbours) {
    std::uint8_t passed = 0;
    const Step step = next_ink(turned(reached_by, step_count / 2), 1, neighbours, passed);
    return {0, static_cast<std::uint16_t>(step * neighbourhoods), with_count(step | passed)};
}

/// Its inverse: clockwise from the pixel where the border goes, to find the step that leads to this pixel.
ContourFinder::Move ContourFinder::backward_move(Step left_by, unsigned neighbours) {
    std::uint8_t passed = 0;
    const Step back = next_ink(left_by, -1, neighbours, passed);
    const Step step = turned(back, step_count / 2);
    return {0, static_cast<std::uint16_t>(backward + (step * neighbourhoods)), with_count(left_by | passed)};
}

ContourFinder::ContourFinder() {
    for (unsigned i = 0; i < backward; ++i) {
        const auto step = static_cast<Step>(i / neighbourhoods);
        moves_[i] = forward_move(step, i % neighbourhoods);
        moves_[backward + i] = backward_move(step, i % neighbourhoods);
    }
    for (unsigned n = 0; n < neighbourhoods; ++n) {
        std::uint8_t passed = 0;
        first_step_[0][n] = n == 0 ? no_step : next_ink(step_left, -1, n, passed);
        first_step_[1][n] = n == 0 ? no_step : next_ink(step_right, -1, n, passed);
    }
}

void ContourFinder::set_stride(unsigned stride_bits) {
    if (stride_bits == stride_bits_) return;
    stride_bits_ = stride_bits;
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        const auto step = static_cast<Step>(moves_[i].row / neighbourhoods % step_count);
        moves_[i].offset = i < backward ? offset_of(step) : -offset_of(step);
    }
}

/// Gathers the eight neighbours of each pixel in one byte, for the rows with ink.
std::size_t ContourFinder::map_neighbours(const BinaryImage& image) {
    const auto row_bytes = static_cast<std::ptrdiff_t>(image.stride());
    neighbours_.resize(static_cast<std::size_t>(row_bytes) * static_cast<std::size_t>(image.height()));
    // Of a row, the three pixels around each as neighbours of the row below (bits 0 to 2), and the two beside
    // it as neighbours in the row itself (bits 3 and 4). Counts the pixels where runs begin, by column.
    const auto three = [](const std::uint8_t* at, Bytes16& begins) {
        const Bytes16 left = load_bytes(at - 1);
        const Bytes16 pixel = load_bytes(at);
        begins -= pixel & ~left;
        return (left & 9) | (pixel & 2) | (load_bytes(at + 1) & 20);
    };
    std::size_t runs = 0;
    for (int x = 0; x < image.padded_width(); x += 16) {
        const std::uint8_t* from = image.row(image.top()) + x;
        std::uint8_t* to = neighbours_.data() + (image.top() * row_bytes) + x;
        Bytes16 begins{};
        Bytes16 above{};
        Bytes16 here = three(from, begins);
        for (int y = image.top(); y < image.bottom();) {
            constexpr int most = 128; // rows, so that the counts fit into bytes
            for (const int stop = std::min(image.bottom(), y + most); y < stop; ++y) {
                from += row_bytes;
                const Bytes16 below = three(from, begins);
                store_bytes(to, above | (here & 24) | shifted<5>(below & 7));
                to += row_bytes;
                above = here & 7;
                here = below;
            }
            runs += sum_of(begins);
            begins = Bytes16{};
        }
    }
    return runs;
}

void ContourFinder::make_room() {
    constexpr std::size_t least = 4096;
    const std::size_t size = std::max(least, 2 * steps_.size());
    steps_.resize(size);
    points_.resize(size);
}

/// Follows a border from its start, whose last point lies in the direction `towards_last`. The second half is
/// found backwards and written from the end of the memory downwards, then moved next to the first.
void ContourFinder::follow(std::uint32_t start, Step towards_last) {
    // Local copies: the compiler must assume that a store of a byte changes any member.
    const std::uint8_t* const neighbours = neighbours_.data();
    const Move* const moves = moves_.data();
    std::uint8_t* const steps = steps_.data();
    std::uint32_t* const points = points_.data();
    const std::size_t end = steps_.empty() ? 0 : steps_.size() - spare;

    const std::uint32_t last_row = turned(towards_last, step_count / 2) * neighbourhoods;
    std::uint32_t front = start;
    std::uint32_t front_row = last_row;
    std::uint32_t back = start + static_cast<std::uint32_t>(offset_of(towards_last));
    std::uint32_t back_row = backward + last_row; // of the step from `back`
    std::size_t low = used_;
    std::size_t high = end;
    while (low + 2 <= high) {
        const Move ahead = moves[front_row + neighbours[front]];
        steps[low] = ahead.code;
        points[low++] = front;
        if (front == back && backward + ahead.row == back_row) return join(low, high, end);
        const Move behind = moves[back_row + neighbours[back]];
        steps[--high] = behind.code;
        points[high] = back;
        back += static_cast<std::uint32_t>(behind.offset);
        back_row = behind.row;
        if (front == back && backward + ahead.row == back_row) return join(low, high, end);
        front += static_cast<std::uint32_t>(ahead.offset);
        front_row = ahead.row;
    }
    make_room();
    follow(start, towards_last);
}

/// Moves the second half of a border, which lies from `high` to `end`, next to the first, which ends at
/// `low`.
void ContourFinder::join(std::size_t low, std::size_t high, std::size_t end) {
    std::memmove(steps_.data() + low, steps_.data() + high, end - high);
    std::memmove(points_.data() + low, points_.data() + high, (end - high) * sizeof(points_[0]));
    used_ = low + end - high;
}

/// Converts the points of the last border from indices to coordinates, and repeats its first point at its
/// end.
void ContourFinder::finish_border(std::size_t begin) {
    const std::uint32_t mask = (std::uint32_t{1} << stride_bits_) - 1;
    std::uint32_t* const points = points_.data();
    for (std::size_t i = begin; i < used_; i += 4) { // what follows is not used yet
        Words4 index;
        std::memcpy(&index, points + i, sizeof(index));
        const Words4 packed = (index & mask) | ((index >> stride_bits_) << 16);
        std::memcpy(points + i, &packed, sizeof(packed));
    }
    points_[used_] = points_[begin];
    steps_[used_] = steps_[begin];
}

/// The number of ends of runs that the last border passes.
std::size_t ContourFinder::ends_passed(std::size_t begin) {
    constexpr std::size_t most = 127 * sizeof(Bytes16); // steps, so that the counts fit into bytes
    std::uint8_t* const steps = steps_.data();
    const std::size_t end = used_;
    store_bytes(steps + end, Bytes16{}); // the last group may be read beyond the border
    std::size_t ends = 0;
    for (std::size_t i = begin; i < end;) {
        Bytes16 counts{};
        for (const std::size_t stop = std::min(end, i + most); i < stop; i += sizeof(counts))
            counts += load_bytes(steps + i) >> passed_count;
        ends += sum_of(counts);
    }
    return ends;
}

std::size_t ContourFinder::add_border(bool is_hole, std::uint32_t start, std::uint32_t parent) {
    Border border{used_, 1, parent, 0, is_hole};
    if (parent != none) border.depth = borders_[parent].depth + 1;
    const Step towards_last = first_step_[is_hole ? 1 : 0][neighbours_[start]];
    if (towards_last != no_step) {
        follow(start, towards_last);
    } else {
        if (used_ + spare >= steps_.size()) make_room();
        steps_[used_] = with_count(passed_left | passed_right);
        points_[used_] = start;
        ++used_;
    }
    border.size = used_ - border.begin;
    borders_.push_back(border);
    const std::size_t ends = ends_passed(border.begin);
    finish_border(border.begin);
    ++used_;
    return ends;
}

/// Lists the ends of all runs as bits, like those of the image.
void ContourFinder::list_ends(const BinaryImage& image) {
    const std::size_t row_words = image.bits(0).size();
    const std::size_t words = row_words * static_cast<std::size_t>(image.height());
    row_words_ = row_words;
    left_ends_.resize(words);
    right_ends_.resize(words);
    for (int y = image.top(); y < image.bottom(); ++y) {
        const std::uint64_t* const ink = image.bits(y).data();
        std::uint64_t* const left = left_ends_.data() + (static_cast<std::size_t>(y) * row_words);
        std::uint64_t* const right = right_ends_.data() + (static_cast<std::size_t>(y) * row_words);
        for (std::size_t word = 0; word < row_words; ++word) {
            const std::uint64_t before = word > 0 ? ink[word - 1] >> 63U : 0;
            const std::uint64_t after = word + 1 < row_words ? ink[word + 1] << 63U : 0;
            left[word] = ink[word] & ~((ink[word] << 1U) | before);
            right[word] = ink[word] & ~((ink[word] >> 1U) | after);
        }
    }
}

/// Removes the ends that the last border passes.
void ContourFinder::remove_ends() {
    const std::size_t begin = borders_.back().begin;
    const std::size_t end = begin + borders_.back().size;
    const std::size_t row_words = row_words_;
    std::uint64_t* const left = left_ends_.data();
    std::uint64_t* const right = right_ends_.data();
    for (std::size_t i = begin; i < end; ++i) {
        const unsigned passed = steps_[i];
        if ((passed & (passed_left | passed_right)) == 0) continue;
        const PackedPoint pixel(points_[i]);
        const auto x = static_cast<unsigned>(pixel.x());
        const std::size_t word = (static_cast<std::size_t>(pixel.y()) * row_words) + (x / 64);
        const std::uint64_t bit = std::uint64_t{1} << (x % 64);
        if ((passed & passed_left) != 0) left[word] &= ~bit;
        if ((passed & passed_right) != 0) right[word] &= ~bit;
    }
}

/// Records at the ends of runs which border passes them, for the borders that were found since the last call.
void ContourFinder::label_runs(const BinaryImage& image) {
    if (labelled_ == 0) {
        runs_.find(image);
        run_borders_.resize(runs_.all().size());
    }
    for (; labelled_ < borders_.size(); ++labelled_) {
        const Border& border = borders_[labelled_];
        for (std::size_t i = border.begin; i < border.begin + border.size; ++i) {
            if ((steps_[i] & (passed_left | passed_right)) == 0) continue;
            const PackedPoint pixel(points_[i]);
            RunBorders& run = run_borders_[runs_.at(pixel.x(), pixel.y())];
            if ((steps_[i] & passed_left) != 0) run.left = labelled_;
            if ((steps_[i] & passed_right) != 0) run.right = labelled_;
        }
    }
}

/// The border around a new one that starts at a pixel. Beside it lies a border that was found before: to the
/// left of an outer border the right end of the run before, beside a hole the left end of the same run. That
/// border is the parent if one of the two is a hole's and the other is not; otherwise both have the same
/// parent.
std::uint32_t ContourFinder::parent_of(const BinaryImage& image, bool is_hole, int x, int y) {
    if (!is_hole && first_bit(image.bits(y)) == x) return none;
    std::uint32_t beside = 0;
    if (borders_.size() > 1) {
        label_runs(image);
        const std::size_t run = runs_.at(x, y);
        beside = is_hole ? run_borders_[run].left : run_borders_[run - 1].right;
    }
    return borders_[beside].is_hole != is_hole ? beside : borders_[beside].parent;
}

void ContourFinder::find_borders(const BinaryImage& image, std::size_t run_count) {
    std::size_t ends = 2 * run_count; // that no border has passed
    ends -= add_border(false, index_of(first_bit(image.bits(image.top())), image.top()), none);
    if (ends == 0) return;
    list_ends(image);
    remove_ends();
    for (int y = image.top(); y < image.bottom(); ++y) {
        for (std::size_t word = 0; word < row_words_; ++word) {
            const std::uint64_t& left = left_ends_[(static_cast<std::size_t>(y) * row_words_) + word];
            const std::uint64_t& right = right_ends_[(static_cast<std::size_t>(y) * row_words_) + word];
            while ((left | right) != 0) {
                const int bit = std::countr_zero(left | right);
                const int x = (static_cast<int>(word) * 64) + bit;
                const bool is_hole = ((left >> static_cast<unsigned>(bit)) & 1U) == 0;
                ends -= add_border(is_hole, index_of(x, y), parent_of(image, is_hole, x, y));
                if (ends == 0) return;
                remove_ends();
            }
        }
    }
}

std::span<const TracedContour> ContourFinder::find(const BinaryImage& image, std::size_t min_points) {
    trace(image);
    return traced(min_points);
}

void ContourFinder::trace(const BinaryImage& image) {
    set_stride(image.stride_bits());
    borders_.clear();
    used_ = 0;
    labelled_ = 0;
    if (image.top() != image.bottom()) find_borders(image, map_neighbours(image));
}

std::size_t ContourFinder::part_count() const {
    return static_cast<std::size_t>(std::ranges::count(borders_, false, &Border::is_hole));
}

std::span<const TracedContour> ContourFinder::traced(std::size_t min_points) {
    found_.clear();
    for (const Border& border : borders_) {
        if (border.size < min_points) continue;
        found_.push_back(
            {steps_.data() + border.begin, points_.data() + border.begin, border.size, border.depth});
    }
    return found_;
}

} // namespace sprig
