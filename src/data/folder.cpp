#include "data/folder.h"

#include <algorithm>
#include <array>
#include <system_error>

#include <fmt/format.h>

#include "sprig/error.h"

namespace fs = std::filesystem;

namespace sprig::data_detail {

namespace {

constexpr std::string_view right_layout =
    "a right layout is one folder per class: PATH/cat/1.png, PATH/dog/2.png";

[[nodiscard]] bool is_hidden(const fs::path& path) {
    return path.filename().string().starts_with('.');
}

[[nodiscard]] bool has_picture_ending(const fs::path& path) {
    constexpr std::array<std::string_view, 7> endings = {".png", ".jpg", ".jpeg", ".bmp",
                                                         ".pgm", ".ppm", ".pnm"};
    std::string ending = path.extension().string();
    // Only ASCII matters here, and std::tolower would ask the locale.
    for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return std::find(endings.begin(), endings.end(), ending) != endings.end();
}

/// What is in a folder, sorted by the bytes of its names: the same order on every machine.
[[nodiscard]] std::vector<fs::path> sorted_entries(const fs::path& folder) {
    std::vector<fs::path> entries;
    std::error_code error;
    for (fs::directory_iterator it(folder, error); !error && it != fs::directory_iterator();
         it.increment(error)) {
        if (!is_hidden(it->path())) entries.push_back(it->path());
    }
    if (error) {
        throw bad_input(fmt::format("cannot read the folder '{}': {}", folder.string(), error.message()));
    }
    std::sort(entries.begin(), entries.end(),
              [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });
    return entries;
}

} // namespace

FolderListing list_folder(const fs::path& folder) {
    std::error_code error;
    const fs::file_status status = fs::status(folder, error);
    if (status.type() == fs::file_type::not_found) {
        throw bad_input(fmt::format("there is no folder '{}'", folder.string()));
    }
    if (error)
        throw bad_input(fmt::format("cannot read the folder '{}': {}", folder.string(), error.message()));
    if (status.type() != fs::file_type::directory) {
        throw bad_input(fmt::format("'{}' is not a folder; name the folder that holds the class folders",
                                    folder.string()));
    }
    FolderListing listing;
    for (const fs::path& class_folder : sorted_entries(folder)) {
        if (!fs::is_directory(class_folder, error)) continue;
        const int label = static_cast<int>(listing.classes.size());
        listing.classes.push_back(class_folder.filename().string());
        for (const fs::path& file : sorted_entries(class_folder)) {
            if (has_picture_ending(file) && !fs::is_directory(file, error))
                listing.images.push_back({file, label});
        }
    }
    if (listing.classes.empty()) {
        throw bad_input(fmt::format("'{}' holds no class folders; {}", folder.string(), right_layout));
    }
    if (listing.images.empty()) {
        throw bad_input(
            fmt::format("the class folders of '{}' hold no images (.png, .jpg, .jpeg, .bmp, .pgm, "
                        ".ppm, .pnm); {}",
                        folder.string(), right_layout));
    }
    return listing;
}

} // namespace sprig::data_detail
