#pragma once

#include <cstdint>

#include "baselines/samples.h"
#include "baselines/strategy.h"

namespace sprig::baselines {

/// Some of the past: images with their classes, and what was stored with them.
class Buffer {
  public:
    /// Which of too many are kept.
    enum class Policy {
        reservoir, ///< each of all that came is as likely to be there
        balanced,  ///< of each class as many as of any other, the latest ones
    };
    Buffer(Policy policy, std::size_t capacity, std::uint64_t seed)
        : policy_(policy), capacity_(capacity), seed_(seed) {}

    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] std::size_t size() const { return past_.size(); }
    [[nodiscard]] const Labelled& past() const { return past_; }
    /// What was stored beside the images: a row for each, none if nothing was.
    [[nodiscard]] const Samples& notes() const { return notes_; }

    void offer(std::span<const float> image, std::size_t label, std::span<const float> note = {});
    [[nodiscard]] Kept kept() const;

  private:
    /// The place a new one takes; `size()` to be added, `capacity_` to be left out.
    [[nodiscard]] std::size_t place_for(std::size_t label) const;
    [[nodiscard]] std::size_t balanced_place(std::size_t label) const;
    [[nodiscard]] std::size_t below(std::size_t count) const;

    Policy policy_;
    std::size_t capacity_;
    std::uint64_t seed_;
    std::size_t offered_ = 0;
    Labelled past_{0};
    Samples notes_{0};
};

} // namespace sprig::baselines
