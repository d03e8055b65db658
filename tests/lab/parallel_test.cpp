#include "lab/protocol/parallel.h"

#include <atomic>
#include <chrono>
#include <set>
#include <stdexcept>
#include <thread>

#include <gmock/gmock.h>

namespace sprig::lab {
namespace {

void sleep_briefly() {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST(Parallel, EachTaskIsRunOnce) {
    for (const std::size_t threads : {0U, 1U, 3U, 50U}) {
        std::vector<int> done(20);
        in_parallel(20, threads, 0, [&](std::size_t task, const Tick&) { ++done[task]; }, {});
        EXPECT_THAT(done, testing::Each(1)) << threads << " threads";
    }
    in_parallel(0, 2, 0, [](std::size_t, const Tick&) { FAIL(); }, {});
}

TEST(Parallel, ThreadsWorkAtTheSameTime) {
    // Each task waits for the other: one thread would never finish.
    std::atomic<int> here = 0;
    in_parallel(2, 2, 0,
                [&](std::size_t, const Tick&) {
                    ++here;
                    while (here < 2) sleep_briefly();
                },
                {});
    EXPECT_EQ(here, 2);
}

TEST(Parallel, ProgressIsReportedOnTheCallersThread) {
    std::atomic<bool> was_reported = false;
    std::size_t seen = 0;
    std::set<std::thread::id> reporters;
    in_parallel(
        2, 2, 10,
        [&](std::size_t, const Tick& tick) {
            tick();
            while (!was_reported) sleep_briefly();
        },
        [&](std::size_t done, std::size_t of) {
            seen = done;
            EXPECT_EQ(of, 10U);
            reporters.insert(std::this_thread::get_id());
            if (done == 2) was_reported = true;
        });
    EXPECT_EQ(seen, 2U);
    EXPECT_THAT(reporters, testing::ElementsAre(std::this_thread::get_id()));
}

TEST(Parallel, ProgressCanStopTheWork) {
    const auto endless = [](std::size_t, const Tick& tick) {
        while (true) {
            tick();
            sleep_briefly();
        }
    };
    const auto stop = [](std::size_t, std::size_t) { throw std::runtime_error("enough"); };
    EXPECT_THROW(in_parallel(5, 2, 0, endless, stop), std::runtime_error);
}

TEST(Parallel, AFailureReachesTheCallerAndStopsTheOthers) {
    std::atomic<int> begun = 0;
    const auto work = [&](std::size_t task, const Tick& tick) {
        ++begun;
        if (task == 1) throw std::runtime_error("task 1");
        while (true) {
            tick();
            sleep_briefly();
        }
    };
    try {
        in_parallel(100, 2, 0, work, {});
        ADD_FAILURE() << "the failure is not reported";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "task 1");
    }
    EXPECT_EQ(begun, 2);
}

TEST(Parallel, TheFailureOfTheFirstTaskIsReported) {
    std::atomic<int> here = 0;
    const auto work = [&](std::size_t task, const Tick&) {
        ++here;
        while (here < 2) sleep_briefly();
        if (task == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        throw std::runtime_error(task == 0 ? "task 0" : "task 1");
    };
    try {
        in_parallel(2, 2, 0, work, {});
        ADD_FAILURE() << "the failures are not reported";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "task 0");
    }
}

} // namespace
} // namespace sprig::lab
