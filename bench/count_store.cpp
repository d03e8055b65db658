// Work to be counted by Callgrind: count_store contours|constellation|modeller IMAGES
// Learns the first IMAGES of mnist:train into a model file.

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "find_contours.h"
#include "sprig/constellation.h"
#include "sprig/data.h"
#include "sprig/modeller.h"
#include "sprig/store.h"

int main(int argc, char** argv) {
    using namespace sprig;
    if (argc != 3) return 2;
    const std::string what = argv[1];
    const auto count = static_cast<std::size_t>(std::atoi(argv[2]));
    const Dataset data = load_dataset("mnist:train:0-999");
    if (count > data.size()) return 2;
    if (what == "contours") return bench::count_contours(data, count) > 0 ? 0 : 1;
    std::string folder = std::filesystem::temp_directory_path() / "sprig-count-XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) return 1;
    const std::filesystem::path path = std::filesystem::path(folder) / "model.sprig";
    if (what == "modeller") {
        save_model(Modeller(modeller_preset("best"), 0), path);
    } else {
        save_model(Constellation(), path);
    }
    {
        ModelFile file(path);
        FrontEnd front_end(file.learner().front_end());
        Network network(front_end.schema());
        for (std::size_t i = 0; i < count; ++i) {
            front_end.extract(data.image(i), network);
            file.learn(network, data.classes()[static_cast<std::size_t>(data.label(i))]);
        }
    }
    std::filesystem::remove_all(folder);
    return 0;
}
