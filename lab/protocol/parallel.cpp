#include "lab/protocol/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <vector>

namespace sprig::lab {

namespace {

/// Thrown by a tick to end a task after another one has failed.
struct Stopped {};

struct StopAtEnd {
    std::atomic<bool>& stop;
    explicit StopAtEnd(std::atomic<bool>& flag) : stop(flag) {}
    StopAtEnd(const StopAtEnd&) = delete;
    StopAtEnd& operator=(const StopAtEnd&) = delete;
    ~StopAtEnd() { stop = true; }
};

} // namespace

void in_parallel(std::size_t count, std::size_t threads, std::size_t ticks,
                 const std::function<void(std::size_t, const Tick&)>& work, const Progress& progress) {
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> done = 0;
    std::atomic<bool> stop = false;
    std::vector<std::exception_ptr> failures(count); // each written by one thread, read after all have ended
    const Tick tick = [&] {
        if (stop.load(std::memory_order_relaxed)) throw Stopped{};
        done.fetch_add(1, std::memory_order_relaxed);
    };
    const auto run_tasks = [&] {
        for (std::size_t task = next++; task < count && !stop; task = next++) {
            try {
                work(task, tick);
            } catch (const Stopped&) {
                return;
            } catch (...) {
                failures[task] = std::current_exception();
                stop = true;
            }
        }
    };
    std::vector<std::future<void>> workers; // their destructors wait for the threads
    const StopAtEnd stop_at_end(stop);
    for (std::size_t i = std::min(std::max<std::size_t>(threads, 1), count); i > 0; --i)
        workers.push_back(std::async(std::launch::async, run_tasks));
    for (const std::future<void>& worker : workers)
        while (worker.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready)
            if (progress) progress(done.load(std::memory_order_relaxed), ticks);
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

} // namespace sprig::lab
