// Work to be counted by Callgrind: count_modeller contours|learn|predict IMAGES
// `learn`: learns the first IMAGES of mnist:train. `predict`: learns 500 images, then predicts IMAGES others.
// All networks are made first, the same number in every run, so the front end is not counted.

#include <cstdlib>
#include <string_view>

#include "find_contours.h"
#include "sprig/data.h"
#include "sprig/modeller.h"

int main(int argc, char** argv) {
    using namespace sprig;
    if (argc != 3) return 2;
    const std::string_view what = argv[1];
    const auto count = static_cast<std::size_t>(std::atoi(argv[2]));
    constexpr std::size_t learned = 500;
    const Dataset data = load_dataset("mnist:train:0-1999");
    if (count > data.size() - learned) return 2;
    std::size_t seen = 1;
    if (what == "contours") return bench::count_contours(data, count) > 0 ? 0 : 1;
    FrontEnd front_end;
    std::vector<Network> networks;
    for (std::size_t i = 0; i < data.size(); ++i) networks.push_back(front_end(data.image(i)));
    Modeller modeller;
    const auto learn = [&](std::size_t i) {
        modeller.learn(networks[i], data.classes()[static_cast<std::size_t>(data.label(i))]);
    };
    for (std::size_t i = 0; i < (what == "learn" ? count : learned); ++i) learn(i);
    if (what == "predict") {
        const std::unique_ptr<Reader> reader = modeller.reader();
        for (std::size_t i = 0; i < count; ++i) seen += reader->predict(networks[learned + i]).work.reached;
    }
    return seen > 0 ? 0 : 1;
}
