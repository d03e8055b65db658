#include "lab/kept_pieces.h"

#include <fstream>

#include <fmt/format.h>

#include "sprig/data.h"
#include "sprig/error.h"

namespace sprig::lab {

namespace {

using Json = nlohmann::ordered_json;

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw failed(fmt::format("the folder {} cannot be made: {}", folder.string(), error.message()));
}

} // namespace

std::filesystem::path KeptPieces::file(const Work& work, std::uint64_t seed) const {
    return folder_ / work.name / fmt::format("seed-{}.json", seed);
}

std::optional<Json> KeptPieces::find(const Work& work, std::uint64_t seed, const IsSound& is_sound) const {
    if (folder_.empty()) return {};
    std::ifstream in(file(work, seed));
    if (!in) return {};
    Json json = Json::parse(in, nullptr, false);
    if (!json.is_object() || !json.contains("what") || !json.contains("run") || json["what"] != work.what)
        return {};
    if (!is_sound(json["run"])) return {};
    return std::move(json["run"]);
}

void KeptPieces::keep(const Work& work, std::uint64_t seed, const Json& gave) const {
    if (folder_.empty()) return;
    const Json json = {{"what", work.what}, {"run", gave}};
    try {
        make_folder(folder_ / work.name);
        write_file_atomically(file(work, seed), json.dump() + "\n");
    } catch (const Error& error) {
        throw failed(fmt::format("{} cannot be kept: {}; what was finished before is kept, and the same "
                                 "command goes on from there",
                                 file(work, seed).string(), error.what()));
    }
}

} // namespace sprig::lab
