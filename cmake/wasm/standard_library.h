// Included before every file that is compiled to WebAssembly. The standard library of Debian 12's emscripten,
// libc++ 13, lacks some parts of C++20 that Sprig uses. This adds them, as far as they are used.
#pragma once

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace std {

#ifndef __cpp_lib_bit_cast
template <typename To, typename From>
constexpr To bit_cast(const From& from) noexcept {
    return __builtin_bit_cast(To, from);
}
#endif

#ifndef __cpp_lib_smart_ptr_for_overwrite
/// Only for arrays.
template <typename Array>
unique_ptr<Array> make_unique_for_overwrite(size_t size) {
    return unique_ptr<Array>(new remove_extent_t<Array>[size]);
}
#endif

#ifndef __cpp_lib_to_chars
/// Unlike strtod, accepts no white space, plus sign or hexadecimal digits.
inline from_chars_result from_chars(const char* first, const char* last, double& value) {
    const string text(first, last);
    const size_t digits = text.starts_with('-') ? 1 : 0;
    const bool begins_well =
        digits < text.size() && (string_view("0123456789.").find(text[digits]) != string_view::npos ||
                                 string_view("iInN").find(text[digits]) != string_view::npos);
    const bool is_hexadecimal = text.size() > digits + 1 && (text[digits + 1] | 0x20) == 'x';
    char* end = nullptr;
    const double number = begins_well ? strtod(text.c_str(), &end) : 0;
    if (!begins_well || end == text.c_str()) return {first, errc::invalid_argument};
    if (is_hexadecimal) return {first + digits + 1, errc{}};
    if (isinf(number) && isdigit(static_cast<unsigned char>(end[-1])) != 0)
        return {first + (end - text.c_str()), errc::result_out_of_range};
    value = number;
    return {first + (end - text.c_str()), errc{}};
}

/// Only for numbers with a fixed number of decimals, which is what the drawings need.
inline to_chars_result to_chars(char* first, char* last, double value, chars_format /*fixed*/, int decimals) {
    const auto written = fmt::format_to_n(first, last - first, "{:.{}f}", value, decimals);
    if (written.size > static_cast<size_t>(last - first)) return {last, errc::value_too_large};
    return {written.out, errc{}};
}
#endif

#ifndef __cpp_lib_ranges
namespace ranges {

/// Compares or tests projections, as the algorithms of namespace std want it.
template <typename Function, typename Projection>
auto projected(Function& function, Projection& projection) {
    return [&function, &projection](auto&&... values) -> decltype(auto) {
        return std::invoke(function, std::invoke(projection, std::forward<decltype(values)>(values))...);
    };
}

template <typename Range, typename Value>
void fill(Range&& range, const Value& value) {
    std::fill(std::begin(range), std::end(range), value);
}
template <typename Range, typename Out, typename Function>
void transform(Range&& range, Out out, Function function) {
    std::transform(std::begin(range), std::end(range), out, function);
}
template <typename Range, typename Out>
void move(Range&& range, Out out) {
    std::move(std::begin(range), std::end(range), out);
}
template <typename Range, typename Out>
void copy(Range&& range, Out out) {
    std::copy(std::begin(range), std::end(range), out);
}
template <typename First, typename Second>
bool equal(First&& first, Second&& second) {
    return std::equal(std::begin(first), std::end(first), std::begin(second), std::end(second));
}

template <typename Range, typename Test, typename Projection = identity>
auto find_if(Range&& range, Test test, Projection projection = {}) {
    return std::find_if(std::begin(range), std::end(range), projected(test, projection));
}
template <typename Range, typename Value, typename Projection = identity>
auto find(Range&& range, const Value& value, Projection projection = {}) {
    return ranges::find_if(
        range, [&value](const auto& found) { return found == value; }, projection);
}
template <typename Range, typename Test>
bool all_of(Range&& range, Test test) {
    return std::all_of(std::begin(range), std::end(range), test);
}
template <typename Range, typename Test>
bool any_of(Range&& range, Test test) {
    return std::any_of(std::begin(range), std::end(range), test);
}
template <typename Range, typename Test>
bool none_of(Range&& range, Test test) {
    return std::none_of(std::begin(range), std::end(range), test);
}
template <typename Range, typename Test>
auto count_if(Range&& range, Test test) {
    return std::count_if(std::begin(range), std::end(range), test);
}
template <typename Range, typename Value, typename Projection = identity>
auto count(Range&& range, const Value& value, Projection projection = {}) {
    const auto is_value = [&value](const auto& counted) { return counted == value; };
    return std::count_if(std::begin(range), std::end(range), projected(is_value, projection));
}

template <typename Range, typename Value>
bool binary_search(Range&& range, const Value& value) {
    return std::binary_search(std::begin(range), std::end(range), value);
}
template <typename Range, typename Value>
auto lower_bound(Range&& range, const Value& value) {
    return std::lower_bound(std::begin(range), std::end(range), value);
}
template <typename Range, typename Value, typename Compare = ranges::less, typename Projection = identity>
auto upper_bound(Range&& range, const Value& value, Compare compare = {}, Projection projection = {}) {
    return std::upper_bound(std::begin(range), std::end(range), value,
                            [&compare, &projection](const auto& sought, const auto& element) {
                                return std::invoke(compare, sought, std::invoke(projection, element));
                            });
}
template <typename Range, typename Compare = ranges::less, typename Projection = identity>
auto max_element(Range&& range, Compare compare = {}, Projection projection = {}) {
    return std::max_element(std::begin(range), std::end(range), projected(compare, projection));
}
template <typename Range, typename Compare = ranges::less, typename Projection = identity>
auto min_element(Range&& range, Compare compare = {}, Projection projection = {}) {
    return std::min_element(std::begin(range), std::end(range), projected(compare, projection));
}
template <typename Range>
auto max(Range&& range) {
    return *std::max_element(std::begin(range), std::end(range));
}
// Sorting takes a few hundred bytes for each type here, and a few thousand in the library.
template <typename Range, typename Compare = ranges::less, typename Projection = identity>
void sort(Range&& range, Compare compare = {}, Projection projection = {}) {
    std::make_heap(std::begin(range), std::end(range), projected(compare, projection));
    std::sort_heap(std::begin(range), std::end(range), projected(compare, projection));
}
template <typename Range, typename Iterator>
void nth_element(Range&& range, Iterator nth) {
    std::nth_element(std::begin(range), nth, std::end(range));
}
/// Merges the sorted halves of a part, after sorting them.
template <typename Iterator, typename Before, typename Value>
void merge_sort(Iterator begin, Iterator end, const Before& before, vector<Value>& half) {
    if (end - begin < 2) return;
    const Iterator middle = begin + ((end - begin) / 2);
    merge_sort(begin, middle, before, half);
    merge_sort(middle, end, before, half);
    half.clear();
    for (Iterator from = begin; from != middle; ++from) half.push_back(std::move(*from));
    Iterator to = begin;
    Iterator right = middle;
    for (auto left = half.begin(); left != half.end(); ++to) {
        const bool takes_right = right != end && before(*right, *left);
        *to = takes_right ? std::move(*right++) : std::move(*left++);
    }
}
template <typename Range, typename Compare = ranges::less, typename Projection = identity>
void stable_sort(Range&& range, Compare compare = {}, Projection projection = {}) {
    vector<decay_t<decltype(*std::begin(range))>> half;
    merge_sort(std::begin(range), std::end(range), projected(compare, projection), half);
}

} // namespace ranges
#endif

} // namespace std
