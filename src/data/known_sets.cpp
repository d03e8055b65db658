#include "data/known_sets.h"

#include <algorithm>

#include "core/system.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace sprig::data_detail {

namespace {

constexpr std::array<KnownSet, 2> sets = {{
    {"mnist",
     {{{"train-images-idx3-ubyte", 47040016,
        "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
       {"train-labels-idx1-ubyte", 60008, "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
       {"t10k-images-idx3-ubyte", 7840016,
        "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
       {"t10k-labels-idx1-ubyte", 10008,
        "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"}}},
     {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}},
    {"fashion-mnist",
     {{{"train-images-idx3-ubyte", 47040016,
        "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888"},
       {"train-labels-idx1-ubyte", 60008, "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9"},
       {"t10k-images-idx3-ubyte", 7840016,
        "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b"},
       {"t10k-labels-idx1-ubyte", 10008,
        "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34"}}},
     {"T-shirt", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot"}},
}};

} // namespace

std::span<const KnownSet> known_sets() {
    return sets;
}

const KnownSet* find_known_set(std::string_view name) {
    const auto* const found =
        std::find_if(sets.begin(), sets.end(), [&](const KnownSet& s) { return s.name == name; });
    return found == sets.end() ? nullptr : found;
}

std::string known_set_names() {
    std::string names;
    for (const KnownSet& set : sets) names += (names.empty() ? "" : ", ") + std::string(set.name);
    return names;
}

} // namespace sprig::data_detail

namespace sprig {

namespace {

[[nodiscard]] std::filesystem::path folder_from_environment(const char* variable) {
    std::filesystem::path value = os::environment(variable);
    // The XDG standard requires relative paths to be ignored.
    return value.is_absolute() ? value : std::filesystem::path();
}

} // namespace

std::filesystem::path cache_folder() {
    if (const std::filesystem::path cache = folder_from_environment("XDG_CACHE_HOME"); !cache.empty())
        return cache / "sprig";
    if (const std::filesystem::path home = folder_from_environment("HOME"); !home.empty())
        return home / ".cache" / "sprig";
    throw failed(
        "there is no cache folder for data sets: neither XDG_CACHE_HOME nor HOME is an absolute path; "
        "set one of them");
}

} // namespace sprig
