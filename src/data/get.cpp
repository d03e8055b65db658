#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>

#include "data/digest.h"
#include "data/fetch.h"
#include "data/files.h"
#include "data/gzip.h"
#include "data/known_sets.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace fs = std::filesystem;

namespace sprig {

namespace {

using namespace data_detail;

constexpr std::string_view staging_prefix = ".getting-";

[[nodiscard]] fs::path folder_from_environment(const char* variable) {
    const char* const value =
        std::getenv(variable); // NOLINT(concurrency-mt-unsafe): nobody sets it meanwhile
    // The XDG standard: a relative path here is to be ignored.
    if (value == nullptr || !fs::path(value).is_absolute()) return {};
    return value;
}

/// The content of a file, unpacked if need be; throws bad_input unless it is exactly the known one.
[[nodiscard]] Bytes checked_content(const fs::path& path, const KnownFile& known) {
    Bytes bytes = read_file(path);
    if (is_gzip(bytes)) {
        Bytes unpacked;
        Inflater(bytes, Inflater::Format::gzip, path.string())
            .read(unpacked, static_cast<std::size_t>(known.size) + 1);
        bytes = std::move(unpacked);
    }
    if (bytes.size() != known.size) {
        throw bad_input(fmt::format("'{}' is not the file it should be: it has {}{} bytes and must have {}",
                                    path.string(), bytes.size() > known.size ? "at least " : "", bytes.size(),
                                    known.size));
    }
    const std::string digest = sha256(bytes);
    if (digest != known.sha256) {
        throw bad_input(fmt::format("'{}' is not the file it should be: its SHA-256 is {} and must be {}",
                                    path.string(), digest, known.sha256));
    }
    return bytes;
}

/// Why a folder is not a whole copy of the set; empty if it is.
[[nodiscard]] std::string what_is_wrong(const fs::path& folder, const KnownSet& set) {
    try {
        for (const KnownFile& known : set.files)
            static_cast<void>(checked_content(folder / known.name, known));
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// The names under which a file is handed around: dashes or a dot before the type, raw or gzipped.
[[nodiscard]] std::vector<std::string> spellings(std::string_view name) {
    std::string dotted(name);
    dotted[dotted.rfind("-idx")] = '.';
    return {std::string(name), std::string(name) + ".gz", dotted, dotted + ".gz"};
}

[[nodiscard]] fs::path find_file(const fs::path& folder, const KnownFile& known) {
    for (const char* const below : {"", "raw", "MNIST/raw", "FashionMNIST/raw"}) {
        for (const std::string& spelling : spellings(known.name)) {
            fs::path candidate = folder / below / spelling;
            std::error_code error;
            if (fs::is_regular_file(candidate, error)) return candidate;
        }
    }
    return {};
}

/// Finds the four files in `source`, checks them and writes them raw into `destination`.
void collect(const fs::path& source, const KnownSet& set, const fs::path& destination) {
    std::array<fs::path, 4> found;
    std::vector<std::string_view> missing;
    for (std::size_t i = 0; i < found.size(); ++i) {
        found[i] = find_file(source, set.files[i]);
        if (found[i].empty()) missing.push_back(set.files[i].name);
    }
    if (!missing.empty()) {
        throw bad_input(
            fmt::format("'{}' lacks {} (raw or .gz, there or in raw, MNIST/raw or FashionMNIST/raw)",
                        source.string(), fmt::join(missing, ", ")));
    }
    std::error_code error;
    fs::create_directories(destination, error); // a failure shows in the next line
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Bytes content = checked_content(found[i], set.files[i]);
        write_file_atomically(destination / set.files[i].name, as_text(content));
    }
}

/// Gives a finished folder its final name. Another process may be doing the same: whoever comes second
/// finds a whole set and keeps it.
void install(const fs::path& finished, const fs::path& final_folder, const KnownSet& set,
             const fs::path& staging) {
    std::error_code error;
    constexpr int attempts = 5;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        fs::rename(finished, final_folder, error);
        if (!error) return;
        if (what_is_wrong(final_folder, set).empty()) return;
        // Something damaged is in the way; it leaves together with the staging folder.
        std::error_code ignored;
        fs::rename(final_folder, staging / fmt::format("damaged-{}", attempt), ignored);
    }
    throw failed(
        fmt::format("cannot put {} into '{}': {}", set.name, final_folder.string(), error.message()));
}

/// Removes what downloads left behind that were killed; a day later nobody is still at it.
void remove_old_staging(const fs::path& cache) {
    std::error_code error;
    const auto oldest = fs::file_time_type::clock::now() - std::chrono::hours(24);
    for (fs::directory_iterator it(cache, error); !error && it != fs::directory_iterator();
         it.increment(error)) {
        std::error_code ignored;
        if (!it->path().filename().string().starts_with(staging_prefix)) continue;
        const fs::file_time_type written = fs::last_write_time(it->path(), ignored);
        if (!ignored && written < oldest) fs::remove_all(it->path(), ignored);
    }
}

} // namespace

fs::path cache_folder() {
    if (const fs::path cache = folder_from_environment("XDG_CACHE_HOME"); !cache.empty())
        return cache / "sprig";
    if (const fs::path home = folder_from_environment("HOME"); !home.empty())
        return home / ".cache" / "sprig";
    throw failed(
        "there is no place for data sets: neither XDG_CACHE_HOME nor HOME is set to an absolute path; "
        "set one of them");
}

GetReport get_dataset(std::string_view name, const std::optional<fs::path>& from,
                      const std::function<void(const std::string&)>& say) {
    const KnownSet* const set = find_known_set(name);
    if (set == nullptr) {
        throw usage_error(fmt::format("there is no data set '{}'; there are {}", name, known_set_names()));
    }
    const Say tell = say ? say : Say([](const std::string&) {});
    GetReport report;
    report.folder = cache_folder() / set->name;
    for (const KnownFile& known : set->files) report.files.emplace_back(known.name);
    std::error_code error;
    if (fs::exists(report.folder, error)) {
        const std::string wrong = what_is_wrong(report.folder, *set);
        if (wrong.empty()) {
            report.already_there = true;
            report.origin = "the cache";
            return report;
        }
        tell(
            fmt::format("the copy of {} in the cache is damaged and is fetched again: {}", set->name, wrong));
    }
    remove_old_staging(cache_folder());
    const TemporaryFolder staging(cache_folder(), staging_prefix);
    const Origin origin =
        from ? Origin{*from, fmt::format("'{}'", from->string())} : fetch(*set, staging.path(), tell);
    tell("checking the files");
    const fs::path finished = staging.path() / "finished";
    collect(origin.folder, *set, finished);
    install(finished, report.folder, *set, staging.path());
    report.origin = origin.words;
    return report;
}

} // namespace sprig
