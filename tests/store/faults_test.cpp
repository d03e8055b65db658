#include "store/faults.h"

#include <new>

#include <gtest/gtest.h>

#include "store/support.h"
#include "support/exhaustive.h"

namespace sprig::store_test {

namespace {

constexpr std::size_t before = 4; ///< lessons in the file
constexpr std::size_t more = 3;   ///< lessons while something fails

class Faults : public testing::TestWithParam<std::string> {
  protected:
    static void SetUpTestSuite() { install_faults(); }

    void SetUp() override {
        const auto learner = make_learner(GetParam());
        lessons_ = lessons_for(*learner, before + more);
        save_model(*learner, whole_);
        digests_ = digests_of(*learner, lessons_);
        ModelFile file(whole_);
        for (std::size_t i = 0; i < before; ++i) file.learn(lessons_[i].network, lessons_[i].label);
        file.close();
    }

    /// Learns while the n-th operation of a kind fails. Returns whether it was reached.
    bool learn_while(Fault what, long n) {
        fs::remove(path_.string() + "-wal");
        fs::remove(path_.string() + "-shm");
        fs::copy_file(whole_, path_, fs::copy_options::overwrite_existing);
        std::size_t done = before;
        bool reported = false;
        arm(what, n);
        try {
            ModelFile file(path_, {.durability = ModelFile::Durability::power});
            for (; done < lessons_.size(); ++done) file.learn(lessons_[done].network, lessons_[done].label);
            file.close();
        } catch (const Error&) {
            reported = true;
        } catch (const std::bad_alloc&) {
            reported = true;
        }
        const bool happened = disarm();
        reported_ += reported ? 1 : 0;
        EXPECT_TRUE(happened || !reported) << "failed without a fault";
        const StoredModel after = load_model(path_);
        // The failed lesson is in the file completely or not at all, and no complete lesson is lost.
        EXPECT_GE(after.facts.lessons, done) << "fault " << n;
        EXPECT_LE(after.facts.lessons, std::min(done + 1, lessons_.size())) << "fault " << n;
        EXPECT_EQ(after.learner->digest(), digests_[after.facts.lessons]) << "fault " << n;
        return happened;
    }

    void fail_in_turn(Fault what, long stride) {
        long tried = 0;
        for (long n = 1; learn_while(what, n); n += stride) {
            ++tried;
            ASSERT_FALSE(HasFailure()) << "fault " << n;
        }
        EXPECT_GT(tried, 5);
        EXPECT_GT(reported_, tried / 4); // SQLite tolerates some faults
    }

    TempFolder folder_;
    fs::path whole_ = folder_ / "whole.sprig";
    fs::path path_ = folder_ / "a.sprig";
    std::vector<Lesson> lessons_;
    std::vector<std::uint64_t> digests_;
    long reported_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Learners, Faults, testing::Values("constellation", "modeller"),
                         [](const auto& one) { return one.param; });

TEST_P(Faults, EveryWriteFailsInTurn) {
    fail_in_turn(Fault::write, test::exhaustive() ? 1 : 3);
}

TEST_P(Faults, EverySyncFailsInTurn) {
    fail_in_turn(Fault::sync, 1);
}

TEST_P(Faults, EveryAllocationFailsInTurn) {
    fail_in_turn(Fault::memory, test::exhaustive() ? 1 : 131);
}

TEST_P(Faults, AFailedSaveLeavesNoFile) {
    const auto learner = make_learner(GetParam());
    learner->learn(lessons_[0].network, lessons_[0].label);
    long tried = 0;
    for (long n = 1;; n += 2) {
        arm(Fault::write, n);
        try {
            save_model(*learner, path_);
        } catch (const Error&) {
        }
        if (!disarm()) break;
        ++tried;
        if (fs::exists(path_)) {
            EXPECT_EQ(load_model(path_).learner->digest(), learner->digest());
        }
        fs::remove(path_);
        ASSERT_EQ(names_in(folder_.path()).size(), 1U) << "a file was left behind";
    }
    EXPECT_GT(tried, 3);
}

} // namespace

} // namespace sprig::store_test
