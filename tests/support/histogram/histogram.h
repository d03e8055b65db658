#pragma once

#include <map>
#include <string>
#include <vector>

#include "sprig/learners.h"

namespace sprig::test {

/// A small third learner: a class is the mean number of nodes of each type, and the prediction is the class
/// with the nearest means. It shows what a new learner needs: this folder and its registration.
class Histogram final : public Learner {
  public:
    /// The nodes of one type in one class.
    struct Bin {
        std::uint64_t count = 0; ///< nodes in all samples
        double x = 0;            ///< sums of their positions
        double y = 0;
    };
    struct ClassState {
        std::string label;
        std::uint64_t samples = 0;
        std::map<std::uint32_t, Bin> bins = {}; ///< by type
    };

    explicit Histogram(double temperature, const FrontEndParams& front_end = {});

    void add_class(std::string_view label) override;
    LearnReport learn(const Network& network, std::string_view label) override;
    [[nodiscard]] std::unique_ptr<Reader> reader() const override;
    [[nodiscard]] std::vector<std::string> classes() const override;
    [[nodiscard]] std::uint64_t steps() const override;
    [[nodiscard]] std::vector<UnitView> units() const override;
    [[nodiscard]] ModelSize model_size(std::uint64_t observations) const override;
    void check() const override;
    [[nodiscard]] std::uint64_t digest() const override;
    [[nodiscard]] const FrontEndParams& front_end() const override { return front_end_; }
    [[nodiscard]] std::string_view name() const override { return "histogram"; }
    [[nodiscard]] std::string parameters() const override;
    [[nodiscard]] int version() const override { return method; }

    [[nodiscard]] const std::vector<ClassState>& states() const { return classes_; }
    void restore(std::vector<ClassState> classes) { classes_ = std::move(classes); }
    [[nodiscard]] static Lineage unit_of(std::string_view label);

    /// The method version, which tests change.
    static inline int method = 1;

  private:
    ClassState& find_or_add_class(std::string_view label);

    double temperature_;
    FrontEndParams front_end_;
    std::shared_ptr<const Schema> schema_;
    std::vector<ClassState> classes_;
};

/// For the registry.
[[nodiscard]] LearnerKind histogram_kind();
/// Registers the learner, once.
void register_histogram();

} // namespace sprig::test
