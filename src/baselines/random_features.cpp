#include "baselines/random_features.h"

#include <cmath>

#include "random/keyed.h"
#include "sprig/error.h"

namespace sprig::baselines {

RandomFeatures::RandomFeatures(std::size_t pixels, std::size_t features, std::uint64_t seed)
    : weights_(index(features), index(pixels)) {
    if (features == 0) throw usage_error("there must be at least one random feature");
    const std::uint64_t key = random::mix({seed, random::mix("random features")});
    const double range = std::sqrt(6 / static_cast<double>(pixels));
    for (std::size_t pixel = 0; pixel < pixels; ++pixel) {
        for (std::size_t f = 0; f < features; ++f) {
            // Uniform and not normal: the sum of so many is normal anyway, and no logarithm or cosine is
            // needed, whose last bits are not the same everywhere.
            const double number = random::uniform(random::mix(key, (pixel * features) + f));
            weights_(index(f), index(pixel)) = static_cast<float>(range * ((2 * number) - 1));
        }
    }
}

void RandomFeatures::operator()(std::span<const float> image, Eigen::VectorXf& features) const {
    features.setZero(weights_.rows());
    for (std::size_t pixel = 0; pixel < image.size(); ++pixel) {
        // Four fifths of a digit's pixels are blank.
        if (image[pixel] != 0) features += image[pixel] * weights_.col(index(pixel));
    }
    features = features.cwiseMax(0.0F);
}

} // namespace sprig::baselines
