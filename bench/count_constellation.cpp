// Work to be counted by Callgrind: count_constellation contours|learn|predict|decide IMAGES
// `learn`: learns the first IMAGES of mnist:train. `predict`, `decide`: learns 1,000 images, then predicts
// IMAGES others. Includes the front end.

#include <cstdlib>
#include <string_view>

#include "find_contours.h"
#include "sprig/constellation.h"
#include "sprig/data.h"

int main(int argc, char** argv) {
    using namespace sprig;
    if (argc != 3) return 2;
    const std::string_view what = argv[1];
    const auto count = static_cast<std::size_t>(std::atoi(argv[2]));
    constexpr std::size_t learned = 1'000;
    const Dataset data = load_dataset("mnist:train:0-1999");
    if (count > data.size() - learned) return 2;
    std::size_t seen = 1;
    if (what == "contours") return bench::count_contours(data, count) > 0 ? 0 : 1;
    Constellation learner;
    FrontEnd front_end(learner.front_end());
    Network network(front_end.schema());
    const auto learn = [&](std::size_t i) {
        front_end.extract(data.image(i), network);
        learner.learn(network, data.classes()[static_cast<std::size_t>(data.label(i))]);
    };
    for (std::size_t i = 0; i < (what == "learn" ? count : learned); ++i) learn(i);
    const std::unique_ptr<Reader> reader = learner.reader();
    for (std::size_t i = 0; what != "learn" && i < count; ++i) {
        front_end.extract(data.image(learned + i), network);
        seen += (what == "decide" ? reader->decide(network).work : reader->predict(network).work).reached;
    }
    return seen > 0 ? 0 : 1;
}
