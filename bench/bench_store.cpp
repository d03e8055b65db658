// Cost of learning into a file: the same images are learned in memory and into a model file, including the
// front end. The runs alternate; the minimum of each is used.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <sqlite3.h>

#include "sprig/constellation.h"
#include "sprig/data.h"
#include "sprig/modeller.h"
#include "sprig/store.h"

namespace sprig::bench {
namespace {

constexpr int repetitions = 5;
using Make = std::function<std::unique_ptr<Learner>()>;
using Learn = std::function<void(const Network&, const std::string&)>;

/// Microseconds per image, including the time to open and close the file.
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

/// The mean length of the entries in the journal of a file.
double lesson_bytes(const std::filesystem::path& path) {
    sqlite3* database = nullptr;
    double mean = 0;
    const auto take = [](void* to, int, char** values, char**) {
        *static_cast<double*>(to) = std::strtod(values[0], nullptr);
        return 0;
    };
    if (sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK)
        (void)sqlite3_exec(database, "SELECT avg(length(content)) FROM journal", take, &mean, nullptr);
    sqlite3_close(database);
    return mean;
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

/// The mean size of a journal entry after learning all images.
double journal_bytes(const Dataset& data, const Make& make, const std::filesystem::path& path) {
    std::filesystem::remove(path);
    const std::unique_ptr<Learner> learner = make();
    save_model(*learner, path);
    FrontEnd front_end(learner->front_end());
    ModelFile file(path);
    learn_all(data, front_end, [&](const auto& network, const auto& label) { file.learn(network, label); });
    return lesson_bytes(path);
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
    fmt::print("  {:<24} {:>9.1f} us {:>9.1f} us {:>7.2f} {:>12.0f} us {:>9.0f} bytes\n", name, memory, file,
               file / memory, durable, journal_bytes(all, make, folder / "bench.sprig"));
}

} // namespace
} // namespace sprig::bench

int main(int argc, char** argv) {
    using namespace sprig;
    using namespace sprig::bench;
    std::string folder =
        (argc > 1 ? std::filesystem::path(argv[1]) : std::filesystem::current_path()) / "sprig-bench-XXXXXX";
    if (mkdtemp(folder.data()) == nullptr) {
        fmt::print(stderr, "bench_store: cannot create a folder {}\n", folder);
        return 1;
    }
    fmt::print("Learning one image: in memory, into a file, ratio, with a disk sync per image, journal entry "
               "size:\n");
    compare(
        "Constellation, default", [] { return std::make_unique<Constellation>(); }, 10'000, folder);
    compare(
        "Modeller, best", [] { return std::make_unique<Modeller>(modeller_preset("best"), 0); }, 2000,
        folder);
    std::filesystem::remove_all(folder);
}
