// Work to be counted by Callgrind: count_front_end contours|paper|PRESET IMAGES, where `paper` is the front
// end of the paper (two directions, with edges) and PRESET is a preset of Constellation.

#include <cstdlib>
#include <string_view>

#include <opencv2/imgproc.hpp>

#include "binarized.h"
#include "sprig/constellation.h"
#include "sprig/data.h"
#include "sprig/front_end.h"

int main(int argc, char** argv) {
    using namespace sprig;
    if (argc != 3) return 2;
    const std::string_view what = argv[1];
    const auto count = static_cast<std::size_t>(std::atoi(argv[2]));
    const Dataset data = load_dataset("mnist:t10k:0-999");
    const std::vector<cv::Mat> images = bench::binarized(data);
    std::size_t seen = 0;
    if (what == "contours") {
        std::vector<std::vector<cv::Point>> points;
        std::vector<cv::Vec4i> hierarchy;
        for (std::size_t i = 0; i < count; ++i) {
            cv::findContours(images[i], points, hierarchy, cv::RETR_TREE, cv::CHAIN_APPROX_NONE);
            seen += points.size();
        }
    } else {
        FrontEnd front_end(what == "paper" ? FrontEndParams{} : constellation_preset(what).front_end);
        Network network(front_end.schema());
        for (std::size_t i = 0; i < count; ++i) {
            front_end.extract(data.image(i), network);
            seen += network.node_count();
        }
    }
    return seen > 0 ? 0 : 1;
}
