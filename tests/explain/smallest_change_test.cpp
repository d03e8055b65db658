#include <algorithm>

#include <gmock/gmock.h>

#include "support.h"

namespace sprig {
namespace {

using test::both;

constexpr std::size_t images = 40;

std::size_t answer(const std::vector<double>& scores) {
    return static_cast<std::size_t>(std::ranges::max_element(scores) - scores.begin());
}

TEST(SmallestChanges, ChangeTheAnswerAndAreIrreducible) {
    for (const Learner* learner : both()) {
        const auto reader = learner->reader();
        std::size_t found = 0;
        std::size_t smallest = 0;
        for (std::size_t image = test::learned; image < test::learned + images; ++image) {
            const LocalExplanation all = explain_local(*learner, test::network_of(*learner, image));
            const Change& change = *all.change;
            EXPECT_EQ(reader->scores_with(all.network, change.added), change.scores);
            if (!change.found()) {
                EXPECT_EQ(answer(change.scores), all.best->index);
                continue;
            }
            ++found;
            if (change.is_proven_smallest()) ++smallest;
            EXPECT_GE(change.added.size(), change.size_lower_bound);
            EXPECT_EQ(answer(change.scores), all.other->index);
            for (std::size_t i = 0; i < change.added.size(); ++i) {
                std::vector<Addition> fewer = change.added;
                fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
                EXPECT_NE(answer(reader->scores_with(all.network, fewer)), all.other->index);
            }
        }
        EXPECT_GT(found, images / 2) << learner->name();
        EXPECT_GT(smallest, images / 4) << learner->name();
    }
}

/// If there are few candidates, all sets can be tried to check what is reported as smallest.
TEST(SmallestChanges, AreSmallestIfReportedAsSmallest) {
    for (const Learner* learner : both()) {
        const auto reader = learner->reader();
        std::size_t checked = 0;
        for (std::size_t image = test::learned; image < test::learned + images; ++image) {
            const LocalExplanation all = explain_local(*learner, test::network_of(*learner, image));
            const auto missing = reader->possible_additions(all.network, all.other->index, all.best->index);
            if (!all.change->is_proven_smallest() || all.change->added.size() > 3 || missing.size() > 60)
                continue;
            ++checked;
            for (std::size_t i = 0; i < missing.size() && all.change->added.size() > 1; ++i) {
                std::vector<Addition> added = {missing[i]};
                EXPECT_NE(answer(reader->scores_with(all.network, added)), all.other->index);
                for (std::size_t k = 0; k < i && all.change->added.size() > 2; ++k) {
                    added = {missing[i], missing[k]};
                    EXPECT_NE(answer(reader->scores_with(all.network, added)), all.other->index);
                }
            }
        }
        EXPECT_GT(checked, 3U) << learner->name();
    }
}

TEST(SmallestChanges, AreNotSearchedBeyondTheLimit) {
    const Learner& learner = *both().front();
    std::size_t less = 0;
    for (std::size_t image = test::learned; image < test::learned + images; ++image) {
        const Network network = test::network_of(learner, image);
        const LocalExplanation all = explain_local(learner, network);
        const LocalExplanation few = explain_local(learner, network, {.max_additions = 2});
        EXPECT_LE(few.change->added.size(), 2U);
        if (all.change->found() && all.change->added.size() > 2) {
            EXPECT_TRUE(!few.change->found());
            ++less;
        }
        EXPECT_FALSE(explain_local(learner, network, {.max_additions = 0}).change.has_value());
    }
    EXPECT_GT(less, 5U);
}

TEST(SmallestChanges, AreDeterministic) {
    for (const Learner* learner : both()) {
        const Network network = test::network_of(*learner, 450);
        const Change first = *explain_local(*learner, network).change;
        const Change again = *explain_local(*learner, network).change;
        EXPECT_EQ(first.added, again.added);
        EXPECT_EQ(first.scores, again.scores);
    }
}

} // namespace
} // namespace sprig
