#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sprig::data_detail {

/// A file of a public data set, with its expected size and digest.
struct KnownFile {
    std::string_view name;
    std::uint64_t size;
    std::string_view sha256;
};

struct KnownSet {
    std::string_view name;
    /// Images and labels of train, then of t10k.
    std::array<KnownFile, 4> files;
    std::array<std::string_view, 10> classes;
};

[[nodiscard]] std::span<const KnownSet> known_sets();
/// The set with this name, or nullptr.
[[nodiscard]] const KnownSet* find_known_set(std::string_view name);
/// "mnist, fashion-mnist"
[[nodiscard]] std::string known_set_names();

} // namespace sprig::data_detail
