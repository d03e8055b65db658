// The speed of sprig::Model from C++, for the table that compares it with the same work from Python.
//   model_speed LEARNED ASKED THREADS ROUNDS
// Learns the first images of mnist:train one by one with a new model, then decides about those of mnist:t10k.
// Prints for each round the seconds of both.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <thread>
#include <vector>

#include "sprig/sprig.h"

namespace {

template <typename Work>
double seconds_of(const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void decide_all(const sprig::Model& model, const sprig::Dataset& asked, std::size_t threads) {
    std::vector<std::jthread> running;
    for (std::size_t t = 0; t < threads; ++t) {
        running.emplace_back([&, t] {
            std::size_t known = 0;
            for (std::size_t i = t; i < asked.size(); i += threads)
                known += model.decide(asked.image(i)).size();
            if (known == 0) std::abort(); // the work must not be left out
        });
    }
}

} // namespace

int main(int argc, char** argv) try {
    if (argc != 5) throw sprig::usage_error("usage: model_speed LEARNED ASKED THREADS ROUNDS");
    const auto last = [](const char* count) { return std::to_string(std::strtoul(count, nullptr, 10) - 1); };
    const sprig::Dataset learned = sprig::load_dataset("mnist:train:0-" + last(argv[1]));
    const sprig::Dataset asked = sprig::load_dataset("mnist:t10k:0-" + last(argv[2]));
    const std::size_t threads = std::strtoul(argv[3], nullptr, 10);
    for (long round = std::strtol(argv[4], nullptr, 10); round > 0; --round) {
        sprig::Model model;
        const double learning = seconds_of([&] {
            for (std::size_t i = 0; i < learned.size(); ++i)
                (void)model.learn(learned.image(i), learned.label_name(i));
        });
        const double deciding = seconds_of([&] { decide_all(model, asked, threads); });
        std::printf("%.6f %.6f\n", learning, deciding);
    }
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "model_speed: %s\n", error.what());
    return 2;
}
