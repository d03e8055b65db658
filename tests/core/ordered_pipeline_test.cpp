#include "core/ordered_pipeline.h"

#include <atomic>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>

#include <gmock/gmock.h>

namespace sprig {
namespace {

using testing::ElementsAre;

using Numbers = OrderedPipeline<int, int>;

/// Each test runs with one thread, as many as a small machine has, and more. None measures time: a test that
/// would wait for ever shows that a promise is broken. Also run with the thread sanitizer.
class OrderedPipelineTest : public testing::TestWithParam<std::size_t> {
  protected:
    /// The numbers from 0 to `count` - 1, unchanged.
    Numbers numbers(int count) {
        return {.source =
                    [this, count] {
                        const int next = taken;
                        if (next < count) ++taken;
                        return next < count ? std::optional(next) : std::nullopt;
                    },
                .make_transform = [] { return [](int number) { return number; }; },
                .consume =
                    [this](int number) {
                        consumed.push_back(number);
                        return true;
                    },
                .threads = GetParam()};
    }
    [[nodiscard]] static std::vector<int> up_to(int count) {
        std::vector<int> all(static_cast<std::size_t>(count));
        std::iota(all.begin(), all.end(), 0);
        return all;
    }
    /// Runs a pipeline that must fail; returns the message.
    [[nodiscard]] static std::string failure_of(const Numbers& pipeline) {
        try {
            pipeline.run();
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "no failure";
    }
    static void wait_until(const std::atomic<int>& value, int least) {
        for (int now = value; now < least; now = value) value.wait(now);
    }

    std::atomic<int> taken = 0; ///< from the source
    std::vector<int> consumed;
};

INSTANTIATE_TEST_SUITE_P(Threads, OrderedPipelineTest, testing::Values(1, 2, 5),
                         [](const auto& one) { return std::to_string(one.param); });

TEST_P(OrderedPipelineTest, KeepsTheOrder) {
    Numbers pipeline = numbers(1000);
    pipeline.make_transform = [] {
        return [](int number) {
            for (int i = number % 7; i > 0; --i) std::this_thread::yield();
            return 2 * number;
        };
    };
    pipeline.run();
    ASSERT_EQ(consumed.size(), 1000U);
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(consumed[static_cast<std::size_t>(i)], 2 * i);
}

TEST_P(OrderedPipelineTest, NeedsNoItems) {
    numbers(0).run();
    EXPECT_TRUE(consumed.empty());
}

TEST_P(OrderedPipelineTest, DeliversALateResultInItsPlace) {
    if (GetParam() == 1) return;
    std::atomic<int> finished = 0;
    Numbers pipeline = numbers(6);
    pipeline.make_transform = [&] {
        return [&](int number) {
            if (number == 0) wait_until(finished, 3);
            ++finished;
            finished.notify_all();
            return number;
        };
    };
    pipeline.run();
    EXPECT_EQ(consumed, up_to(6));
}

TEST_P(OrderedPipelineTest, ThrowsAnExceptionOfATransformInItsPlace) {
    std::atomic<int> failed_later = 0;
    Numbers pipeline = numbers(100);
    pipeline.make_transform = [&] {
        return [&](int number) {
            if (number == 3 && GetParam() > 1) wait_until(failed_later, 1);
            if (number == 5) {
                failed_later = 1;
                failed_later.notify_all();
            }
            if (number == 3 || number == 5) throw std::runtime_error(std::to_string(number));
            return number;
        };
    };
    EXPECT_EQ(failure_of(pipeline), "3");
    EXPECT_EQ(consumed, up_to(3));
}

TEST_P(OrderedPipelineTest, ThrowsAnExceptionOfTheSourceInItsPlace) {
    Numbers pipeline = numbers(100);
    pipeline.source = [this]() -> std::optional<int> {
        if (taken == 10) throw std::runtime_error("source");
        return taken++;
    };
    EXPECT_EQ(failure_of(pipeline), "source");
    EXPECT_EQ(consumed, up_to(10));
    EXPECT_EQ(taken, 10);
}

TEST_P(OrderedPipelineTest, StopsWhenTheConsumerThrows) {
    Numbers pipeline = numbers(1'000'000);
    pipeline.consume = [this](int number) {
        if (number == 7) throw std::runtime_error("consumer");
        consumed.push_back(number);
        return true;
    };
    EXPECT_EQ(failure_of(pipeline), "consumer");
    EXPECT_EQ(consumed, up_to(7));
    EXPECT_LE(taken, 7 + static_cast<int>(Numbers::max_ahead * GetParam()));
}

TEST_P(OrderedPipelineTest, StopsWhenATransformCannotBeMade) {
    std::size_t made = 0;
    Numbers pipeline = numbers(100);
    pipeline.make_transform = [&]() -> Numbers::Transform {
        if (++made == GetParam()) throw std::runtime_error("transform");
        return [](int number) { return number; };
    };
    EXPECT_EQ(failure_of(pipeline), "transform");
}

TEST_P(OrderedPipelineTest, WorksAheadWithinABound) {
    const int bound = GetParam() == 1 ? 1 : static_cast<int>(Numbers::max_ahead * GetParam());
    std::atomic<int> done = 0;
    std::atomic<int> most = 0; // written by one thread at a time
    Numbers pipeline = numbers(500);
    pipeline.source = [&]() -> std::optional<int> {
        if (taken == 500) return {};
        most = std::max<int>(most, taken + 1 - done);
        const int next = taken++;
        taken.notify_all();
        return next;
    };
    pipeline.consume = [&](int number) {
        if (number == 0) wait_until(taken, bound); // the others are taken meanwhile
        consumed.push_back(number);
        ++done;
        return true;
    };
    pipeline.run();
    EXPECT_EQ(consumed, up_to(500));
    EXPECT_EQ(most, bound);
}

TEST_P(OrderedPipelineTest, DeliversAResultWhileTheSourceWaits) {
    std::atomic<int> done = 0;
    Numbers pipeline = numbers(20);
    pipeline.source = [&]() -> std::optional<int> {
        wait_until(done, taken); // for ever, if the last result is not delivered before
        return taken < 20 ? std::optional(taken++) : std::nullopt;
    };
    pipeline.consume = [&](int number) {
        consumed.push_back(number);
        ++done;
        done.notify_all();
        return true;
    };
    pipeline.run();
    EXPECT_EQ(consumed, up_to(20));
}

TEST_P(OrderedPipelineTest, CancelsASourceThatWaits) {
    if (GetParam() == 1) return; // the source does not wait while a result is consumed
    std::atomic<int> waits = 0;
    std::atomic<int> cancelled = 0;
    Numbers pipeline = numbers(1);
    pipeline.source = [&]() -> std::optional<int> {
        if (taken == 0) return taken++;
        waits = 1;
        waits.notify_all();
        wait_until(cancelled, 1);
        return {};
    };
    pipeline.cancel_source = [&] {
        cancelled = 1;
        cancelled.notify_all();
    };
    pipeline.consume = [&](int) -> bool {
        wait_until(waits, 1);
        throw std::runtime_error("consumer");
    };
    EXPECT_EQ(failure_of(pipeline), "consumer");
}

TEST_P(OrderedPipelineTest, TakesNoItemBeyondTheLimit) {
    Numbers pipeline = numbers(1000);
    pipeline.limit = 10;
    pipeline.run();
    EXPECT_EQ(consumed, up_to(10));
    EXPECT_EQ(taken, 10);
}

TEST_P(OrderedPipelineTest, LimitsOnlyResultsThatCount) {
    Numbers pipeline = numbers(1000);
    pipeline.consume = [this](int number) {
        consumed.push_back(number);
        return number % 2 == 0;
    };
    pipeline.limit = 10;
    pipeline.run();
    EXPECT_EQ(consumed, up_to(19)); // 0, 2, ..., 18 count
    EXPECT_EQ(taken, 19);
    pipeline.limit = 0;
    pipeline.run();
    EXPECT_EQ(taken, 19);
}

TEST_P(OrderedPipelineTest, StartsNoThreadIfOneIsEnough) {
    const std::thread::id here = std::this_thread::get_id();
    std::atomic<int> made = 0;
    std::atomic<int> here_transformed = 0;
    std::set<std::thread::id> consumers;
    Numbers pipeline = numbers(100);
    pipeline.make_transform = [&] {
        ++made;
        return [&](int number) {
            here_transformed += std::this_thread::get_id() == here ? 1 : 0;
            return number;
        };
    };
    pipeline.consume = [&](int) {
        consumers.insert(std::this_thread::get_id());
        return true;
    };
    pipeline.run();
    EXPECT_EQ(made, static_cast<int>(GetParam()));
    EXPECT_EQ(here_transformed, GetParam() == 1 ? 100 : 0);
    EXPECT_THAT(consumers, ElementsAre(here));
}

} // namespace
} // namespace sprig
