#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sprig/constellation.h"
#include "sprig/data.h"
#include "sprig/error.h"
#include "sprig/modeller.h"
#include "sprig/store.h"
#include "support/temp_folder.h"

namespace sprig::store_test {

namespace fs = std::filesystem;
using testing_support::TempFolder;

/// Both learners, with the settings of the benchmarks.
inline std::unique_ptr<Learner> make_learner(const std::string& name) {
    if (name == "modeller") return std::make_unique<Modeller>(modeller_preset("best"), 7);
    return std::make_unique<Constellation>();
}

struct Lesson {
    Network network;
    std::string label;
};

/// MNIST images as networks of the learner's front end, in the order of the data set.
inline std::vector<Lesson> lessons_for(const Learner& learner, std::size_t count, std::size_t from = 0) {
    const Dataset data =
        load_dataset("mnist:train:" + std::to_string(from) + "-" + std::to_string(from + count - 1));
    FrontEnd front_end(learner.front_end());
    std::vector<Lesson> lessons;
    for (std::size_t i = 0; i < data.size(); ++i)
        lessons.push_back(
            {front_end(data.image(i)), data.classes()[static_cast<std::size_t>(data.label(i))]});
    return lessons;
}

/// The digests of a learner before the first lesson and after each one.
inline std::vector<std::uint64_t> digests_of(Learner& learner, const std::vector<Lesson>& lessons) {
    std::vector<std::uint64_t> digests = {learner.digest()};
    for (const Lesson& lesson : lessons) {
        learner.learn(lesson.network, lesson.label);
        digests.push_back(learner.digest());
    }
    return digests;
}

/// The sorted names of the entries of a folder.
inline std::vector<std::string> names_in(const fs::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace sprig::store_test
