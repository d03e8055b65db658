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

class ProcessGroup;

/// Makes an empty learner. Called from several threads.
using MakeLearner = std::function<std::unique_ptr<Learner>(const LearnerChoice& choice, std::uint64_t seed)>;

/// A stream that the user has chosen, and its learners.
struct CustomStream {
    std::vector<LearnerChoice> learners;
    DataOptions data = {};
    Protocol protocol = {}; ///< without audits
    bool audit = false;     ///< of each learner's guarantee
};

/// All inputs of a study.
struct StudyContext {
    LearnerChoice chosen;
    MakeLearner make = make_learner;
    std::vector<std::uint64_t> seeds;
    HeldOut held_out = HeldOut::t10k; ///< or dev
    std::size_t threads = 1;
    /// Maximum number of images in each set, to try a study out; 0: no limit.
    std::size_t limit = 0;
    /// Of a study that compares methods: their names; empty: all.
    std::vector<std::string> methods = {};
    bool full = false; ///< of such a study: include its long tables
    /// Replaces the stream and the learners of a study that allows it.
    std::optional<CustomStream> custom_stream = {};
    /// The folder of finished work items; empty: nothing is stored.
    std::filesystem::path cache = {};
    std::string study = {};        ///< its name
    ProcessGroup* group = nullptr; ///< the processes that share the work items; null: this process only
    /// Starts a progress display and returns the function that updates it, which may throw to stop the work.
    std::function<Progress(const std::string& what)> show = {};

    [[nodiscard]] Progress begin(const std::string& what) const { return show ? show(what) : Progress{}; }
    [[nodiscard]] std::unique_ptr<Learner> make_chosen(std::uint64_t seed) const {
        return make(chosen, seed);
    }
    [[nodiscard]] std::size_t limited(std::size_t count) const {
        return limit == 0 || count < limit ? count : limit;
    }
};

/// Parses seeds such as "0-9", "3" or "0,2,5-7", in the order written. Throws Error(usage) if the text is
/// anything else, repeats a seed or has more than a thousand.
[[nodiscard]] std::vector<std::uint64_t> parse_seeds(std::string_view text);

} // namespace sprig::lab
