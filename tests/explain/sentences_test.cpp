#include <gmock/gmock.h>

#include "sprig/error.h"
#include "support.h"

namespace sprig {
namespace {

using test::both;
using testing::ElementsAre;
using testing::HasSubstr;

/// The explanation of a model without classes.
LocalExplanation empty() {
    return explain_local(Constellation(), test::digits().image(0));
}

/// Two classes: a leads by 6 over b, and the first of three elements is decisive.
LocalExplanation two_classes() {
    LocalExplanation all = empty();
    all.best = ScoredClass{.index = 0, .label = "a", .score = 4, .probability = 0.999, .units = {}};
    all.other = ScoredClass{.index = 1, .label = "b", .score = -2, .probability = 0.3, .units = {}};
    all.elements = {{0, 5, 0}, {1, 1, 0}, {2, 0, 0}};
    all.decisive_count = 1;
    all.best_score_without = 1;
    all.other_score_without = 0.5;
    return all;
}

TEST(Sentences, ContainTheAnswerAndTheDecisiveElements) {
    EXPECT_THAT(
        sentences(two_classes()),
        ElementsAre("The answer is class a: score 4.0, probability above 99 %. Compared with class b: score "
                    "\u22122.0, probability 30 %.",
                    "Class a leads by 6.0. Without contour point 1, it would lead by only 0.5."));
}

TEST(Sentences, TellIfAnotherClassWouldLead) {
    LocalExplanation all = two_classes();
    all.decisive_count = 2;
    all.elements[2] = {2, 1, 0};
    all.other_score_without = 3;
    EXPECT_THAT(
        sentences(all).at(1),
        HasSubstr("Without contour points 1 and 2, class b would lead by 2.0; 1 other is as important as "
                  "the last of them."));
    all.decisive_count = 0;
    EXPECT_EQ(sentences(all).at(1),
              "No contour point favours class a over class b: class a leads because of contour points "
              "that are missing.");
}

TEST(Sentences, TellWhatWouldChangeTheAnswer) {
    LocalExplanation all = two_classes();
    all.change = Change{.added = {}, .scores = {}, .size_lower_bound = 3};
    EXPECT_EQ(sentences(all).at(2),
              "No addition was found that changes the answer to class b; it takes at least 3 additions.");
    all.change->added.resize(2);
    EXPECT_THAT(sentences(all).at(2),
                HasSubstr("With 2 more matching units (a and b), the answer would be class b."));
    EXPECT_THAT(sentences(all).at(2), HasSubstr("any other set needs at least 3."));
    for (Addition& addition : all.change->added) addition.nodes = {1, 2};
    EXPECT_THAT(sentences(all).at(2), HasSubstr("With 2 more bends (a and b), the answer would be class b."));
    all.change->size_lower_bound = 2;
    EXPECT_THAT(sentences(all).at(2), HasSubstr("would be class b. No smaller set of additions is enough."));
}

TEST(Sentences, OfFewClassesAreShort) {
    EXPECT_THAT(sentences(empty()), ElementsAre("There is no answer: the model has no classes yet."));
    LocalExplanation all = two_classes();
    all.other.reset();
    EXPECT_THAT(sentences(all),
                ElementsAre("The answer is class a: score 4.0, probability above 99 %. The model has no "
                            "other class."));
}

TEST(Sentences, AgreeWithARealExplanation) {
    for (const Learner* learner : both()) {
        const LocalExplanation all = explain_local(*learner, test::digits().image(415));
        const std::vector<std::string> text = sentences(all);
        ASSERT_EQ(text.size(), 3U);
        EXPECT_THAT(text[0], HasSubstr("class " + all.best->label + ": score"));
        EXPECT_THAT(text[1], HasSubstr("Class " + all.best->label + " leads by"));
        EXPECT_THAT(text[2], HasSubstr("the answer would be class " + all.other->label));
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
        "Class a: 3 units after 30 observations, 1 of them with at least 10 observations; maximum depth 2.");
    EXPECT_THROW(static_cast<void>(summary(all, "b")), Error);
    for (const Learner* learner : both())
        EXPECT_THAT(summary(explain_global(*learner), "8"), HasSubstr("Class 8: "));
}

} // namespace
} // namespace sprig
