#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/protocol/protocol.h"
#include "sprig/learners.h"

namespace sprig::lab {

class Team;

/// Makes a learner that has seen nothing yet. Called from several threads.
using MakeLearner = std::function<std::unique_ptr<Learner>(const LearnerChoice& choice, std::uint64_t seed)>;

/// A stream of somebody's own choice, and who learns it.
struct AskedStream {
    std::vector<LearnerChoice> learners;
    MaterialOptions material = {};
    Protocol protocol = {}; ///< without audits
    bool audit = false;     ///< of each learner's guarantee, in the way that it is promised
};

/// All that a study may depend on.
struct StudyContext {
    LearnerChoice chosen;
    MakeLearner make = make_learner;
    std::vector<std::uint64_t> seeds;
    HeldOut held_out = HeldOut::t10k; ///< or dev; paper only where it is the study's own
    std::size_t threads = 1;
    /// At most so many images in each set, to see quickly whether a study runs at all; 0: all of them.
    std::size_t limit = 0;
    /// Of a study that compares learners: only these, by name; empty: all.
    std::vector<std::string> methods = {};
    bool full = false; ///< of such a study: its long tables, too
    /// Of a study of the stream: who learns and from what, in place of its own choice; none: as it chooses.
    std::optional<AskedStream> asked = {};
    /// Where finished pieces of work are kept, by those studies that do so; empty: nowhere.
    std::filesystem::path keep = {};
    std::string study = {}; ///< its name: pieces that no other study has are kept under it
    Team* team = nullptr;   ///< who shares the pieces; null: this process is alone
    /// Begins to show a piece of work; what it returns is told how far the work is, and may throw to stop.
    std::function<Progress(const std::string& what)> show = {};

    [[nodiscard]] Progress begin(const std::string& what) const { return show ? show(what) : Progress{}; }
    [[nodiscard]] std::unique_ptr<Learner> make_chosen(std::uint64_t seed) const {
        return make(chosen, seed);
    }
    [[nodiscard]] std::size_t limited(std::size_t count) const {
        return limit == 0 || count < limit ? count : limit;
    }
};

/// "0-9", "3" or "0,2,5-7" as seeds, in the order written. Throws Error(usage) with the reason if the text is
/// anything else, names a seed twice or names more than a thousand.
[[nodiscard]] std::vector<std::uint64_t> parse_seeds(std::string_view text);

} // namespace sprig::lab
