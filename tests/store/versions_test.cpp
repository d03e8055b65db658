#include <gtest/gtest.h>

#include "store/support.h"

namespace sprig::store_test {

namespace {

/// A file of every version that was ever released, one that was closed and one whose program was killed, with
/// its content's digest when it was made (eight images of MNIST), and after four more.
struct Released {
    const char* name;
    const char* learner;
    std::uint64_t digest;
    std::uint64_t four_more;
};

class Versions : public testing::TestWithParam<Released> {};
INSTANTIATE_TEST_SUITE_P(
    All, Versions,
    testing::Values(Released{"constellation-1", "constellation", 0x563665fb00a5c7c7, 0xab5533fd846162d3},
                    Released{"constellation-1-killed", "constellation", 0x563665fb00a5c7c7,
                             0xab5533fd846162d3},
                    Released{"modeller-1", "modeller", 0xaab89d7e1f079d4a, 0x65b9316c00be438},
                    Released{"modeller-1-killed", "modeller", 0xaab89d7e1f079d4a, 0x65b9316c00be438}));

TEST_P(Versions, LoadsAndGoesOn) {
    const TempFolder folder;
    const fs::path path = folder / "old.sprig";
    fs::copy_file(fs::path(SPRIG_FIXTURES) / (std::string(GetParam().name) + ".sprig"), path);
    EXPECT_NO_THROW(verify_model(path));
    const StoredModel stored = load_model(path);
    EXPECT_EQ(stored.learner->name(), GetParam().learner);
    EXPECT_EQ(stored.learner->digest(), GetParam().digest);
    EXPECT_EQ(stored.facts.lessons, 8U);
    ModelFile file(path);
    for (const Lesson& lesson : lessons_for(*stored.learner, 4, 8)) file.learn(lesson.network, lesson.label);
    file.close();
    EXPECT_EQ(load_model(path).learner->digest(), GetParam().four_more);
}

} // namespace

} // namespace sprig::store_test
