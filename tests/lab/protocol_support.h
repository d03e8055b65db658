#pragma once

#include <memory>
#include <numeric>
#include <string>

#include "lab/protocol/protocol.h"
#include "support/counting_learner.h"
#include "support/shapes.h"

namespace sprig::lab {

/// Three classes with different numbers of nodes: a bar has 2, a square 4, a ring 8. Every image is shifted
/// further to the right, so that no two images are equal.
inline Dataset three_shapes(std::size_t of_each) {
    const Image bar = test::from_art({"#######"});
    const Image square = test::from_art({"####", "####", "####", "####"});
    const Image ring = test::from_art({"######", "#....#", "#....#", "#....#", "#....#", "######"});
    Dataset data;
    data.set_classes({"bar", "square", "ring"});
    for (std::size_t i = 0; i < of_each; ++i) {
        const int width = static_cast<int>(of_each) + 8;
        data.add(test::placed(bar, static_cast<int>(i), 0, width, 6).view(), 0);
        data.add(test::placed(square, static_cast<int>(i), 0, width, 6).view(), 1);
        data.add(test::placed(ring, static_cast<int>(i), 0, width, 6).view(), 2);
    }
    return data;
}

inline ExperimentData shapes_data(std::size_t of_each = 20) {
    ExperimentData data{three_shapes(of_each), {}};
    data.pool.resize(data.dataset.size());
    std::iota(data.pool.begin(), data.pool.end(), std::size_t{0});
    data.front_end.min_contour = 2;
    return data;
}

/// A large held-out set with one bar, two squares and three rings.
inline NetworksByClass few_more(const FrontEndParams& params) {
    FrontEnd front_end(params);
    return extract(three_shapes(3), {{0}, {1, 4}, {2, 5, 8}}, front_end);
}

inline Protocol short_protocol() {
    return {.cycles = 2, .per_block = 2, .held_out_per_class = 4, .evaluate = EvaluateAt::blocks};
}

inline MakeSeededLearner counting(const FrontEndParams& params) {
    return [params](std::uint64_t seed) { return std::make_unique<test::CountingLearner>(seed, params); };
}

} // namespace sprig::lab
