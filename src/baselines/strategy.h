#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "baselines/samples.h"

namespace sprig::baselines {

/// What a method must keep to go on learning, in bytes.
struct Kept {
    std::size_t model = 0;  ///< weights, statistics, the optimiser's state
    std::size_t data = 0;   ///< past images, and what was stored with them
    std::size_t images = 0; ///< how many past images that is

    [[nodiscard]] std::size_t bytes() const { return model + data; }
};

/// A learner of pixels that Sprig is compared with. It meets the same images in the same order.
class Strategy {
  public:
    Strategy() = default;
    virtual ~Strategy() = default;
    Strategy(const Strategy&) = delete;
    Strategy& operator=(const Strategy&) = delete;

    /// Learns some new images of one class: a block of the stream, or one image.
    virtual void observe(const Samples& images, std::size_t label) = 0;
    /// Which class it takes each image for. It changes nothing that is learned.
    virtual void predict(const Samples& images, std::vector<std::size_t>& answers) = 0;
    [[nodiscard]] virtual Kept kept() const = 0;
};

/// What all of them are told at the start.
struct Task {
    std::size_t width = 0; ///< pixels of an image
    std::size_t side = 0;  ///< and along its side: images are square
    std::size_t classes = 0;
    std::uint64_t seed = 0;
};

} // namespace sprig::baselines
