#include "lab/protocol/work_items.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <set>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

#include "core/keyed.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace sprig::lab {

namespace {

bool appears(const std::filesystem::path& file, std::chrono::milliseconds timeout) {
    const auto end = std::chrono::steady_clock::now() + timeout;
    std::error_code ignored;
    while (!std::filesystem::exists(file, ignored)) {
        if (std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return true;
}

} // namespace

void check_folder_is_shared(ProcessGroup& group, const std::filesystem::path& folder) {
    const std::filesystem::path marker = folder / ".sprig-group.tmp";
    if (group.rank() == 0) write_file_atomically(marker, "");
    group.wait_for_all();
    if (!appears(marker, group.visibility_timeout())) {
        throw failed(
            fmt::format("a file that rank 0 has written to {} is not visible to rank {}: the folder must "
                        "be on a file system that all processes share",
                        folder.string(), group.rank()));
    }
    group.wait_for_all();
    std::error_code ignored;
    if (group.rank() == 0) std::filesystem::remove(marker, ignored);
}

namespace {

using Json = nlohmann::ordered_json;

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) throw failed(fmt::format("cannot create the folder {}: {}", folder.string(), error.message()));
}

/// The content of a file, with a digest that detects damage.
Json file_content(const CacheKey& key, std::uint64_t seed, const Json& result) {
    constexpr int format = 3; // incremented when the format of any result changes
    return {{"format", format},
            {"what", key.inputs},
            {"seed", seed},
            {"digest", fmt::format("{:016x}", random::mix(result.dump()))},
            {"run", result}};
}

/// The progress of all items counts twentieths of seconds, by estimate: items tick at different rates.
std::size_t weight(const WorkItem& item) {
    return 1 + static_cast<std::size_t>(item.seconds * 20);
}

void check_keys_are_unique(const std::vector<WorkItem>& items) {
    std::set<std::pair<std::string, std::uint64_t>> keys;
    for (const WorkItem& item : items) {
        if (!keys.emplace(item.key.name, item.seed).second)
            throw std::logic_error(
                fmt::format("two work items are named {}, seed {}", item.key.name, item.seed));
    }
}

class Computation {
  public:
    Computation(const StudyContext& context, const std::vector<WorkItem>& items)
        : context_(context), items_(items), cache_(context.cache), results_(items.size()) {
        for (std::size_t i = 0; i < items.size(); ++i) results_[i] = find(i);
    }

    void compute_missing(const std::string& title, const std::function<void()>& prepare) {
        const std::size_t ticks = missing_ticks();
        if (ticks == 0) return;
        if (prepare) prepare();
        const auto work = [this](std::size_t turn, const Tick& tick) {
            const std::size_t item = item_at(turn);
            if (item < items_.size() && !results_[item]) compute(item, tick);
        };
        const Progress progress = context_.begin(title);
        in_parallel(items_.size(), context_.threads, ticks, work, [&](std::size_t at, std::size_t of) {
            if (progress) progress(std::min(at, of), of); // this process may do more than its share
        });
    }

    /// Reads the results of the other processes.
    void collect() {
        if (context_.group == nullptr) return;
        context_.group->wait_for_all();
        const auto end = std::chrono::steady_clock::now() + context_.group->visibility_timeout();
        for (std::size_t i = 0; i < items_.size(); ++i) {
            while (!results_[i] && !(results_[i] = find(i))) wait_for_file(i, end);
        }
    }

    [[nodiscard]] std::vector<Json> results() {
        std::vector<Json> all;
        all.reserve(results_.size());
        for (std::optional<Json>& one : results_) all.push_back(std::move(one.value()));
        return all;
    }

  private:
    [[nodiscard]] std::optional<Json> find(std::size_t i) const {
        return cache_.find(items_[i].key, items_[i].seed);
    }

    /// In a group, the share of this process.
    [[nodiscard]] std::size_t missing_ticks() const {
        std::size_t ticks = 0;
        for (std::size_t i = 0; i < items_.size(); ++i)
            if (!results_[i]) ticks += weight(items_[i]);
        const std::size_t members = context_.group == nullptr ? 1 : context_.group->size();
        return (ticks + members - 1) / members;
    }

    /// Processes read the folder at different times and miss different items. Therefore the counter runs over
    /// all items, and a process skips those that it has found.
    std::size_t item_at(std::size_t turn) {
        if (context_.group == nullptr) return turn;
        if (all_taken_) return items_.size();
        const std::size_t item = context_.group->next();
        if (item >= items_.size()) all_taken_ = true;
        return item;
    }

    void compute(std::size_t i, const Tick& tick) {
        const WorkItem& item = items_[i];
        const std::size_t expected = std::max<std::size_t>(item.ticks, 1);
        std::size_t done = 0;
        std::size_t reported = 0;
        Json result = item.compute([&] {
            ++done;
            for (const std::size_t due = std::min(weight(item), done * weight(item) / expected);
                 reported < due; ++reported)
                tick();
        });
        cache_.store(item.key, item.seed, result);
        results_[i] = std::move(result);
    }

    void wait_for_file(std::size_t i, std::chrono::steady_clock::time_point end) const {
        if (std::chrono::steady_clock::now() >= end) {
            throw failed(fmt::format("{} was written by another process but is not visible to this one (rank "
                                     "{}): the folder must be on a file system that all processes share",
                                     cache_.file(items_[i].key, items_[i].seed).string(),
                                     context_.group->rank()));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }

    const StudyContext& context_;
    const std::vector<WorkItem>& items_;
    ResultCache cache_;
    std::vector<std::optional<Json>> results_; ///< each written by one thread, read after all joined
    std::atomic<bool> all_taken_ = false;
};

} // namespace

std::filesystem::path ResultCache::file(const CacheKey& key, std::uint64_t seed) const {
    return folder_ / key.name / fmt::format("seed-{}.json", seed);
}

std::optional<Json> ResultCache::find(const CacheKey& key, std::uint64_t seed) const {
    if (folder_.empty()) return {};
    std::ifstream in(file(key, seed));
    if (!in) return {};
    Json json = Json::parse(in, nullptr, false);
    if (!json.is_object() || !json.contains("run") || json != file_content(key, seed, json["run"])) return {};
    return std::move(json["run"]);
}

void ResultCache::store(const CacheKey& key, std::uint64_t seed, const Json& result) const {
    if (folder_.empty()) return;
    try {
        make_folder(folder_ / key.name);
        write_file_atomically(file(key, seed), file_content(key, seed, result).dump() + "\n");
    } catch (const Error& error) {
        throw failed(fmt::format("cannot store {}: {}; results stored before are kept, and the same command "
                                 "resumes from them",
                                 file(key, seed).string(), error.what()));
    }
}

std::vector<Json> compute_items(const StudyContext& context, const std::vector<WorkItem>& items,
                                const std::string& title, const std::function<void()>& prepare) {
    check_keys_are_unique(items);
    if (context.group != nullptr && context.cache.empty())
        throw std::logic_error("a process group needs a folder of finished work items");
    Computation computation(context, items);
    computation.compute_missing(title, prepare);
    computation.collect();
    return computation.results();
}

} // namespace sprig::lab
