#include "lab/protocol/pieces.h"

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

namespace {

using Json = nlohmann::ordered_json;

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        throw failed(fmt::format("the folder {} cannot be made: {}", folder.string(), error.message()));
}

/// What a file says: with a digest, so that a damaged one does not pass for another run.
Json written(const Work& work, std::uint64_t seed, const Json& gave) {
    constexpr int format = 2; // raised whenever what is kept is written in another way
    return {{"format", format},
            {"what", work.what},
            {"seed", seed},
            {"digest", fmt::format("{:016x}", random::mix(gave.dump()))},
            {"run", gave}};
}

/// Ticks of a piece in proportion to the time it takes: every `expected` of its own are `worth` of all.
class Proportion {
  public:
    Proportion(std::size_t expected, std::size_t worth, const Tick& all)
        : expected_(expected), worth_(worth), all_(all) {}

    void tick() {
        ++done_;
        for (const std::size_t due = std::min(worth_, done_ * worth_ / expected_); told_ < due; ++told_)
            all_();
    }

  private:
    std::size_t expected_;
    std::size_t worth_;
    const Tick& all_;
    std::size_t done_ = 0;
    std::size_t told_ = 0;
};

std::size_t worth(const Piece& piece) {
    return 1 + static_cast<std::size_t>(piece.seconds * 20);
}

void refuse_two_in_one_place(const std::vector<Piece>& pieces) {
    std::set<std::pair<std::string, std::uint64_t>> places;
    for (const Piece& piece : pieces) {
        if (!places.emplace(piece.work.name, piece.seed).second)
            throw std::logic_error(
                fmt::format("two pieces of work are called {}, seed {}", piece.work.name, piece.seed));
    }
}

class Computation {
  public:
    Computation(const StudyContext& context, const std::vector<Piece>& pieces)
        : context_(context), pieces_(pieces), kept_(context.keep), gave_(pieces.size()) {
        for (std::size_t i = 0; i < pieces.size(); ++i) gave_[i] = find(i);
    }

    void compute_missing(const Progress& progress) {
        const std::size_t ticks = missing_ticks();
        if (ticks == 0) return;
        const auto work = [this](std::size_t turn, const Tick& tick) {
            const std::size_t piece = taken_at(turn);
            if (piece < pieces_.size() && !gave_[piece]) compute(piece, tick);
        };
        in_parallel(pieces_.size(), context_.threads, ticks, work, [&](std::size_t at, std::size_t of) {
            if (progress) progress(std::min(at, of), of); // with luck, more than our share is done here
        });
    }

    /// What others of the team have computed meanwhile.
    void collect() {
        if (context_.team == nullptr) return;
        context_.team->wait_for_all();
        const auto end = std::chrono::steady_clock::now() + context_.team->patience();
        for (std::size_t i = 0; i < pieces_.size(); ++i) {
            while (!gave_[i] && !(gave_[i] = find(i))) wait_for_file(i, end);
        }
    }

    [[nodiscard]] std::vector<Json> results() {
        std::vector<Json> all;
        all.reserve(gave_.size());
        for (std::optional<Json>& one : gave_) all.push_back(std::move(one.value()));
        return all;
    }

  private:
    [[nodiscard]] std::optional<Json> find(std::size_t i) const {
        return kept_.find(pieces_[i].work, pieces_[i].seed);
    }

    /// Of a team this is only one's share of them, if all work alike.
    [[nodiscard]] std::size_t missing_ticks() const {
        std::size_t ticks = 0;
        for (std::size_t i = 0; i < pieces_.size(); ++i)
            if (!gave_[i]) ticks += worth(pieces_[i]);
        const std::size_t members = context_.team == nullptr ? 1 : context_.team->size();
        return (ticks + members - 1) / members;
    }

    /// Members of a team look into the folder at different times and miss different pieces. So they count
    /// through all of them, and whoever takes one that is there has nothing to do.
    std::size_t taken_at(std::size_t turn) {
        if (context_.team == nullptr) return turn;
        if (all_taken_) return pieces_.size();
        const std::size_t piece = context_.team->next();
        if (piece >= pieces_.size()) all_taken_ = true;
        return piece;
    }

    void compute(std::size_t i, const Tick& tick) {
        const Piece& piece = pieces_[i];
        Proportion proportion(std::max<std::size_t>(piece.ticks, 1), worth(piece), tick);
        Json gave = piece.compute([&] { proportion.tick(); });
        kept_.keep(piece.work, piece.seed, gave);
        gave_[i] = std::move(gave);
    }

    void wait_for_file(std::size_t i, std::chrono::steady_clock::time_point end) const {
        if (std::chrono::steady_clock::now() >= end) {
            throw failed(fmt::format("{} was written by another process but is not seen by this one (rank "
                                     "{}): all need the same folder, on a file system that they share",
                                     kept_.file(pieces_[i].work, pieces_[i].seed).string(),
                                     context_.team->rank()));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }

    const StudyContext& context_;
    const std::vector<Piece>& pieces_;
    KeptPieces kept_;
    std::vector<std::optional<Json>> gave_; ///< each written by one thread, read after all joined
    std::atomic<bool> all_taken_ = false;
};

} // namespace

std::filesystem::path KeptPieces::file(const Work& work, std::uint64_t seed) const {
    return folder_ / work.name / fmt::format("seed-{}.json", seed);
}

std::optional<Json> KeptPieces::find(const Work& work, std::uint64_t seed) const {
    if (folder_.empty()) return {};
    std::ifstream in(file(work, seed));
    if (!in) return {};
    Json json = Json::parse(in, nullptr, false);
    if (!json.is_object() || !json.contains("run") || json != written(work, seed, json["run"])) return {};
    return std::move(json["run"]);
}

void KeptPieces::keep(const Work& work, std::uint64_t seed, const Json& gave) const {
    if (folder_.empty()) return;
    try {
        make_folder(folder_ / work.name);
        write_file_atomically(file(work, seed), written(work, seed, gave).dump() + "\n");
    } catch (const Error& error) {
        throw failed(fmt::format("{} cannot be kept: {}; what was finished before is kept, and the same "
                                 "command goes on from there",
                                 file(work, seed).string(), error.what()));
    }
}

std::vector<Json> compute_pieces(const StudyContext& context, const std::vector<Piece>& pieces,
                                 const std::string& title) {
    refuse_two_in_one_place(pieces);
    if (context.team != nullptr && context.keep.empty())
        throw std::logic_error("a team shares its pieces in a folder, but there is none");
    Computation computation(context, pieces);
    computation.compute_missing(context.begin(title));
    computation.collect();
    return computation.results();
}

} // namespace sprig::lab
