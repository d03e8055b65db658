#pragma once

#include <cstddef>
#include <span>

#include <Eigen/Core>

namespace sprig::baselines {

/// Eigen's indices are signed.
[[nodiscard]] inline Eigen::Index index(std::size_t number) {
    return static_cast<Eigen::Index>(number);
}

/// A view of the numbers as a vector.
[[nodiscard]] inline Eigen::Map<const Eigen::VectorXf> as_vector(std::span<const float> numbers) {
    return {numbers.data(), index(numbers.size())};
}

/// A matrix of zeros.
[[nodiscard]] inline Eigen::MatrixXf columns(std::size_t height, std::size_t count) {
    return Eigen::MatrixXf::Zero(index(height), index(count));
}

} // namespace sprig::baselines
