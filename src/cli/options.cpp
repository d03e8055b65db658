#include "cli/options.h"

#include <set>
#include <system_error>

#include <fmt/format.h>

#include "cli/shell_support.h"
#include "data/known_sets.h"
#include "sprig/error.h"

namespace sprig::cli {

namespace {

/// The value may be empty or contain further equals signs.
std::pair<std::string, std::string> parse_setting(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw usage_error(fmt::format("--set takes KEY=VALUE, not '{}'", text));
    return {text.substr(0, equals), text.substr(equals + 1)};
}

} // namespace

std::vector<std::pair<std::string, std::string>> parse_settings(const std::vector<std::string>& texts) {
    std::vector<std::pair<std::string, std::string>> settings;
    std::set<std::string> keys;
    for (const std::string& text : texts) {
        settings.push_back(parse_setting(text));
        const std::string& key = settings.back().first;
        if (!keys.insert(key).second) throw usage_error(fmt::format("--set names {} twice", key));
    }
    return settings;
}

void add_set_option(CLI::App& verb, std::vector<std::string>& settings) {
    CLI::Option* option = verb.add_option("--set", settings, "Set a parameter to another value (repeatable)")
                              ->type_name("KEY=VALUE")
                              ->allow_extra_args(false);
    set_completions(*option, {});
}

void make_folder(const std::filesystem::path& folder) {
    if (folder.empty()) return;
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem)
        throw failed(fmt::format("cannot create the folder '{}': {}", folder.string(), problem.message()));
}

std::vector<std::string> address_completions() {
    std::vector<std::string> words;
    for (const data_detail::KnownSet& set : data_detail::known_sets()) {
        for (const char* part : {"train", "t10k", "all"})
            words.push_back(fmt::format("{}:{}", set.name, part));
    }
    words.insert(words.end(), {"dir:", "idx:", "strokes:"});
    return words;
}

} // namespace sprig::cli
