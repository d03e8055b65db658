#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "constellation/features.h"
#include "constellation/lanes.h"

namespace sprig::constellation {

// The layouts of the most used sets of features are known to the compiler, so that their loops are unrolled.

/// The position with weight 1 and six others with weight 0.5.
struct StandardLayout {
    static constexpr std::array features = {Feature::x,           Feature::y,          Feature::next_x,
                                            Feature::next_y,      Feature::previous_x, Feature::previous_y,
                                            Feature::persistence, Feature::sharpness};
    static constexpr FeaturePlaces places = places_in(features);
    static constexpr std::array<FeatureGroup, 2> groups = {{{0, 2, 4}, {2, 8, 2}}};
    static constexpr std::size_t width = features.size();
};

/// The paper's vocabulary: the position with weight 1, the persistence with 0.5, the neighbours with 0.25.
struct PaperLayout {
    static constexpr std::array features = {Feature::x,         Feature::y,      Feature::persistence,
                                            Feature::next_x,    Feature::next_y, Feature::previous_x,
                                            Feature::previous_y};
    static constexpr FeaturePlaces places = places_in(features);
    static constexpr std::array<FeatureGroup, 3> groups = {{{0, 2, 4}, {2, 3, 2}, {3, 7, 1}}};
    static constexpr std::size_t width = features.size();
};

struct AnyLayout {
    const FeaturePlaces& places;
    std::span<const FeatureGroup> groups;
    std::size_t width;
};

/// Calls `work` with the layout of a set.
template <typename Work>
inline auto with_layout(const FeatureSet& set, Work work) {
    switch (set.known_layout) {
    case KnownLayout::standard:
        return work(StandardLayout{});
    case KnownLayout::paper:
        return work(PaperLayout{});
    default:
        return work(AnyLayout{set.places, set.groups, set.size()});
    }
}

/// `product` raised to a weight in quarters (1 to 4).
template <typename Number>
[[gnu::always_inline]] inline Number power(Number product, int quarters) {
    const Number square = product * product;
    switch (quarters) {
    case 1:
        return product;
    case 2:
        return square;
    case 3:
        return square * product;
    default:
        return square * square;
    }
}

/// Nodes of a unit and observed nodes, a lane each. The product over their features is of one plus the
/// squared deviation times its factor.
template <typename Number>
struct Deviations {
    const Number* means;
    const Number* factors; ///< of the squared deviations from the means
    const Number* seen;
    Number one;

    [[nodiscard, gnu::always_inline]] inline Number deviation(std::size_t f) const {
        const Number off = seen[f] - means[f];
        return one + (off * off * factors[f]);
    }

    [[nodiscard, gnu::always_inline]] inline Number product_of(const FeatureGroup& group) const {
        std::size_t f = group.first;
        if (f + 1 == group.end) return deviation(f);
        Number even = deviation(f);
        Number odd = deviation(f + 1);
        for (f += 2; f + 1 < group.end; f += 2) {
            even *= deviation(f);
            odd *= deviation(f + 1);
        }
        const Number product = even * odd;
        return f < group.end ? product * deviation(f) : product;
    }
};

/// The product over the groups of a layout: `products.product_of(group)`, raised to the group's weight in
/// quarters. The order of the multiplications is fixed: it decides the last bits of the scores.
template <typename Products>
[[gnu::always_inline]] inline auto weighted_product(const Products& products, const AnyLayout& layout) {
    auto all = power(products.product_of(layout.groups[0]), layout.groups[0].quarters);
    for (std::size_t g = 1; g < layout.groups.size(); ++g)
        all *= power(products.product_of(layout.groups[g]), layout.groups[g].quarters);
    return all;
}

/// The same of the first groups of a layout that the compiler knows. It does not unroll a loop over groups of
/// different sizes by itself.
template <typename Layout, std::size_t count, typename Products>
[[gnu::always_inline]] inline auto product_of_groups(const Products& products) {
    constexpr FeatureGroup last = Layout::groups[count - 1];
    const auto product = power(products.product_of(last), last.quarters);
    if constexpr (count == 1)
        return product;
    else
        return product_of_groups<Layout, count - 1>(products) * product;
}

template <typename Products, typename Layout>
[[gnu::always_inline]] inline auto weighted_product(const Products& products, const Layout&) {
    return product_of_groups<Layout, Layout::groups.size()>(products);
}

} // namespace sprig::constellation
