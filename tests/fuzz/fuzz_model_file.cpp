#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

#include "fuzz_target.h"
#include "sprig/error.h"
#include "sprig/store.h"

namespace {

/// One path for all inputs, removed at exit.
const std::string& path() {
    static const std::string file = [] {
        std::string folder = (std::filesystem::temp_directory_path() / "sprig-fuzz-XXXXXX").string();
        sprig::fuzz::require(mkdtemp(folder.data()) != nullptr);
        static std::string to_remove = folder;
        std::atexit([] { std::filesystem::remove_all(to_remove); });
        return folder + "/model.sprig";
    }();
    return file;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using sprig::fuzz::require;
    std::ofstream(path(), std::ios::binary)
        .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    try {
        const sprig::StoredModel model = sprig::load_model(path());
        model.learner->check();
    } catch (const sprig::Error& error) {
        require(error.kind() != sprig::ErrorKind::usage);
    }
    return 0;
}
