#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sprig::data_detail {

/// Images `first` to `last`, both included, counted from 0.
struct Selection {
    std::size_t first = 0;
    std::size_t last = 0;

    [[nodiscard]] std::size_t size() const { return last - first + 1; }
    bool operator==(const Selection&) const = default;
};

/// A parsed address.
struct Address {
    enum class Kind { known_set, idx, folder, strokes, picture };

    Kind kind = Kind::picture;
    std::string base;             ///< without the selection; prefix of the names of numbered images
    std::string set;              ///< known_set: mnist, fashion-mnist
    std::string part;             ///< known_set: train, t10k, all
    std::filesystem::path path;   ///< folder, strokes, picture; idx: the images
    std::filesystem::path labels; ///< idx
    std::optional<Selection> selection;
};

/// Parses an address. `exists` tells whether a path exists: a path may end in what looks like a selection.
/// Throws a usage error for an invalid address.
[[nodiscard]] Address parse_address(std::string_view text,
                                    const std::function<bool(const std::filesystem::path&)>& exists);

/// The selection, or all images if there is none. Throws a usage error if it exceeds `size` images.
[[nodiscard]] Selection selected(const Address& address, std::size_t size);

} // namespace sprig::data_detail
