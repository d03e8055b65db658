#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "constellation/observation_features.h"
#include "constellation/predictive.h"

namespace sprig::constellation {

using Floats = float __attribute__((vector_size(16)));

/// The features of an observation in single precision, each four times, for ClassBounds. Reuses its memory.
class ObservedFloats {
  public:
    void assign(const ObservationFeatures& observed);

    /// Whether all numbers are small enough for the error bounds of ClassBounds.
    [[nodiscard]] bool is_usable() const { return is_usable_; }
    /// By node: its surprise as clutter, then its features.
    [[nodiscard]] const Floats* row(std::size_t node) const { return values_.data() + (node * width_); }
    [[nodiscard]] std::uint32_t begin(std::size_t type) const { return begin_[type]; }

  private:
    bool is_usable_ = true;
    std::size_t width_ = 0;
    std::vector<Floats> values_;
    std::vector<std::uint32_t> begin_; ///< nodes of a type: begin_[type] to begin_[type + 1]
};

/// Upper bounds of the scores of a class's units. A bound gives each node of the unit its best observed node,
/// whether or not another node has it too. Nodes are kept by type, in vectors of four and in single
/// precision; all errors of rounding are on the safe side. Immutable.
class ClassBounds {
  public:
    ClassBounds(std::span<const Predictive* const> units, const FeatureSet& set, std::size_t types);

    /// Whether all numbers are small enough for the error bounds.
    [[nodiscard]] bool is_usable() const { return is_usable_; }
    /// The bound of a unit. Everything must be usable.
    [[nodiscard]] double compute(std::size_t unit, const ObservedFloats& observed) const;

  private:
    static constexpr std::size_t lanes = 4;
    using Integers = std::int32_t __attribute__((vector_size(16)));

    /// Up to four nodes of one type.
    struct Group {
        std::uint32_t type = 0;
        Floats gain =
            Floats{} - 1e30F; ///< at the mean, without the clutter term; a lane without a node never gains
        Floats slope{};
    };
    struct UnitGroups {
        double all_absent = 0;
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };

    void add_node(const Predictive& unit, std::size_t node, std::size_t lane);
    template <bool has_default_layout>
    [[nodiscard]] Floats best_gains(const Group& group, const Floats* means,
                                    const ObservedFloats& observed) const;
    template <bool has_default_layout>
    [[nodiscard]] double compute_as(std::size_t unit, const ObservedFloats& observed) const;

    std::vector<FeatureGroup> feature_groups_;
    std::size_t width_ = 0; ///< features per node
    bool has_default_layout_ = false;
    bool is_usable_ = true;
    std::vector<UnitGroups> units_;
    std::vector<Group> groups_;
    std::vector<Floats>
        values_; ///< by group: the means of each feature, then the factors of its squared deviation
};

} // namespace sprig::constellation
