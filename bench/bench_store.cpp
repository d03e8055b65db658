// What it costs to learn through a file: the same images learned in memory and into a model file, front end
// included, in turns, the least of a few runs each.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "sprig/constellation.h"
#include "sprig/data.h"
#include "sprig/modeller.h"
#include "sprig/store.h"

namespace sprig::bench {
namespace {

constexpr int repetitions = 5;
using Make = std::function<std::unique_ptr<Learner>()>;
using Learn = std::function<void(const Network&, const std::string&)>;

/// Microseconds per image; what opening and closing takes is not a lesson's, but shared out all the same.
double timed(const Dataset& data, const FrontEndParams& params, const std::function<void(FrontEnd&)>& work) {
    FrontEnd front_end(params);
    const auto begin = std::chrono::steady_clock::now();
    work(front_end);
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - begin;
    return took.count() / static_cast<double>(data.size());
}

void learn_all(const Dataset& data, FrontEnd& front_end, const Learn& learn) {
    Network network(front_end.schema());
    for (std::size_t i = 0; i < data.size(); ++i) {
        front_end.extract(data.image(i), network);
        learn(network, data.classes()[static_cast<std::size_t>(data.label(i))]);
    }
}

double in_memory(const Dataset& data, const Make& make) {
    const std::unique_ptr<Learner> learner = make();
    return timed(data, learner->front_end(), [&](FrontEnd& front_end) {
        learn_all(data, front_end,
                  [&](const auto& network, const auto& label) { learner->learn(network, label); });
    });
}

double into_file(const Dataset& data, const Make& make, const std::filesystem::path& path,
                 ModelFile::Durability durability) {
    std::filesystem::remove(path);
    const std::unique_ptr<Learner> learner = make();
    save_model(*learner, path);
    return timed(data, learner->front_end(), [&](FrontEnd& front_end) {
        ModelFile file(path, {.durability = durability});
        learn_all(data, front_end,
                  [&](const auto& network, const auto& label) { file.learn(network, label); });
        file.close();
    });
}

void compare(const char* name, const Make& make, std::size_t images, const std::filesystem::path& folder) {
    const Dataset all = load_dataset(fmt::format("mnist:train:0-{}", images - 1));
    const Dataset few = load_dataset("mnist:train:0-99");
    double memory = 1e9;
    double file = 1e9;
    for (int i = 0; i < repetitions; ++i) {
        memory = std::min(memory, in_memory(all, make));
        file = std::min(file, into_file(all, make, folder / "bench.sprig", ModelFile::Durability::process));
    }
    const double durable = into_file(few, make, folder / "bench.sprig", ModelFile::Durability::power);
    fmt::print("  {:<24} {:>9.1f} us {:>9.1f} us {:>7.2f} {:>12.0f} us\n", name, memory, file, file / memory,
               durable);
}

} // namespace
} // namespace sprig::bench

int main(int argc, char** argv) {
    using namespace sprig;
    using namespace sprig::bench;
    std::string folder =
        (argc > 1 ? std::filesystem::path(argv[1]) : std::filesystem::current_path()) / "sprig-bench-XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) {
        fmt::print(stderr, "bench_store: no folder can be made in {}\n", folder);
        return 1;
    }
    fmt::print(
        "Learning one image: in memory, into a file, their ratio; and waiting for the disk each time:\n");
    compare(
        "Constellation, default", [] { return std::make_unique<Constellation>(); }, 10'000, folder);
    compare(
        "Modeller, best", [] { return std::make_unique<Modeller>(modeller_preset("best"), 0); }, 2000,
        folder);
    std::filesystem::remove_all(folder);
}
