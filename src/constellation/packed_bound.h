#pragma once

#include <cstdint>
#include <vector>

#include "constellation/lanes.h"
#include "constellation/learned_unit.h"

namespace sprig::constellation {

/// Upper bounds of the scores of packed units. The nodes of a unit of one sample have equal gains and
/// spreads, so that little is needed of each. Computed in single precision, with all rounding errors on the
/// safe side. Has working memory: one per thread.
class PackedBound {
  public:
    explicit PackedBound(const UnitContext& context);

    /// Whether units have positions, as the first features. Otherwise nothing below may be used.
    [[nodiscard]] bool is_possible() const { return is_possible_; }

    /// `summary`: of the same observation. Both must not change as long as bounds are asked for.
    void assign(const ObservationFeatures& observed, const ObservationSummary& summary);

    // Minus infinity as soon as the bound is known to be below `floor`. The summary must be usable.
    /// Compares places of the grid.
    [[nodiscard]] double by_place(const PackedUnit& unit, const UnitSummary& summary, double floor);
    /// Compares places, positions, and then all features.
    [[nodiscard]] double by_features(const PackedUnit& unit, const UnitSummary& summary, double floor);

  private:
    /// What is compared of nodes, and the observed nodes in that form.
    struct Comparison {
        std::size_t width = 0;       ///< the number of features
        double gain = 0;             ///< of a node at its mean, with all errors
        float slope = 0;             ///< the factor of the logarithm of the product of the deviations
        std::vector<Floats> factors; ///< of the squared deviations
        /// By observed node: its scale, which multiplies products and is at least 1, and its features.
        std::vector<Floats> columns;
        std::vector<float> most; ///< by type: the gain of a node on the most surprising one, at its mean
        bool is_usable = true;
    };
    void use_features(const Predictive& node, std::size_t width, double slope, Comparison& comparison) const;
    void assign_columns(const ObservationFeatures& observed, Comparison& comparison) const;
    void make_gains_of_places();
    void fill_rows(std::size_t first, std::size_t count, std::size_t width);
    template <typename Product>
    [[nodiscard]] double lowered(double bound, double floor, const UnitSummary& summary,
                                 const Comparison& comparison, const Product& product_of);
    template <typename Product>
    [[nodiscard]] float best_of_type(std::uint32_t type, const Comparison& comparison,
                                     const Product& product_of);

    const UnitContext& context_;
    bool is_possible_;
    NearLogarithm near_logarithm_;
    const ObservationFeatures* observed_ = nullptr;
    const ObservationSummary* seen_ = nullptr;
    bool has_features_ = false; ///< whether `of_features_` is of the observation
    Comparison of_positions_;
    Comparison of_features_;
    std::vector<std::uint16_t> gains_of_places_; ///< by type, then place
    FeatureColumns columns_;
    std::vector<std::int16_t> ranked_; ///< by type: the gains of the summary
    std::vector<double> by_type_;      ///< upper bounds of the gains
    std::vector<std::uint32_t> first_; ///< by type: the first node of the unit
    std::vector<std::uint32_t> order_; ///< of types
    std::vector<Floats> rows_;         ///< by four nodes of a type, then feature
    std::vector<Floats> least_;        ///< by observed node of a type: the least product of a node, by lane
};

} // namespace sprig::constellation
