#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace sprig::testing_support {

namespace fs = std::filesystem;

/// A temporary folder, removed by the destructor.
class TempFolder {
  public:
    TempFolder() {
        std::string name = (fs::temp_directory_path() / "sprig-test-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = name;
    }
    ~TempFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    [[nodiscard]] const fs::path& path() const { return path_; }
    [[nodiscard]] fs::path operator/(std::string_view name) const { return path_ / name; }

  private:
    fs::path path_;
};

} // namespace sprig::testing_support
