#include "vision/area_scale.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sprig {

namespace {

/// The pixels of a row of `from` px that one pixel covers when the row is scaled to `to` px. Lengths are in
/// units in which a pixel of the row is `to` long and a pixel of the result `from`.
struct Span {
    int first = 0;
    int last = 0; ///< inclusive
    std::int64_t first_length = 0;
    std::int64_t last_length = 0; ///< 0 if there is only one pixel
};

Span span_of(int i, int from, int to) {
    const std::int64_t begin = std::int64_t{i} * from;
    const std::int64_t end = begin + from;
    const auto first = static_cast<int>(begin / to);
    const auto last = static_cast<int>((end - 1) / to);
    if (first == last) return {first, last, from, 0};
    return {first, last, ((first + std::int64_t{1}) * to) - begin, end - (std::int64_t{last} * to)};
}

/// The weighted sum of the values from first to last.
std::int64_t sum_over(const Span& span, std::int64_t length, const std::vector<std::int64_t>& values) {
    const auto first = values.begin() + span.first;
    std::int64_t sum = span.first_length * *first;
    if (span.last == span.first) return sum;
    const auto last = values.begin() + span.last;
    sum += length * std::accumulate(first + 1, last, std::int64_t{0});
    return sum + (span.last_length * *last);
}

/// Sums the rows of a span, column by column.
class ColumnSums {
  public:
    explicit ColumnSums(int width)
        : whole_(static_cast<std::size_t>(width)), sums_(static_cast<std::size_t>(width)) {}

    const std::vector<std::int64_t>& over(const Image& image, const Rectangle& part, const Span& span,
                                          std::int64_t length) {
        // The rows inside have equal weights and are most of a large picture. 32 bits hold 2^24 of them.
        std::ranges::fill(whole_, 0U);
        for (int y = span.first + 1; y < span.last; ++y) {
            const std::uint8_t* row = row_of(image, part, y);
            for (std::size_t x = 0; x < whole_.size(); ++x) whole_[x] += row[x];
        }
        const std::uint8_t* first = row_of(image, part, span.first);
        const std::uint8_t* last = row_of(image, part, span.last);
        for (std::size_t x = 0; x < sums_.size(); ++x) {
            sums_[x] = (span.first_length * first[x]) + (length * whole_[x]) + (span.last_length * last[x]);
        }
        return sums_;
    }

  private:
    static const std::uint8_t* row_of(const Image& image, const Rectangle& part, int y) {
        return image.pixels.data() +
               (static_cast<std::size_t>(part.top + y) * static_cast<std::size_t>(image.width)) + part.left;
    }

    std::vector<std::uint32_t> whole_;
    std::vector<std::int64_t> sums_;
};

/// Calls `put` with each pixel of the result, in raster order: the sum over its area, which is the area of
/// the part.
template <class Put>
void sum_areas(const Image& image, const Rectangle& part, Size size, const Put& put) {
    std::vector<Span> columns;
    columns.reserve(static_cast<std::size_t>(size.width));
    for (int x = 0; x < size.width; ++x) columns.push_back(span_of(x, part.width, size.width));
    ColumnSums sums(part.width);
    for (int y = 0; y < size.height; ++y) {
        const std::vector<std::int64_t>& row =
            sums.over(image, part, span_of(y, part.height, size.height), size.height);
        for (const Span& column : columns) put(sum_over(column, size.width, row));
    }
}

} // namespace

Size reduced_size(const Image& image, int shorter) {
    const int side = std::min(image.width, image.height);
    if (side <= shorter) return {image.width, image.height};
    const auto reduced = [&](int length) {
        return static_cast<int>(((2LL * length * shorter) + side) / (2LL * side));
    };
    return {reduced(image.width), reduced(image.height)};
}

Image scale_area(const Image& image, const Rectangle& part, Size size) {
    Image result(size.width, size.height);
    const std::int64_t area = std::int64_t{part.height} * part.width;
    auto pixel = result.pixels.begin();
    sum_areas(image, part, size,
              [&](std::int64_t sum) { *pixel++ = static_cast<std::uint8_t>((sum + (area / 2)) / area); });
    return result;
}

Image scale_area(const Image& image, Size size) {
    return scale_area(image, {0, 0, image.width, image.height}, size);
}

Grid mean_grid(const Image& image, Size size) {
    Grid result(size.width, size.height);
    const std::int64_t area = std::int64_t{image.height} * image.width;
    auto cell = result.cells.begin();
    sum_areas(image, {0, 0, image.width, image.height}, size, [&](std::int64_t sum) {
        *cell++ = static_cast<std::int32_t>(((Grid::one_level * sum) + (area / 2)) / area);
    });
    return result;
}

Image box_blurred(const Image& image) {
    const auto width = static_cast<std::size_t>(image.width);
    const auto row_of = [&](int y) {
        return image.pixels.data() + (static_cast<std::size_t>(std::clamp(y, 0, image.height - 1)) * width);
    };
    Image result(image.width, image.height);
    std::vector<std::uint16_t> columns(width + 2); // column x is at x + 1
    for (int y = 0; y < image.height; ++y) {
        const std::uint8_t* above = row_of(y - 1);
        const std::uint8_t* row = row_of(y);
        const std::uint8_t* below = row_of(y + 1);
        for (std::size_t x = 0; x < width; ++x)
            columns[x + 1] = static_cast<std::uint16_t>(above[x] + row[x] + below[x]);
        columns.front() = columns[1];
        columns.back() = columns[width];
        std::uint8_t* to = result.pixels.data() + (static_cast<std::size_t>(y) * width);
        for (std::size_t x = 0; x < width; ++x)
            to[x] = static_cast<std::uint8_t>((columns[x] + columns[x + 1] + columns[x + 2] + 4) / 9);
    }
    return result;
}

} // namespace sprig
