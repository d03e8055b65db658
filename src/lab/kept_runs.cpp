#include "lab/kept_runs.h"

#include <fstream>

#include <fmt/format.h>

#include "lab/run_json.h"
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

std::filesystem::path KeptRuns::file(const Work& work, std::uint64_t seed) const {
    return folder_ / work.name / fmt::format("seed-{}.json", seed);
}

std::optional<SeedRun> KeptRuns::find(const Work& work, std::uint64_t seed) const {
    if (folder_.empty()) return {};
    std::ifstream in(file(work, seed));
    if (!in) return {};
    const Json json = Json::parse(in, nullptr, false);
    if (!json.is_object() || !json.contains("what") || !json.contains("run") || json["what"] != work.what)
        return {};
    try {
        SeedRun run = run_of(json["run"]);
        if (run.seed != seed) return {};
        return run;
    } catch (const Error&) {
        return {};
    }
}

bool KeptRuns::has(const Work& work, std::uint64_t seed) const {
    return find(work, seed).has_value();
}

SeedRun KeptRuns::get(const Work& work, std::uint64_t seed, const std::function<SeedRun()>& compute) const {
    if (std::optional<SeedRun> kept = find(work, seed)) return std::move(*kept);
    SeedRun run = compute();
    if (folder_.empty()) return run;
    make_folder(folder_ / work.name);
    const Json json = {{"what", work.what}, {"run", json_of(run)}};
    write_file_atomically(file(work, seed), json.dump() + "\n");
    return run;
}

} // namespace sprig::lab
