#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "lab/baselines/strategy.h"
#include "lab/glyphs/character_stream.h"
#include "lab/protocol/context.h"

namespace sprig::baselines {

inline constexpr std::size_t ranked_in_full = 1000; ///< see CharacterLearner::rank

/// A method that learns characters from images, one at a time.
class CharacterLearner {
  public:
    CharacterLearner() = default;
    virtual ~CharacterLearner() = default;
    CharacterLearner(const CharacterLearner&) = delete;
    CharacterLearner& operator=(const CharacterLearner&) = delete;
    CharacterLearner(CharacterLearner&&) = delete;
    CharacterLearner& operator=(CharacterLearner&&) = delete;

    virtual void learn(const Image& image, std::size_t label) = 0;
    /// The classes, likeliest first, at most `most` of them. With more than `ranked_in_full` classes only
    /// those of the 256 units that are most like the image, if the method can.
    [[nodiscard]] virtual std::vector<std::size_t> rank(const Image& image, std::size_t most) = 0;
    /// The best class, in the way that is cheapest.
    [[nodiscard]] virtual std::size_t decide(const Image& image) = 0;
    /// The same, comparing only the units that are most like the image, if the method can.
    [[nodiscard]] virtual std::optional<std::size_t> decide_within(const Image& /*image*/,
                                                                   std::size_t /*budget*/) {
        return std::nullopt;
    }
    /// What must be kept to go on learning.
    [[nodiscard]] virtual MemoryUse memory_use() const = 0;
};

/// What a learner of characters is made with.
struct CharacterTask {
    std::vector<std::string> classes;
    std::uint64_t seed = 0;
};

/// A method of the study, and how it is made.
struct CharacterMethod {
    std::string name; ///< for --methods
    std::string title;
    nlohmann::ordered_json settings;
    std::function<std::unique_ptr<CharacterLearner>(const CharacterTask& task)> make;
    bool is_own = false; ///< Sprig
    bool needs_network = false;
    double lesson_seconds = 1e-3; ///< estimates, to distribute the work
    double answer_seconds_of_class = 1e-6;
    /// With more classes than this it learns from one face only, and one seed is run.
    std::size_t most_classes = static_cast<std::size_t>(-1);
};

/// Sprig's chosen learner, the same with settings for print, and what they are compared with.
[[nodiscard]] std::vector<CharacterMethod> character_methods(const lab::StudyContext& context);

/// What is learned and tested for a seed.
struct CharacterSplit {
    std::vector<std::string> classes;
    std::u32string characters;
    std::vector<glyphs::FaceSource> learned; ///< in the order in which they are learned
    std::vector<glyphs::FaceSource> faces;   ///< that are tested
    struct Test {
        std::size_t face;
        std::size_t label;
    };
    std::vector<Test> tested;
    std::uint64_t seed = 0;
};

/// For development, only the faces to learn from are used: those of one origin, which depends on the seed,
/// are tested, and the others are learned.
[[nodiscard]] CharacterSplit character_split(const glyphs::CharacterClasses& classes, std::size_t count,
                                             std::size_t most_tested, std::uint64_t seed,
                                             bool for_development);

/// Learns one sample of each class in one face, tests, learns the other faces, and tests again. The result
/// has two entries, for one face and for all, in each of `top1`, `top5`, `model`, `data` and `images`;
/// `differ` is the number of answers of `decide` that are not the first of `rank`.
[[nodiscard]] nlohmann::ordered_json run_character_trial(const CharacterMethod& method,
                                                         const CharacterSplit& split, bool one_face_only,
                                                         const lab::Tick& tick);

/// What a lesson and an answer cost after one sample of each class: processor time from an image to the end
/// of the lesson and to the answer, in ms; bytes that the method occupies in memory for each class. Must be
/// the only work of the process.
[[nodiscard]] nlohmann::ordered_json
measure_character_costs(const CharacterMethod& method, const CharacterSplit& split, const lab::Tick& tick);

} // namespace sprig::baselines
