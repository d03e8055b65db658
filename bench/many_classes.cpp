#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <malloc.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

#include "sprig/data.h"
#include "sprig/error.h"
#include "sprig/model.h"

// What a lesson, a class and a file cost in a model of many classes.
//   many_classes CLASSES           prints times and sizes
//   many_classes CLASSES WORK      does the work that scripts/count-lessons counts: memory, file, undo or
//   spread many_classes CLASSES write FILE   writes such a model
// The classes are made from MNIST images with made-up labels, one sample each.

namespace {

using namespace sprig;

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double seconds_of(const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return seconds_since(start);
}

std::string label_of(std::size_t number) {
    return "class-" + std::to_string(number);
}

std::vector<Network> networks(const Model& model, std::size_t count) {
    const Dataset data = load_dataset("mnist:train:0-" + std::to_string(count - 1));
    std::vector<Network> made;
    for (std::size_t i = 0; i < count; ++i) made.push_back(model.extract(data.image(i)));
    return made;
}

void learn_classes(Model& model, const std::vector<Network>& samples, std::size_t classes) {
    for (std::size_t i = 0; i < classes; ++i) model.learn(samples[i % samples.size()], label_of(i));
}

/// Lessons spread over all classes: with few classes each gets many of them.
void learn_spread(Model& model, const std::vector<Network>& samples, std::size_t classes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        model.learn(samples[(i * 7 + 3) % samples.size()], label_of((i * 7919) % classes));
}

/// Lessons of ten classes: the others should cost nothing.
void learn_same(Model& model, const std::vector<Network>& samples, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) model.learn(samples[i % 10], label_of(i % 10));
}

struct Folder {
    Folder() : path(std::filesystem::temp_directory_path() / ("many-classes-" + std::to_string(::getpid()))) {
        std::filesystem::create_directory(path);
    }
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::filesystem::path path;
};

void measure(std::size_t classes) {
    const Folder folder;
    const auto file = folder.path / "a.sprig";
    const std::vector<Network> samples = networks(Model(), 500);
    const std::size_t lessons = 2000;
    std::string bytes;
    {
        const std::size_t before = mallinfo2().uordblks;
        Model model;
        learn_classes(model, samples, classes);
        const std::size_t resident = mallinfo2().uordblks - before;
        std::printf("%zu classes: %.0f bytes resident per class\n", classes,
                    static_cast<double>(resident) / static_cast<double>(classes));
        std::printf("save: %.3f s\n", seconds_of([&] { model.save(file); }));
        std::printf("to_bytes: %.3f s\n", seconds_of([&] { bytes = model.to_bytes(); }));
        std::printf("lesson in memory, of ten classes: %.1f us\n",
                    1e6 * seconds_of([&] { learn_same(model, samples, lessons); }) / lessons);
        std::printf("undo: %.1f us\n", 1e6 * seconds_of([&] { model.undo(); }));
    }
    std::printf("file: %.0f bytes per class; bytes form: %.0f\n",
                static_cast<double>(std::filesystem::file_size(file)) / static_cast<double>(classes),
                static_cast<double>(bytes.size()) / static_cast<double>(classes));
    std::printf("from_bytes: %.3f s\n", seconds_of([&] { (void)Model::from_bytes(bytes); }));
    std::printf("load: %.3f s\n", seconds_of([&] { (void)Model::load(file); }));
    {
        std::optional<Model> model;
        std::printf("load to answer: %.3f s, the answer itself ",
                    seconds_of([&] { model.emplace(Model::load(file)); }));
        std::printf("%.3f s, the next %.4f s\n", seconds_of([&] { (void)model->predict(samples[1]); }),
                    seconds_of([&] { (void)model->predict(samples[2]); }));
    }
    {
        std::optional<Model> model;
        std::printf("open for learning: %.3f s\n", seconds_of([&] { model.emplace(Model::open(file)); }));
        std::printf("lesson into the file, of ten classes: %.1f us\n",
                    1e6 * seconds_of([&] { learn_same(*model, samples, lessons); }) / lessons);
        std::printf("lesson into the file, of all classes: %.1f us\n",
                    1e6 * seconds_of([&] { learn_spread(*model, samples, classes, lessons); }) / lessons);
        std::printf("close: %.3f s\n", seconds_of([&] { model->close(); }));
    }
}

/// 200 lessons of ten classes, into a file with a checkpoint; or one undo; or 1,024 lessons of all classes,
/// into a file with a checkpoint.
void count(std::size_t classes, const std::string& work) {
    const Folder folder;
    const std::vector<Network> samples = networks(Model(), 200);
    Model model;
    learn_classes(model, samples, classes);
    if (work == "file" || work == "spread") {
        model.save(folder.path / "a.sprig");
        model = Model::open(folder.path / "a.sprig");
    }
    // A checkpoint comes after 1,024 lessons.
    learn_same(model, samples, 900);
    CALLGRIND_START_INSTRUMENTATION;
    CALLGRIND_ZERO_STATS;
    if (work == "spread") {
        learn_spread(model, samples, classes, 1024);
    } else if (work == "undo") {
        model.undo();
    } else {
        learn_same(model, samples, 200);
    }
    CALLGRIND_DUMP_STATS_AT("work");
    CALLGRIND_STOP_INSTRUMENTATION;
}

} // namespace

int main(int argc, char** argv) {
    try {
        const std::size_t classes = argc > 1 ? std::stoul(argv[1]) : 1000;
        if (argc > 3 && std::string(argv[2]) == "write") {
            Model model;
            learn_classes(model, networks(model, 500), classes);
            model.save(argv[3]);
        } else if (argc > 2) {
            count(classes, argv[2]);
        } else {
            measure(classes);
        }
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "many_classes: %s\n", error.what());
        return 1;
    }
}
