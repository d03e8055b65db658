#include "lab/team.h"

#include <thread>

#include <fmt/format.h>

#include "sprig/data.h"
#include "sprig/error.h"

namespace sprig::lab {

namespace {

bool appears(const std::filesystem::path& file, std::chrono::milliseconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    std::error_code ignored;
    while (!std::filesystem::exists(file, ignored)) {
        if (std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return true;
}

} // namespace

void check_is_shared(Team& team, const std::filesystem::path& folder) {
    const std::filesystem::path sign = folder / ".sprig-team.tmp";
    if (team.rank() == 0) write_file_atomically(sign, "");
    team.wait_for_all();
    if (!appears(sign, team.patience())) {
        throw failed(fmt::format("what rank 0 writes to {} is not seen by rank {}: the folder must be on a "
                                 "file system that all processes share",
                                 folder.string(), team.rank()));
    }
    team.wait_for_all();
    std::error_code ignored;
    if (team.rank() == 0) std::filesystem::remove(sign, ignored);
}

} // namespace sprig::lab
