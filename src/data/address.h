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

/// An address taken apart.
struct Address {
    enum class Kind { known_set, idx, folder, picture };

    Kind kind = Kind::picture;
    std::string base;             ///< without the selection: what numbered images are called after
    std::string set;              ///< known_set: mnist, fashion-mnist
    std::string part;             ///< known_set: train, t10k, all
    std::filesystem::path path;   ///< folder, picture; idx: the images
    std::filesystem::path labels; ///< idx
    std::optional<Selection> selection;
};

/// Takes an address apart. Whether a path exists is asked of `exists`, because a path may contain what
/// looks like a selection. Throws a usage error for what cannot be an address.
[[nodiscard]] Address parse_address(std::string_view text,
                                    const std::function<bool(const std::filesystem::path&)>& exists);

/// The selection, or everything; throws a usage error if it reaches beyond `size` images.
[[nodiscard]] Selection selected(const Address& address, std::size_t size);

} // namespace sprig::data_detail
