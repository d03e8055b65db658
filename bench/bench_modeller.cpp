// Time of the class-incremental experiment with the Modeller: one seed, 1,000 learning steps, each preceded
// by a prediction, and 40,000 held-out predictions. The unit F is the time of cv::findContours on the same
// images.

#include <algorithm>

#include <fmt/format.h>

#include "find_contours.h"
#include "lab/protocol/protocol.h"
#include "sprig/modeller.h"

namespace sprig::bench {
namespace {

constexpr int rounds = 5;

/// The learned and held-out images of seed 0.
Dataset images_of_seed(const lab::ExperimentData& data, const lab::Protocol& protocol) {
    const lab::Draw drawn = lab::draw(data.dataset, data.pool, 0, protocol.cycles * protocol.per_block,
                                      protocol.held_out_per_class);
    Dataset images;
    images.set_classes(data.dataset.classes());
    for (const lab::ImagesByClass* set : {&drawn.stream, &drawn.held_out}) {
        for (const auto& of_class : *set) {
            for (const std::size_t i : of_class)
                images.add(data.dataset.image(i), data.dataset.label(i), "-");
        }
    }
    return images;
}

} // namespace
} // namespace sprig::bench

int main() {
    using namespace sprig;
    const lab::ExperimentData data = lab::load_data({});
    const lab::Protocol protocol;
    const auto factory = [](std::uint64_t seed) {
        return std::make_unique<Modeller>(ModellerParams{}, seed);
    };
    const std::vector<cv::Mat> images = bench::binarized(bench::images_of_seed(data, protocol));
    double unit = 1;
    lab::Times least{.extracting = 1e9, .learning = 0, .predicting = 0, .evaluating = 0};
    for (int round = 0; round < bench::rounds; ++round) {
        unit = std::min(unit, bench::find_contours(images));
        const lab::Times times = lab::run_seed(data, protocol, factory, 0).times;
        if (times.all() < least.all()) least = times;
    }
    const auto show = [&](const char* what, double seconds, double count) {
        fmt::print("  {:<52} {:>8.3f} s {:>9.2f} us per image {:>8.2f} F\n", what, seconds,
                   seconds / count * 1e6, seconds / count / unit);
    };
    constexpr double learned = 1'000;
    constexpr double predicted = 40'000;
    fmt::print("One seed of the paper's protocol, preset best, minimum of {} runs; F = {:.2f} us:\n",
               bench::rounds, unit * 1e6);
    show("front end (1,200 images)", least.extracting, learned + 200);
    show("learning (1,000 images)", least.learning, learned);
    show("prequential prediction (1,000)", least.predicting, learned);
    show("predicting the held-out images (40,000)", least.evaluating, predicted);
    show("total (41,000 images learned or predicted)", least.all(), learned + predicted);
    return 0;
}
