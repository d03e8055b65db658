#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "baselines/strategy.h"

namespace sprig::baselines {

/// All past images, for methods that keep them. A pixel is a grey level and takes one byte, so an image of
/// 784 px takes 784 bytes, and its label one more.
class StoredImages {
  public:
    /// Throws Error(usage) if there are more classes than a byte can tell apart.
    explicit StoredImages(const Task& task);

    void add(const Samples& images, std::size_t label);

    [[nodiscard]] std::size_t size() const { return labels_.size(); }
    [[nodiscard]] std::size_t label(std::size_t i) const { return labels_[i]; }
    [[nodiscard]] std::span<const std::uint8_t> pixels(std::size_t i) const {
        return std::span(pixels_).subspan(i * width_, width_);
    }
    [[nodiscard]] Kept kept() const;

  private:
    std::size_t width_;
    std::vector<std::uint8_t> pixels_;
    std::vector<std::uint8_t> labels_;
};

/// The grey levels of pixels from 0 to 1; what lies between two levels becomes the nearer one.
void to_grey(std::span<const float> pixels, std::span<std::uint8_t> grey);

} // namespace sprig::baselines
