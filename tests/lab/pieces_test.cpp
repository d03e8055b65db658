#include "lab/protocol/pieces.h"

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

/// Pieces that give ten times their seed, and count how often each is computed.
class PiecesTest : public testing::Test {
  protected:
    [[nodiscard]] Piece piece(std::uint64_t seed, const std::string& setting = "usual") {
        return {{"tens", {{"setting", setting}}}, seed, 0.1, 2, [this, seed](const Tick& tick) {
                    ++computed_[seed];
                    tick();
                    tick();
                    if (fails_ == seed) throw failed("this one fails");
                    return Json(10 * seed);
                }};
    }
    [[nodiscard]] std::vector<Piece> some_pieces(std::size_t count) {
        std::vector<Piece> pieces;
        for (std::uint64_t seed = 0; seed < count; ++seed) pieces.push_back(piece(seed));
        return pieces;
    }
    [[nodiscard]] StudyContext context(std::size_t threads = 2) const {
        StudyContext context;
        context.threads = threads;
        context.keep = folder_.path() / "runs";
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

TEST_F(PiecesTest, AllAreThereInOrder) {
    EXPECT_THAT(compute_pieces(context(), some_pieces(4), "tens"), ElementsAre(0, 10, 20, 30));
    EXPECT_EQ(computed(), 4);
    EXPECT_THAT(compute_pieces(context(), {}, "nothing"), ElementsAre());
}

TEST_F(PiecesTest, WhatIsThereIsNotComputedAgain) {
    (void)compute_pieces(context(), some_pieces(3), "tens");
    EXPECT_THAT(compute_pieces(context(), some_pieces(5), "tens"), ElementsAre(0, 10, 20, 30, 40));
    EXPECT_EQ(computed(), 5);
    (void)compute_pieces(context(), {piece(1, "another")}, "tens");
    EXPECT_EQ(computed_[1], 2) << "what it hangs on has changed";
}

TEST_F(PiecesTest, WhatIsDamagedOrForeignIsComputedAgain) {
    (void)compute_pieces(context(), some_pieces(4), "tens");
    write(1, "damaged");
    write(2, R"({"what":{"setting":"usual"},"run":10})"); // another seed's
    EXPECT_THAT(compute_pieces(context(), some_pieces(4), "tens"), ElementsAre(0, 10, 20, 30));
    EXPECT_THAT(first_four(), ElementsAre(1, 2, 2, 1));
}

TEST_F(PiecesTest, WithoutAFolderAllAreComputed) {
    StudyContext nowhere = context();
    nowhere.keep.clear();
    for (int i = 0; i < 2; ++i)
        EXPECT_THAT(compute_pieces(nowhere, some_pieces(2), "tens"), ElementsAre(0, 10));
    EXPECT_EQ(computed(), 4);
}

TEST_F(PiecesTest, WhatWasFinishedBeforeAFailureIsKept) {
    fails_ = 2;
    EXPECT_THROW((void)compute_pieces(context(1), some_pieces(4), "tens"), Error);
    fails_.reset();
    EXPECT_THAT(compute_pieces(context(1), some_pieces(4), "tens"), ElementsAre(0, 10, 20, 30));
    EXPECT_THAT(first_four(), ElementsAre(1, 1, 2, 1));
}

TEST_F(PiecesTest, SaysWhatCannotBeWritten) {
    std::ofstream(folder_.path() / "runs") << "in the way";
    try {
        (void)compute_pieces(context(), some_pieces(4), "tens");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::failed);
        EXPECT_THAT(error.what(), HasSubstr("runs/tens/seed-"));
        EXPECT_THAT(error.what(), HasSubstr("goes on from there"));
    }
}

TEST_F(PiecesTest, TwoInOnePlaceAreAMistake) {
    EXPECT_THROW((void)compute_pieces(context(), {piece(1), piece(1, "another")}, "tens"), std::logic_error);
}

/// A team in one process: its members are threads.
class Members {
  public:
    explicit Members(std::size_t size)
        : size_(size), all_here_(static_cast<std::ptrdiff_t>(size), Again{this}) {}

    class Member : public Team {
      public:
        Member(Members& all, std::size_t rank) : all_(all), rank_(rank) {}
        [[nodiscard]] std::size_t rank() const override { return rank_; }
        [[nodiscard]] std::size_t size() const override { return all_.size_; }
        [[nodiscard]] std::size_t next() override { return all_.next_++; }
        void wait_for_all() override { all_.all_here_.arrive_and_wait(); }
        [[nodiscard]] std::chrono::milliseconds patience() const override { return {}; }

      private:
        Members& all_;
        std::size_t rank_;
    };

    /// What every member gets, with folders of kept pieces by rank.
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

TEST_F(PiecesTest, ATeamComputesEachOnceAndEveryMemberHasAll) {
    constexpr std::size_t count = 60;
    StudyContext alone = context();
    alone.keep.clear();
    const std::vector<Json> expected = compute_pieces(alone, some_pieces(count), "tens");
    (void)compute_pieces(context(), {piece(7), piece(50)}, "some are there before");
    for (std::atomic<int>& one : computed_) one = 0;
    std::atomic<int> as_expected = 0;
    Members(3).run([&](Team& member) {
        StudyContext own = context(1 + member.rank());
        own.team = &member;
        const std::vector<Piece> pieces = some_pieces(count);
        const std::vector<Piece> first(pieces.begin(), pieces.begin() + 20);
        const std::vector<Json> part = compute_pieces(own, first, "the first ones");
        const std::vector<Json> all = compute_pieces(own, pieces, "all");
        if (all == expected && part == std::vector<Json>(expected.begin(), expected.begin() + 20))
            ++as_expected;
    });
    EXPECT_EQ(as_expected, 3);
    for (std::size_t seed = 0; seed < count; ++seed)
        EXPECT_EQ(computed_[seed], seed == 7 || seed == 50 ? 0 : 1) << seed;
}

TEST_F(PiecesTest, AMemberThatDoesNotSeeTheOthersFilesSaysSo) {
    std::atomic<int> complaints = 0;
    Members(2).run([&](Team& member) {
        StudyContext own = context(1);
        own.keep = folder_.path() / std::to_string(member.rank());
        own.team = &member;
        try {
            (void)compute_pieces(own, some_pieces(1), "one");
        } catch (const Error& error) {
            if (std::string(error.what()).find("file system that they share") != std::string::npos)
                ++complaints;
        }
    });
    EXPECT_EQ(complaints, 1) << "of the one that did not compute it";
}

/// How many members of a team of three find that their folder is not the same.
int complaints(const std::function<std::filesystem::path(std::size_t rank)>& folder_of) {
    std::atomic<int> count = 0;
    Members(3).run([&](Team& member) {
        try {
            check_is_shared(member, folder_of(member.rank()));
        } catch (const Error&) {
            ++count;
            member.wait_for_all(); // the others do
        }
    });
    return count;
}

TEST(ATeamsFolder, MustBeTheSameForAll) {
    const testing_support::TempFolder one;
    const testing_support::TempFolder another;
    EXPECT_EQ(complaints([&](std::size_t) { return one.path(); }), 0);
    EXPECT_TRUE(std::filesystem::is_empty(one.path())) << "nothing is left";
    EXPECT_EQ(complaints([&](std::size_t rank) { return rank == 1 ? another.path() : one.path(); }), 1);
}

} // namespace

} // namespace sprig::lab
