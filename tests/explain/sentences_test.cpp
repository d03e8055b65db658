#include <gmock/gmock.h>

#include "sprig/error.h"
#include "support.h"

namespace sprig {
namespace {

using test::both;
using testing::ElementsAre;
using testing::HasSubstr;

/// By a model that knows nothing.
LocalExplanation empty() {
    return explain_local(Constellation(), test::digits().image(0));
}

/// Of two classes, a with a lead of 6 over b, decided by the first of three elements.
LocalExplanation made() {
    LocalExplanation all = empty();
    all.best = ClassPart{.index = 0, .label = "a", .score = 4, .probability = 0.999, .units = {}};
    all.other = ClassPart{.index = 1, .label = "b", .score = -2, .probability = 0.3, .units = {}};
    all.elements = {{0, 5, 0}, {1, 1, 0}, {2, 0, 0}};
    all.decisive = 1;
    all.best_without = 1;
    all.other_without = 0.5;
    return all;
}

TEST(Sentences, SayTheAnswerAndWhatDecides) {
    EXPECT_THAT(
        sentences(made()),
        ElementsAre(
            "It is taken for class a: score 4.0, probability above 99 %; class b has \u22122.0, 30 %.",
            "What decides: class a leads by 6.0; without element 1, it would lead by 0.5 only."));
}

TEST(Sentences, SayThatAnotherClassWouldLead) {
    LocalExplanation all = made();
    all.decisive = 2;
    all.elements[2] = {2, 1, 0};
    all.other_without = 3;
    EXPECT_THAT(
        sentences(all).at(1),
        HasSubstr("without elements 1 and 2, class b would lead by 2.0; 1 other weighs as much as the "
                  "last of them."));
    all.decisive = 0;
    EXPECT_EQ(sentences(all).at(1),
              "No element that is there speaks for class a and against class b: what is "
              "missing decides.");
}

TEST(Sentences, SayWhatWouldChangeTheAnswer) {
    LocalExplanation all = made();
    all.change = Change{.added = {}, .scores = {}, .at_least = 3};
    EXPECT_EQ(sentences(all).at(2),
              "What would change it: nothing was found that could be added to make it class "
              "b; fewer than 3 additions cannot.");
    all.change->added.resize(2);
    EXPECT_THAT(sentences(all).at(2), HasSubstr("with 2 more units (a and b) there as well"));
    EXPECT_THAT(sentences(all).at(2), HasSubstr("no other set can be smaller than 3."));
    all.change->at_least = 2;
    EXPECT_THAT(sentences(all).at(2), HasSubstr("taken for class b. Nothing smaller does it."));
}

TEST(Sentences, OfLittleSayLittle) {
    EXPECT_THAT(sentences(empty()), ElementsAre("The model knows no class, so there is no answer."));
    LocalExplanation all = made();
    all.other.reset();
    EXPECT_THAT(sentences(all),
                ElementsAre("It is taken for class a: score 4.0, probability above 99 %. The model "
                            "knows no other class."));
}

TEST(Sentences, AreTrueOfARealExplanation) {
    for (const Learner* learner : both()) {
        const LocalExplanation all = explain_local(*learner, test::digits().image(415));
        const std::vector<std::string> said = sentences(all);
        ASSERT_EQ(said.size(), 3U);
        EXPECT_THAT(said[0], HasSubstr("class " + all.best->label + ": score"));
        EXPECT_THAT(said[1], HasSubstr("class " + all.best->label + " leads by"));
        EXPECT_THAT(said[2], HasSubstr("taken for class " + all.other->label));
    }
}

TEST(Summary, OfAClassCountsItsUnits) {
    GlobalExplanation all;
    all.maturity = 10;
    all.classes.push_back({.label = "a",
                           .observations = 30,
                           .positive = 2,
                           .negative = 1,
                           .by_depth = {2, 1},
                           .mature = {0},
                           .roots = {0, 1}});
    EXPECT_EQ(
        summary(all, "a"),
        "a: 3 units after 30 observations, 1 of them with 10 or more observations; 2 units deep at most.");
    EXPECT_THROW(static_cast<void>(summary(all, "b")), Error);
    for (const Learner* learner : both())
        EXPECT_THAT(summary(explain_global(*learner), "8"), HasSubstr("8: "));
}

} // namespace
} // namespace sprig
