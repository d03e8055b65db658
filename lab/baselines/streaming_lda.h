#pragma once

#include <cstdint>
#include <span>

#include "lab/baselines/vectors.h"

namespace sprig::baselines {

/// Units with fixed random weights: each adds up the pixels and says what is above zero. Nothing of them is
/// learned, and the seed tells all their weights.
class RandomFeatures {
  public:
    RandomFeatures(std::size_t pixels, std::size_t features, std::uint64_t seed);

    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(weights_.rows()); }
    /// Fills in what each unit says of an image.
    void operator()(std::span<const float> image, Eigen::VectorXf& features) const;

  private:
    Eigen::MatrixXf weights_; ///< a column for each pixel
};

} // namespace sprig::baselines
