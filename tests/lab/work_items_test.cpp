#include "lab/protocol/work_items.h"

#include <atomic>
#include <barrier>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "support/temp_folder.h"

namespace sprig::lab {

namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;

/// Items whose result is ten times their seed; counts how often each is computed.
class WorkItemsTest : public testing::Test {
  protected:
    [[nodiscard]] WorkItem item(std::uint64_t seed, const std::string& setting = "usual") {
        return {{"tens", {{"setting", setting}}}, seed, 0.1, 2, [this, seed](const Tick& tick) {
                    ++computed_[seed];
                    tick();
                    tick();
                    if (fails_ == seed) throw failed("this one fails");
                    return Json(10 * seed);
                }};
    }
    [[nodiscard]] std::vector<WorkItem> some_items(std::size_t count) {
        std::vector<WorkItem> items;
        for (std::uint64_t seed = 0; seed < count; ++seed) items.push_back(item(seed));
        return items;
    }
    [[nodiscard]] StudyContext context(std::size_t threads = 2) const {
        StudyContext context;
        context.threads = threads;
        context.cache = folder_.path() / "runs";
        return context;
    }
    [[nodiscard]] int computed() const {
        int sum = 0;
        for (const std::atomic<int>& one : computed_) sum += one;
        return sum;
    }
    [[nodiscard]] std::vector<int> first_four() const {
        return {computed_[0], computed_[1], computed_[2], computed_[3]};
    }
    void write(std::uint64_t seed, const std::string& text) const {
        std::ofstream(folder_.path() / "runs/tens" / ("seed-" + std::to_string(seed) + ".json")) << text;
    }

    testing_support::TempFolder folder_;
    std::array<std::atomic<int>, 100> computed_ = {};
    std::optional<std::uint64_t> fails_ = {};
};

TEST_F(WorkItemsTest, ResultsAreInOrder) {
    EXPECT_THAT(compute_items(context(), some_items(4), "tens"), ElementsAre(0, 10, 20, 30));
    EXPECT_EQ(computed(), 4);
    EXPECT_THAT(compute_items(context(), {}, "nothing"), ElementsAre());
}

TEST_F(WorkItemsTest, CachedItemsAreNotComputedAgain) {
    (void)compute_items(context(), some_items(3), "tens");
    EXPECT_THAT(compute_items(context(), some_items(5), "tens"), ElementsAre(0, 10, 20, 30, 40));
    EXPECT_EQ(computed(), 5);
    (void)compute_items(context(), {item(1, "another")}, "tens");
    EXPECT_EQ(computed_[1], 2) << "an input has changed";
}

TEST_F(WorkItemsTest, DamagedAndForeignFilesAreComputedAgain) {
    (void)compute_items(context(), some_items(4), "tens");
    write(1, "damaged");
    write(2, R"({"what":{"setting":"usual"},"run":10})"); // another seed's
    EXPECT_THAT(compute_items(context(), some_items(4), "tens"), ElementsAre(0, 10, 20, 30));
    EXPECT_THAT(first_four(), ElementsAre(1, 2, 2, 1));
}

TEST_F(WorkItemsTest, WithoutAFolderAllAreComputed) {
    StudyContext nowhere = context();
    nowhere.cache.clear();
    for (int i = 0; i < 2; ++i)
        EXPECT_THAT(compute_items(nowhere, some_items(2), "tens"), ElementsAre(0, 10));
    EXPECT_EQ(computed(), 4);
}

TEST_F(WorkItemsTest, ResultsBeforeAFailureAreStored) {
    fails_ = 2;
    EXPECT_THROW((void)compute_items(context(1), some_items(4), "tens"), Error);
    fails_.reset();
    EXPECT_THAT(compute_items(context(1), some_items(4), "tens"), ElementsAre(0, 10, 20, 30));
    EXPECT_THAT(first_four(), ElementsAre(1, 1, 2, 1));
}

TEST_F(WorkItemsTest, ReportsAFileThatCannotBeWritten) {
    std::ofstream(folder_.path() / "runs") << "in the way";
    try {
        (void)compute_items(context(), some_items(4), "tens");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::failed);
        EXPECT_THAT(error.what(), HasSubstr("runs/tens/seed-"));
        EXPECT_THAT(error.what(), HasSubstr("resumes from them"));
    }
}

TEST_F(WorkItemsTest, DuplicateKeysAreAnError) {
    EXPECT_THROW((void)compute_items(context(), {item(1), item(1, "another")}, "tens"), std::logic_error);
}

/// A process group whose members are threads of one process.
class Members {
  public:
    explicit Members(std::size_t size)
        : size_(size), all_here_(static_cast<std::ptrdiff_t>(size), Again{this}) {}

    class Member : public ProcessGroup {
      public:
        Member(Members& all, std::size_t rank) : all_(all), rank_(rank) {}
        [[nodiscard]] std::size_t rank() const override { return rank_; }
        [[nodiscard]] std::size_t size() const override { return all_.size_; }
        [[nodiscard]] std::size_t next() override { return all_.next_++; }
        void wait_for_all() override { all_.all_here_.arrive_and_wait(); }
        [[nodiscard]] std::chrono::milliseconds visibility_timeout() const override { return {}; }

      private:
        Members& all_;
        std::size_t rank_;
    };

    /// What every member gets, with folders of kept items by rank.
    template <class Run>
    void run(Run run_member) {
        std::vector<std::jthread> members;
        for (std::size_t rank = 0; rank < size_; ++rank) {
            members.emplace_back([this, rank, &run_member] {
                Member member(*this, rank);
                run_member(member);
            });
        }
    }

  private:
    struct Again {
        Members* all;
        void operator()() const noexcept { all->next_ = 0; }
    };

    std::size_t size_;
    std::atomic<std::size_t> next_ = 0;
    std::barrier<Again> all_here_;
};

TEST_F(WorkItemsTest, AGroupComputesEachItemOnceAndEveryMemberHasAll) {
    constexpr std::size_t count = 60;
    StudyContext alone = context();
    alone.cache.clear();
    const std::vector<Json> expected = compute_items(alone, some_items(count), "tens");
    (void)compute_items(context(), {item(7), item(50)}, "some are there before");
    for (std::atomic<int>& one : computed_) one = 0;
    std::atomic<int> as_expected = 0;
    Members(3).run([&](ProcessGroup& member) {
        StudyContext own = context(1 + member.rank());
        own.group = &member;
        const std::vector<WorkItem> items = some_items(count);
        const std::vector<WorkItem> first(items.begin(), items.begin() + 20);
        const std::vector<Json> part = compute_items(own, first, "the first ones");
        const std::vector<Json> all = compute_items(own, items, "all");
        if (all == expected && part == std::vector<Json>(expected.begin(), expected.begin() + 20))
            ++as_expected;
    });
    EXPECT_EQ(as_expected, 3);
    for (std::size_t seed = 0; seed < count; ++seed)
        EXPECT_EQ(computed_[seed], seed == 7 || seed == 50 ? 0 : 1) << seed;
}

TEST_F(WorkItemsTest, AMemberThatDoesNotSeeFilesOfOthersFails) {
    std::atomic<int> complaints = 0;
    Members(2).run([&](ProcessGroup& member) {
        StudyContext own = context(1);
        own.cache = folder_.path() / std::to_string(member.rank());
        own.group = &member;
        try {
            (void)compute_items(own, some_items(1), "one");
        } catch (const Error& error) {
            if (std::string(error.what()).find("file system that all processes share") != std::string::npos)
                ++complaints;
        }
    });
    EXPECT_EQ(complaints, 1) << "the one that did not compute it";
}

/// The number of members of a group of three that find that the folder is not shared.
int complaints(const std::function<std::filesystem::path(std::size_t rank)>& folder_of) {
    std::atomic<int> count = 0;
    Members(3).run([&](ProcessGroup& member) {
        try {
            check_folder_is_shared(member, folder_of(member.rank()));
        } catch (const Error&) {
            ++count;
            member.wait_for_all(); // the others do
        }
    });
    return count;
}

TEST(AGroupsFolder, MustBeTheSameForAll) {
    const testing_support::TempFolder one;
    const testing_support::TempFolder another;
    EXPECT_EQ(complaints([&](std::size_t) { return one.path(); }), 0);
    EXPECT_TRUE(std::filesystem::is_empty(one.path())) << "no file is left";
    EXPECT_EQ(complaints([&](std::size_t rank) { return rank == 1 ? another.path() : one.path(); }), 1);
}

} // namespace

} // namespace sprig::lab
