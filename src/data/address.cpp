#include "data/address.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include <fmt/format.h>

#include "data/known_sets.h"
#include "sprig/error.h"

namespace sprig::data_detail {

namespace {

using Exists = std::function<bool(const std::filesystem::path&)>;

constexpr std::string_view selection_hint =
    "write :N for one image or :M-N for images M to N, counted from 0";
constexpr std::array<std::string_view, 3> parts = {"train", "t10k", "all"};

[[nodiscard]] bool all_digits(std::string_view text) {
    return !text.empty() &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether the text has the form N or M-N.
[[nodiscard]] bool looks_like_selection(std::string_view text) {
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos) return all_digits(text);
    return all_digits(text.substr(0, dash)) && all_digits(text.substr(dash + 1));
}

[[nodiscard]] std::size_t parse_number(std::string_view digits, std::string_view address) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) {
        throw usage_error(
            fmt::format("'{}': the number {} is too large; {}", address, digits, selection_hint));
    }
    return value;
}

[[nodiscard]] Selection parse_selection(std::string_view text, std::string_view address) {
    if (!looks_like_selection(text)) {
        throw usage_error(
            fmt::format("'{}': '{}' is not a valid selection; {}", address, text, selection_hint));
    }
    const std::size_t dash = text.find('-');
    if (dash == std::string_view::npos) {
        const std::size_t number = parse_number(text, address);
        return {number, number};
    }
    const Selection selection{parse_number(text.substr(0, dash), address),
                              parse_number(text.substr(dash + 1), address)};
    if (selection.first > selection.last) {
        throw usage_error(fmt::format("'{}': {} comes after {}; did you mean :{}-{}?", address,
                                      selection.first, selection.last, selection.last, selection.first));
    }
    return selection;
}

/// Removes a selection from the end of a path, unless the whole path exists.
[[nodiscard]] std::optional<Selection> cut_selection(std::string_view& path, std::string_view address,
                                                     const Exists& exists) {
    const std::size_t colon = path.rfind(':');
    if (colon == std::string_view::npos || !looks_like_selection(path.substr(colon + 1)) || exists(path)) {
        return std::nullopt;
    }
    const Selection selection = parse_selection(path.substr(colon + 1), address);
    path = path.substr(0, colon);
    return selection;
}

[[nodiscard]] std::string all_parts(std::string_view set) {
    return fmt::format("{0}:train, {0}:t10k or {0}:all", set);
}

[[nodiscard]] Address parse_known_set(std::string_view set, std::string_view rest, std::string_view address) {
    const std::size_t colon = rest.find(':');
    const std::string_view part = rest.substr(0, colon);
    if (std::find(parts.begin(), parts.end(), part) == parts.end()) {
        throw usage_error(
            fmt::format("'{}': {} has no part '{}'; write {}", address, set, part, all_parts(set)));
    }
    Address result;
    result.kind = Address::Kind::known_set;
    result.set = set;
    result.part = part;
    result.base = fmt::format("{}:{}", set, part);
    if (colon != std::string_view::npos) result.selection = parse_selection(rest.substr(colon + 1), address);
    return result;
}

/// Position of the comma in IMAGES,LABELS. Paths may contain commas, so this is the first comma that
/// separates two existing files, or else the first one.
[[nodiscard]] std::size_t separating_comma(std::string_view paths, const Exists& exists) {
    const std::size_t first = paths.find(',');
    for (std::size_t comma = first; comma != std::string_view::npos; comma = paths.find(',', comma + 1)) {
        if (exists(paths.substr(0, comma)) && exists(paths.substr(comma + 1))) return comma;
    }
    return first;
}

[[nodiscard]] Address parse_idx(std::string_view rest, std::string_view address, const Exists& exists) {
    Address result;
    result.kind = Address::Kind::idx;
    std::string_view paths = rest;
    const auto labels_exist = [&](const std::filesystem::path& whole) {
        const std::string text = whole.string();
        const std::size_t comma = separating_comma(text, exists);
        return comma != std::string::npos && exists(text.substr(comma + 1));
    };
    result.selection = cut_selection(paths, address, labels_exist);
    const std::size_t comma = separating_comma(paths, exists);
    if (comma == std::string_view::npos || comma == 0 || comma + 1 == paths.size()) {
        throw usage_error(fmt::format("'{}' must name two files: idx:IMAGES,LABELS", address));
    }
    result.path = paths.substr(0, comma);
    result.labels = paths.substr(comma + 1);
    result.base = fmt::format("idx:{}", paths);
    return result;
}

[[nodiscard]] Address parse_folder(std::string_view rest, std::string_view address, const Exists& exists) {
    Address result;
    result.kind = Address::Kind::folder;
    result.selection = cut_selection(rest, address, exists);
    if (rest.empty()) throw usage_error(fmt::format("'{}' must name a folder: dir:PATH", address));
    result.path = rest;
    result.base = fmt::format("dir:{}", rest);
    return result;
}

[[nodiscard]] Address parse_stroke_file(std::string_view rest, std::string_view address,
                                        const Exists& exists) {
    Address result;
    result.kind = Address::Kind::strokes;
    result.selection = cut_selection(rest, address, exists);
    if (rest.empty()) throw usage_error(fmt::format("'{}' must name a file: strokes:FILE.jsonl", address));
    result.path = rest;
    result.base = fmt::format("strokes:{}", rest);
    return result;
}

/// The Levenshtein distance of two words.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

[[nodiscard]] Error unknown_name(std::string_view address, std::string_view head) {
    std::vector<std::string_view> names = {"idx", "dir", "strokes"};
    for (const KnownSet& set : known_sets()) names.push_back(set.name);
    std::string guess;
    std::size_t least = 3; // a larger distance is not a typing error
    // A long text is not a misspelled name.
    for (const std::string_view name : head.size() <= 20 ? names : std::vector<std::string_view>{}) {
        const std::size_t distance = edit_distance(head, name);
        if (distance < std::min(least, name.size())) {
            least = distance;
            guess = fmt::format("; did you mean {}{}?", name, address.substr(head.size()));
        }
    }
    return usage_error(fmt::format("'{}' is neither a file nor a data set; data sets are {}, "
                                   "idx:IMAGES,LABELS, dir:PATH and strokes:FILE.jsonl{}",
                                   address, known_set_names(), guess));
}

} // namespace

Address parse_address(std::string_view text, const Exists& exists) {
    if (text.empty()) throw usage_error("the address is empty; try mnist:train or a path");
    if (text.find('\0') != std::string_view::npos) {
        throw usage_error("an address cannot contain a NUL byte");
    }
    const std::size_t colon = text.find(':');
    const std::string_view head = text.substr(0, colon);
    if (colon != std::string_view::npos) {
        const std::string_view rest = text.substr(colon + 1);
        if (find_known_set(head) != nullptr) return parse_known_set(head, rest, text);
        if (head == "idx") return parse_idx(rest, text, exists);
        if (head == "dir") return parse_folder(rest, text, exists);
        if (head == "strokes") return parse_stroke_file(rest, text, exists);
    }
    const bool path_exists = exists(text);
    if (!path_exists && find_known_set(head) != nullptr) {
        throw usage_error(fmt::format("'{}' has several parts; write {}", text, all_parts(head)));
    }
    // A text with a slash or a dot is meant as a path; a missing file is reported when it is read.
    const bool looks_like_path = head.find_first_of("/.") != std::string_view::npos;
    if (!path_exists && !looks_like_path) throw unknown_name(text, head);
    Address result;
    result.path = text;
    result.base = text;
    return result;
}

Selection selected(const Address& address, std::size_t size) {
    if (!address.selection) return {0, size - 1};
    if (address.selection->last >= size) {
        throw usage_error(fmt::format("{} has {} images, 0 to {}, so there is no image {}", address.base,
                                      size, size - 1, address.selection->last));
    }
    return *address.selection;
}

} // namespace sprig::data_detail
