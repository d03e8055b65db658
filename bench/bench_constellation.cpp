// Time per image of Constellation, including the front end: one pass over the training images, a prediction
// after 1,000 samples, and the effect of more classes. The unit F is the time of cv::findContours on the same
// images.

#include <algorithm>
#include <chrono>
#include <functional>

#include <fmt/format.h>

#include "find_contours.h"
#include "lab/glyphs/glyph_set.h"
#include "sprig/constellation.h"
#include "sprig/data.h"

namespace sprig::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(const std::function<void()>& work) {
    const auto begin = Clock::now();
    work();
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

double least_of(int rounds, const std::function<void()>& work) {
    double least = 1e9;
    for (int round = 0; round < rounds; ++round) least = std::min(least, seconds_of(work));
    return least;
}

void show(const char* what, double seconds, double unit) {
    fmt::print("  {:<58} {:>9.2f} us {:>8.2f} F\n", what, seconds * 1e6, seconds / unit);
}

/// Extracts and learns the first images.
void learn(Constellation& learner, FrontEnd& front_end, const Dataset& data, std::size_t count) {
    Network network(front_end.schema());
    for (std::size_t i = 0; i < count; ++i) {
        front_end.extract(data.image(i), network);
        learner.learn(network, data.classes()[static_cast<std::size_t>(data.label(i))]);
    }
}

/// Seconds per image to extract and process all images.
template <class Process>
double seconds_per_image(const Dataset& data, FrontEnd& front_end, Process process) {
    Network network(front_end.schema());
    return least_of(5,
                    [&] {
                        for (std::size_t i = 0; i < data.size(); ++i) {
                            front_end.extract(data.image(i), network);
                            process(network);
                        }
                    }) /
           static_cast<double>(data.size());
}

void digits(const char* preset, bool whole_pass) {
    const Dataset train = load_dataset("mnist:train");
    const Dataset test = load_dataset("mnist:t10k:0-1999");
    const ConstellationPreset chosen = constellation_preset(preset);
    FrontEnd front_end(chosen.front_end);
    const double unit = find_contours(test);
    fmt::print("Constellation, preset {}, one thread, front end included; F = {:.2f} us:\n", preset,
               unit * 1e6);
    Constellation small(chosen);
    learn(small, front_end, train, 1'000);
    const std::unique_ptr<Reader> reader = small.reader();
    show("the front end alone", seconds_per_image(test, front_end, [](const Network&) {}), unit);
    show("a decision after 1,000 samples",
         seconds_per_image(test, front_end, [&](const Network& n) { reader->decide(n); }), unit);
    show("a prediction (all scores) after 1,000 samples",
         seconds_per_image(test, front_end, [&](const Network& n) { reader->predict(n); }), unit);
    if (!whole_pass) return;
    Constellation large(chosen);
    const double seconds = seconds_of([&] { learn(large, front_end, train, train.size()); });
    show("learning, one pass over 60,000", seconds / static_cast<double>(train.size()), unit);
    const ModelSize size = large.model_size();
    const std::unique_ptr<Reader> late = large.reader();
    show(fmt::format("a decision after 60,000 ({} units)", size.total()).c_str(),
         seconds_per_image(test, front_end, [&](const Network& n) { late->decide(n); }), unit);
}

/// The images of the first `count` classes.
Dataset first_classes(const Dataset& data, std::size_t count) {
    Dataset result;
    result.set_classes(data.classes());
    for (std::size_t i = 0; i < data.size(); ++i) {
        if (static_cast<std::size_t>(data.label(i)) < count) result.add(data.image(i), data.label(i), "-");
    }
    return result;
}

void classes() {
    const glyphs::GlyphSet glyphs = glyphs::large_set();
    const ConstellationPreset chosen = constellation_preset("default");
    FrontEnd front_end(chosen.front_end);
    const std::size_t all = glyphs.learn.classes().size();
    const double unit = find_contours(glyphs.test);
    fmt::print("\nPrinted glyphs, preset default; F = {:.2f} us:\n", unit * 1e6);
    std::vector<double> costs;
    for (const std::size_t count : {std::size_t{10}, all}) {
        const Dataset learned = first_classes(glyphs.learn, count);
        Constellation learner(chosen);
        learn(learner, front_end, learned, learned.size());
        const std::unique_ptr<Reader> reader = learner.reader();
        // The same test images for both numbers of classes.
        costs.push_back(
            seconds_per_image(glyphs.test, front_end, [&](const Network& n) { reader->decide(n); }));
        show(fmt::format("a decision among {} classes", count).c_str(), costs.back(), unit);
    }
    fmt::print("  {:<58} {:>21.2f}\n", "ratio", costs.back() / costs.front());
}

} // namespace
} // namespace sprig::bench

int main() {
    sprig::bench::digits("default", true);
    sprig::bench::digits("accurate", false);
    sprig::bench::digits("general", false);
    sprig::bench::classes();
    return 0;
}
