#pragma once

#include <cstdint>
#include <span>

#include "lab/baselines/vectors.h"

namespace sprig::baselines {

/// A fixed layer of ReLU units with random weights that the seed determines.
class RandomFeatures {
  public:
    RandomFeatures(std::size_t pixels, std::size_t features, std::uint64_t seed);

    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(weights_.rows()); }
    /// Computes the features of an image.
    void operator()(std::span<const float> image, Eigen::VectorXf& features) const;

  private:
    Eigen::MatrixXf weights_; ///< a column for each pixel
};

} // namespace sprig::baselines
