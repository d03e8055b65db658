#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sprig::data_detail {

struct FolderImage {
    std::filesystem::path path;
    int label;
};

/// A folder of class folders: what is in it, before anything is read.
struct FolderListing {
    std::vector<std::string> classes;
    std::vector<FolderImage> images; ///< class by class, each sorted by name
};

/// Lists CLASS/NAME.png and the like; throws where there are no classes or no images.
[[nodiscard]] FolderListing list_folder(const std::filesystem::path& folder);

} // namespace sprig::data_detail
