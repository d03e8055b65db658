#include "lab/baselines/character_trial.h"

#include <algorithm>
#include <ctime>
#include <numeric>
#include <set>

#include <malloc.h>

#include "core/keyed.h"
#include "lab/glyphs/glyph_set.h"

namespace sprig::baselines {

namespace {

using glyphs::FaceSource;
using glyphs::Part;
using Json = nlohmann::ordered_json;

/// The faces of a part; for development, those of the faces to learn from that have the part.
std::vector<FaceSource> faces_of(Part part, std::uint64_t seed, bool for_development) {
    std::vector<std::string> origins;
    for (const FaceSource& face : glyphs::character_faces())
        if (face.part == Part::learn && std::ranges::count(origins, face.family) == 0)
            origins.emplace_back(face.family);
    const std::string& held_out = origins[seed % origins.size()];
    std::vector<FaceSource> chosen;
    for (const FaceSource& face : glyphs::character_faces()) {
        const Part used_for = !for_development          ? face.part
                              : face.family == held_out ? Part::test
                                                        : Part::learn;
        if (used_for == part && (!for_development || face.part == Part::learn)) chosen.push_back(face);
    }
    return chosen;
}

/// The numbers from 0 on in an order of their own for each seed and purpose.
std::vector<std::size_t> in_order(std::size_t count, std::uint64_t seed, std::string_view purpose) {
    std::vector<std::size_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    random::shuffle(numbers, seed, random::mix(purpose));
    return numbers;
}

} // namespace

CharacterSplit character_split(const glyphs::CharacterClasses& classes, std::size_t count,
                               std::size_t most_tested, std::uint64_t seed, bool for_development) {
    const glyphs::CharacterClasses drawn = glyphs::drawn_classes(classes, count, seed);
    CharacterSplit split;
    split.classes = drawn.names();
    split.characters = drawn.characters;
    split.seed = seed;
    split.faces = faces_of(Part::test, seed, for_development);
    const std::vector<FaceSource> learned = faces_of(Part::learn, seed, for_development);
    for (const std::size_t face : in_order(learned.size(), seed, "faces to learn from"))
        split.learned.push_back(learned[face]);
    // The faces take turns, so that each is tested about as often as the others.
    for (const std::size_t test :
         in_order(drawn.characters.size() * split.faces.size(), seed, "characters to test")) {
        if (split.tested.size() == most_tested) break;
        split.tested.push_back({test % split.faces.size(), test / split.faces.size()});
    }
    return split;
}

namespace {

/// Images of the split, drawn when they are needed.
class Drawer {
  public:
    explicit Drawer(const CharacterSplit& split) : split_(&split) {
        for (const FaceSource& source : split.learned) learned_.emplace_back(source);
        for (const FaceSource& source : split.faces) tested_.emplace_back(source);
    }

    [[nodiscard]] Image learned(std::size_t face, std::size_t label) const {
        return glyphs::draw_character(learned_[face], split_->characters[label]);
    }
    [[nodiscard]] Image tested(const CharacterSplit::Test& test) const {
        return glyphs::draw_character(tested_[test.face], split_->characters[test.label]);
    }

  private:
    const CharacterSplit* split_;
    std::vector<glyphs::Face> learned_;
    std::vector<glyphs::Face> tested_;
};

void learn_face(CharacterLearner& learner, const CharacterSplit& split, const Drawer& drawer,
                std::size_t face, const lab::Tick& tick) {
    const std::uint64_t order = random::mix({split.seed, face});
    for (const std::size_t label :
         in_order(split.characters.size(), order, "the order of characters to learn")) {
        tick();
        learner.learn(drawer.learned(face, label), label);
    }
}

struct Answers {
    std::size_t first = 0;
    std::size_t among_five = 0;
    std::size_t differ = 0;
};

Answers test(CharacterLearner& learner, const CharacterSplit& split, const Drawer& drawer,
             const lab::Tick& tick) {
    constexpr std::size_t most = 5;
    Answers answers;
    for (const CharacterSplit::Test& test : split.tested) {
        tick();
        const Image image = drawer.tested(test);
        const std::vector<std::size_t> ranked = learner.rank(image, most);
        const std::size_t best = learner.decide(image);
        if (best == test.label) ++answers.first;
        if (best == test.label || std::ranges::count(ranked, test.label) > 0) ++answers.among_five;
        if (best != ranked.front() && split.characters.size() <= ranked_in_full) ++answers.differ;
    }
    return answers;
}

} // namespace

Json run_character_trial(const CharacterMethod& method, const CharacterSplit& split, bool one_face_only,
                         const lab::Tick& tick) {
    const std::unique_ptr<CharacterLearner> learner = method.make({split.classes, split.seed});
    const Drawer drawer(split);
    Json result = {{"tests", split.tested.size()}, {"differ", 0}};
    const auto add_test = [&] {
        const Answers answers = test(*learner, split, drawer, tick);
        const MemoryUse memory = learner->memory_use();
        const auto tests = static_cast<double>(split.tested.size());
        result["top1"].push_back(static_cast<double>(answers.first) / tests);
        result["top5"].push_back(static_cast<double>(answers.among_five) / tests);
        result["model"].push_back(memory.model);
        result["data"].push_back(memory.data);
        result["images"].push_back(memory.images);
        result["differ"] = result["differ"].get<std::size_t>() + answers.differ;
    };
    learn_face(*learner, split, drawer, 0, tick);
    add_test();
    if (one_face_only) return result;
    for (std::size_t face = 1; face < split.learned.size(); ++face)
        learn_face(*learner, split, drawer, face, tick);
    add_test();
    return result;
}

namespace {

/// The processor time of the process, in ms.
double processor_time() {
    return 1000 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// The bytes that are allocated in the process. The figures of the allocator, not of the operating system,
/// because freed memory is kept for later.
double allocated() {
    const struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
}

/// Repeats work until `most` times or some seconds are over, and returns the mean time in ms.
double mean_time(std::size_t most, const std::function<void(std::size_t)>& work) {
    constexpr double enough = 8000;
    const double begin = processor_time();
    std::size_t done = 0;
    while (done < most && (done < 3 || processor_time() - begin < enough)) work(done++);
    return done == 0 ? 0 : (processor_time() - begin) / static_cast<double>(done);
}

/// The costs of answers within a budget, and the share of them that are others.
void add_budget_costs(CharacterLearner& learner, const std::vector<Image>& questions, Json& result) {
    constexpr std::size_t budget = 256;
    if (!learner.decide_within(questions.front(), budget)) return;
    result["budget_answer"] = mean_time(questions.size(), [&](std::size_t i) {
        (void)learner.decide_within(questions[i % questions.size()], budget);
    });
    std::size_t changed = 0;
    for (const Image& question : questions)
        changed += learner.decide_within(question, budget) == learner.decide(question) ? 0 : 1;
    result["changed"] = static_cast<double>(changed) / static_cast<double>(questions.size());
}

} // namespace

Json measure_character_costs(const CharacterMethod& method, const CharacterSplit& split,
                             const lab::Tick& tick) {
    constexpr std::size_t most = 200;
    const Drawer drawer(split);
    std::vector<Image> lessons;
    std::vector<Image> questions;
    const std::vector<std::size_t> labels =
        in_order(split.characters.size(), split.seed, "lessons to measure");
    const std::size_t second = split.learned.size() - 1;
    for (std::size_t i = 0; i < std::min(most, labels.size()); ++i)
        lessons.push_back(drawer.learned(second, labels[i]));
    for (const CharacterSplit::Test& test : split.tested) questions.push_back(drawer.tested(test));

    Json result;
    const double before = allocated();
    const std::unique_ptr<CharacterLearner> learner = method.make({split.classes, split.seed});
    learn_face(*learner, split, drawer, 0, tick);
    const auto classes = static_cast<double>(split.characters.size());
    result["bytes"] = (allocated() - before) / classes;
    (void)learner->decide(questions.front()); // what is computed once is not part of an answer
    result["bytes_answering"] = (allocated() - before) / classes;
    result["answer"] = mean_time(most, [&](std::size_t i) {
        tick();
        (void)learner->decide(questions[i % questions.size()]);
    });
    add_budget_costs(*learner, questions, result);
    constexpr std::size_t alternating = 20;
    result["first_answer"] = mean_time(alternating, [&](std::size_t i) {
        tick();
        learner->learn(lessons[i % lessons.size()], labels[i % lessons.size()]);
        (void)learner->decide(questions[i % questions.size()]);
    });
    result["lesson"] = mean_time(most, [&](std::size_t i) {
        tick();
        learner->learn(lessons[i % lessons.size()], labels[i % lessons.size()]);
    });
    return result;
}

} // namespace sprig::baselines
