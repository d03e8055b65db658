#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace sprig::baselines {

/// Images as rows of numbers, all of the same width.
class Samples {
  public:
    explicit Samples(std::size_t width) : width_(width) {}

    [[nodiscard]] std::size_t width() const { return width_; }
    [[nodiscard]] std::size_t size() const { return width_ == 0 ? 0 : values_.size() / width_; }
    [[nodiscard]] std::span<const float> row(std::size_t index) const {
        return std::span(values_).subspan(index * width_, width_);
    }
    /// All rows, one after the other.
    [[nodiscard]] std::span<const float> values() const { return values_; }

    void reserve(std::size_t rows) { values_.reserve(rows * width_); }
    void clear() { values_.clear(); }
    void add(std::span<const float> row) { values_.insert(values_.end(), row.begin(), row.end()); }
    void add(const Samples& others) { add(others.values()); }
    void replace(std::size_t index, std::span<const float> row) {
        std::copy(row.begin(), row.end(), values_.begin() + static_cast<std::ptrdiff_t>(index * width_));
    }

  private:
    std::size_t width_;
    std::vector<float> values_;
};

/// Samples with their classes.
struct Labelled {
    Samples images;
    std::vector<std::size_t> labels;

    explicit Labelled(std::size_t width) : images(width) {}
    [[nodiscard]] std::size_t size() const { return labels.size(); }
    /// The bytes to store them: one for each pixel, which has 256 grey levels, and one for the class.
    [[nodiscard]] std::size_t bytes() const { return images.values().size() + labels.size(); }
    void add(std::span<const float> row, std::size_t label) {
        images.add(row);
        labels.push_back(label);
    }
    void add(const Samples& rows, std::size_t label) {
        images.add(rows);
        labels.insert(labels.end(), rows.size(), label);
    }
    void add(const Labelled& others) {
        images.add(others.images);
        labels.insert(labels.end(), others.labels.begin(), others.labels.end());
    }
};

/// What a method must keep to continue learning, in bytes.
struct MemoryUse {
    std::size_t model = 0;  ///< weights, statistics, the optimiser's state
    std::size_t data = 0;   ///< stored images and the data stored with them
    std::size_t images = 0; ///< number of stored images
    std::size_t parts = 0;  ///< number of units or experts of a method that grows

    [[nodiscard]] std::size_t bytes() const { return model + data; }
};

/// A pixel-based learner that Sprig is compared with, on the same images in the same order.
class Strategy {
  public:
    Strategy() = default;
    virtual ~Strategy() = default;
    Strategy(const Strategy&) = delete;
    Strategy& operator=(const Strategy&) = delete;

    /// Learns new images of one class: a block of the stream, or a single image.
    virtual void observe(const Samples& images, std::size_t label) = 0;
    /// The predicted class of each image. Does not change the model.
    virtual void predict(const Samples& images, std::vector<std::size_t>& answers) = 0;
    /// The classes of each image, likeliest first, at most `most` of them. Only the predicted one if the
    /// method does not rank classes. Does not change the model.
    virtual void rank(const Samples& images, std::size_t most,
                      std::vector<std::vector<std::size_t>>& answers);
    [[nodiscard]] virtual MemoryUse memory_use() const = 0;
};

inline void Strategy::rank(const Samples& images, std::size_t /*most*/,
                           std::vector<std::vector<std::size_t>>& answers) {
    std::vector<std::size_t> predicted;
    predict(images, predicted);
    answers.clear();
    for (const std::size_t label : predicted) answers.push_back({label});
}

/// The places of the `most` greatest values, greatest first; of equals the first one comes first.
template <class Value>
[[nodiscard]] std::vector<std::size_t> greatest(std::span<const Value> values, std::size_t most) {
    std::vector<std::size_t> places(values.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    most = std::min(most, places.size());
    const auto before = [&](std::size_t a, std::size_t b) {
        return values[a] > values[b] || (values[a] == values[b] && a < b);
    };
    std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(most), places.end(),
                      before);
    places.resize(most);
    return places;
}

/// What every strategy is created with.
struct Task {
    std::size_t width = 0; ///< pixels of an image
    std::size_t side = 0;  ///< side length of an image, which is square
    std::size_t classes = 0;
    std::uint64_t seed = 0;
};

} // namespace sprig::baselines
