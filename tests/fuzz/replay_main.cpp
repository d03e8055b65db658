// Runs a fuzz target on the files of its corpus, complete and truncated. It does not need libFuzzer, so that
// every compiler and sanitizer can run it.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz_target.h"

namespace {

namespace fs = std::filesystem;

/// Number of truncated copies of each file.
constexpr std::size_t cuts = 24;

[[nodiscard]] std::vector<std::uint8_t> content_of(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

void run(const std::vector<std::uint8_t>& bytes, std::size_t size) {
    // A copy of exactly this size, so that the address sanitizer detects reads past the end.
    const std::vector<std::uint8_t> input(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    static_cast<void>(LLVMFuzzerTestOneInput(input.data(), input.size()));
}

void replay(const fs::path& path) {
    const std::vector<std::uint8_t> bytes = content_of(path);
    run(bytes, bytes.size());
    for (std::size_t i = 0; i < cuts; ++i) run(bytes, bytes.size() * i / cuts);
    // Errors are most likely at the last bytes.
    for (std::size_t missing = 1; missing <= std::min<std::size_t>(8, bytes.size()); ++missing) {
        run(bytes, bytes.size() - missing);
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s CORPUS_FOLDER\n", argv[0]);
        return 2;
    }
    std::size_t files = 0;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(argv[1], error)) {
        if (!entry.is_regular_file()) continue;
        try {
            replay(entry.path());
        } catch (const std::exception& unexpected) {
            std::fprintf(stderr, "%s: %s\n", entry.path().c_str(), unexpected.what());
            return 1;
        }
        ++files;
    }
    if (files == 0) {
        std::fprintf(stderr, "%s holds no files: a corpus must not be empty\n", argv[1]);
        return 1;
    }
    std::printf("%zu files replayed\n", files);
    return 0;
}
