#pragma once

#include <initializer_list>
#include <random>
#include <vector>

#include "lab/baselines/strategy.h"

// Small problems that can be solved by hand, and larger random ones.

namespace sprig::baselines {

using Row = std::vector<float>;
using Labels = std::vector<std::size_t>;

inline Samples samples(std::initializer_list<Row> rows) {
    Samples result(rows.begin()->size());
    for (const Row& row : rows) result.add(row);
    return result;
}

inline std::vector<std::size_t> predict(Strategy& strategy, const Samples& images) {
    std::vector<std::size_t> answers = {77}; // must be overwritten
    strategy.predict(images, answers);
    return answers;
}

inline std::size_t predict_one(Strategy& strategy, const Row& image) {
    return predict(strategy, samples({image})).front();
}

/// Random images of several classes: each pixel is distributed about a mean of its class, as a grey level
/// from 0 to 1.
class Clouds {
  public:
    Clouds(std::size_t width, std::size_t classes, unsigned seed) : random_(seed) {
        for (std::size_t c = 0; c < classes; ++c) {
            Row mean;
            while (mean.size() < width) mean.push_back(0.3F + (0.4F * uniform()));
            means_.push_back(mean);
        }
    }

    Samples draw(std::size_t label, std::size_t count, float spread = 0.3F) {
        Samples result(means_[label].size());
        for (std::size_t i = 0; i < count; ++i) {
            Row row;
            for (const float mean : means_[label]) row.push_back(grey(mean + (spread * (uniform() - 0.5F))));
            result.add(row);
        }
        return result;
    }

  private:
    float uniform() { return static_cast<float>(random_() % 1000) / 1000; }
    static float grey(float value) { return static_cast<float>(static_cast<int>(value * 255)) / 255; }

    std::mt19937 random_;
    std::vector<Row> means_;
};

} // namespace sprig::baselines
