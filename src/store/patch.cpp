#include "store/patch.h"

#include <bit>
#include <cstdint>
#include <cstring>

#include "sprig/error.h"

namespace sprig::store {

namespace {

using Word = std::uint64_t;
constexpr std::size_t word_size = sizeof(Word);
/// A row begins with the row that it is like, counted from 1 (0: none), and with which words differ from it.
constexpr unsigned mask_shift = 32;
constexpr std::size_t widest_row = 32;
/// A row is like one of the next few of the same kind.
constexpr std::size_t reach = 4;

[[noreturn]] void refuse() {
    throw bad_input("packed content is damaged");
}

/// Words of some bytes, which need not lie where words do.
class Words {
  public:
    explicit Words(std::string_view bytes) : bytes_(bytes) {
        if (bytes.size() % word_size != 0) refuse();
    }
    [[nodiscard]] std::size_t size() const { return bytes_.size() / word_size; }
    [[nodiscard]] Word operator[](std::size_t index) const {
        Word word = 0;
        std::memcpy(&word, bytes_.data() + (index * word_size), word_size);
        return word;
    }

  private:
    std::string_view bytes_;
};

/// Rows of one width, as they follow each other.
struct Rows {
    const Words* words = nullptr;
    std::size_t first = 0;
    std::size_t width = 0;
    std::size_t count = 0;

    [[nodiscard]] Word at(std::size_t row, std::size_t column) const {
        return (*words)[first + (row * width) + column];
    }
    [[nodiscard]] std::size_t end() const { return first + (count * width); }
};

struct Parts {
    Rows unit;
    Rows nodes;
    Rows edges;
};

Rows rows_after(const Words& words, std::size_t at, std::size_t width) {
    if (at >= words.size()) refuse();
    const Word count = words[at];
    if (width > widest_row || (width > 0 && count > (words.size() - at - 1) / width) ||
        (width == 0 && count > 0))
        refuse();
    return {&words, at + 1, width, static_cast<std::size_t>(count)};
}

Parts parts_of(const Words& words, const Shape& shape) {
    if (words.size() < shape.of_unit || shape.of_unit > widest_row) refuse();
    Parts parts;
    parts.unit = {&words, 0, shape.of_unit, 1};
    parts.nodes = rows_after(words, parts.unit.end(), shape.of_node);
    parts.edges = rows_after(words, parts.nodes.end(), shape.of_edge);
    if (parts.edges.end() != words.size()) refuse();
    return parts;
}

void append(std::string& bytes, Word word) {
    bytes.append(reinterpret_cast<const char*>(&word), word_size);
}

/// Which words of two rows differ.
std::uint32_t difference(const Rows& a, std::size_t row_a, const Rows& b, std::size_t row_b) {
    std::uint32_t mask = 0;
    for (std::size_t column = 0; column < a.width; ++column)
        mask |= static_cast<std::uint32_t>(a.at(row_a, column) != b.at(row_b, column)) << column;
    return mask;
}

void patch_rows(const Rows& before, const Rows& after, std::string& patch) {
    append(patch, after.count);
    std::size_t next = 0; // the first row that none was like yet
    for (std::size_t row = 0; row < after.count; ++row) {
        std::size_t like = before.count;
        std::uint32_t mask = 0;
        int least = static_cast<int>(after.width) + 1;
        for (std::size_t old = next; old < before.count && old < next + reach; ++old) {
            if (before.at(old, 0) != after.at(row, 0)) continue; // of another kind
            const std::uint32_t differs = difference(before, old, after, row);
            if (std::popcount(differs) >= least) continue;
            least = std::popcount(differs);
            like = old;
            mask = differs;
            if (2 * static_cast<std::size_t>(least) <= after.width) break;
        }
        const bool is_new = like == before.count;
        if (is_new) mask = static_cast<std::uint32_t>((Word{1} << after.width) - 1);
        append(patch, (Word{mask} << mask_shift) | (is_new ? 0 : like + 1));
        for (std::size_t column = 0; column < after.width; ++column) {
            if ((mask >> column & 1U) != 0) append(patch, after.at(row, column));
        }
        if (!is_new) next = like + 1;
    }
}

/// Reads rows of a patch from `at` on, and moves it behind them.
void patched_rows(const Rows& before, const Words& patch, std::size_t& at, bool counted, std::string& after) {
    const auto take = [&] {
        if (at >= patch.size()) refuse();
        return patch[at++];
    };
    const Word count = take();
    if (count > patch.size()) refuse();
    if (counted) append(after, count);
    if (!counted && count != 1) refuse();
    for (Word row = 0; row < count; ++row) {
        const Word head = take();
        const auto mask = static_cast<std::uint32_t>(head >> mask_shift);
        const auto like = static_cast<std::uint32_t>(head);
        if (like > before.count) refuse();
        for (std::size_t column = 0; column < before.width; ++column) {
            const bool differs = (mask >> column & 1U) != 0;
            if (!differs && like == 0) refuse();
            append(after, differs ? take() : before.at(like - 1, column));
        }
    }
}

} // namespace

std::string make_patch(std::string_view before, std::string_view after, const Shape& shape) {
    const Words old_words(before);
    const Words new_words(after);
    const Parts from = parts_of(old_words, shape);
    const Parts to = parts_of(new_words, shape);
    std::string patch;
    patch.reserve(after.size());
    // The unit itself is like what it was, whatever its first word is.
    const std::uint32_t mask = difference(from.unit, 0, to.unit, 0);
    append(patch, 1);
    append(patch, (Word{mask} << mask_shift) | 1);
    for (std::size_t column = 0; column < shape.of_unit; ++column) {
        if ((mask >> column & 1U) != 0) append(patch, to.unit.at(0, column));
    }
    patch_rows(from.nodes, to.nodes, patch);
    patch_rows(from.edges, to.edges, patch);
    return patch;
}

std::string patched(std::string_view before, std::string_view patch, const Shape& shape) {
    const Words old_words(before);
    const Words patch_words(patch);
    const Parts from = parts_of(old_words, shape);
    std::string after;
    std::size_t at = 0;
    patched_rows(from.unit, patch_words, at, false, after);
    patched_rows(from.nodes, patch_words, at, true, after);
    patched_rows(from.edges, patch_words, at, true, after);
    if (at != patch_words.size()) refuse();
    return after;
}

} // namespace sprig::store
