// What the class-incremental experiment costs with the Modeller, with cv::findContours on the same images as
// the unit F: one seed, 1,000 learning steps, each predicted before, and 40,000 held-out predictions.

#include <algorithm>

#include <fmt/format.h>

#include "find_contours.h"
#include "lab/protocol/protocol.h"
#include "sprig/modeller.h"

namespace sprig::bench {
namespace {

constexpr int rounds = 5;

/// The images of seed 0: those learned and those held out.
Dataset images_of_seed(const lab::Material& material, const lab::Protocol& protocol) {
    const lab::Draw drawn = lab::draw(material.data, material.pool, 0, protocol.cycles * protocol.per_block,
                                      protocol.held_out_per_class);
    Dataset images;
    images.set_classes(material.data.classes());
    for (const lab::ImagesByClass* set : {&drawn.stream, &drawn.held_out}) {
        for (const auto& of_class : *set) {
            for (const std::size_t i : of_class)
                images.add(material.data.image(i), material.data.label(i), "-");
        }
    }
    return images;
}

} // namespace
} // namespace sprig::bench

int main() {
    using namespace sprig;
    const lab::Material material = lab::load_material({}, FrontEndParams{});
    const lab::Protocol protocol;
    const auto factory = [](std::uint64_t seed) {
        return std::make_unique<Modeller>(ModellerParams{}, seed);
    };
    const std::vector<cv::Mat> images = bench::binarized(bench::images_of_seed(material, protocol));
    double unit = 1;
    lab::Times least{.extracting = 1e9, .learning = 0, .predicting = 0, .evaluating = 0};
    for (int round = 0; round < bench::rounds; ++round) {
        unit = std::min(unit, bench::find_contours(images));
        const lab::Times times = lab::run_seed(material, protocol, factory, 0).times;
        if (times.all() < least.all()) least = times;
    }
    const auto show = [&](const char* what, double seconds, double count) {
        fmt::print("  {:<52} {:>8.3f} s {:>9.2f} us per image {:>8.2f} F\n", what, seconds,
                   seconds / count * 1e6, seconds / count / unit);
    };
    constexpr double learned = 1'000;
    constexpr double predicted = 40'000;
    fmt::print("One seed of the paper's protocol, preset best, the least of {} runs; F = {:.2f} us:\n",
               bench::rounds, unit * 1e6);
    show("making the networks (1,200 images)", least.extracting, learned + 200);
    show("learning (1,000 images)", least.learning, learned);
    show("predicting each before it is learned (1,000)", least.predicting, learned);
    show("predicting the held-out images (40,000)", least.evaluating, predicted);
    show("all of it (41,000 images learned or held out)", least.all(), learned + predicted);
    return 0;
}
