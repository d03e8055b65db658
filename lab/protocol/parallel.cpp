#include "lab/protocol/parallel.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace sprig::lab {

namespace {

/// Thrown by a tick when another thread asked for a stop: nothing went wrong here.
struct Stopped {};

class Crew {
  public:
    Crew(std::size_t count, const std::function<void(std::size_t, const Tick&)>& work)
        : count_(count), work_(work), failures_(count) {}

    void run(std::size_t threads, std::size_t ticks, const Progress& progress) {
        working_ = std::min(threads, count_);
        std::vector<std::jthread> crew;
        // Whatever happens here, nobody goes on working for a caller who is gone; jthreads join themselves.
        const StopAtEnd stop_at_end{*this};
        for (std::size_t i = working_; i > 0; --i) crew.emplace_back([this] { take_pieces(); });
        wait(ticks, progress);
        crew.clear();
        rethrow_first();
    }

  private:
    struct StopAtEnd {
        Crew& crew;
        explicit StopAtEnd(Crew& c) : crew(c) {}
        StopAtEnd(const StopAtEnd&) = delete;
        StopAtEnd& operator=(const StopAtEnd&) = delete;
        ~StopAtEnd() { crew.stop_ = true; }
    };

    void take_pieces() {
        const Tick tick = [this] {
            if (stop_.load(std::memory_order_relaxed)) throw Stopped{};
            done_.fetch_add(1, std::memory_order_relaxed);
        };
        for (std::size_t piece = next_++; piece < count_ && !stop_; piece = next_++) do_piece(piece, tick);
        const std::lock_guard lock(mutex_);
        --working_;
        finished_.notify_one();
    }

    void do_piece(std::size_t piece, const Tick& tick) {
        try {
            work_(piece, tick);
        } catch (const Stopped&) {
            return;
        } catch (...) {
            failures_[piece] = std::current_exception();
            stop_ = true;
        }
    }

    void wait(std::size_t ticks, const Progress& progress) {
        std::unique_lock lock(mutex_);
        while (!finished_.wait_for(lock, std::chrono::milliseconds(50), [this] { return working_ == 0; })) {
            lock.unlock();
            if (progress) progress(done_.load(std::memory_order_relaxed), ticks);
            lock.lock();
        }
    }

    void rethrow_first() const {
        for (const std::exception_ptr& failure : failures_) {
            if (failure) std::rethrow_exception(failure);
        }
    }

    std::size_t count_;
    const std::function<void(std::size_t, const Tick&)>& work_;
    std::vector<std::exception_ptr>
        failures_; ///< by piece; each written by one thread, read after all joined
    std::atomic<std::size_t> next_ = 0;
    std::atomic<std::size_t> done_ = 0;
    std::atomic<bool> stop_ = false;
    std::mutex mutex_;
    std::condition_variable finished_;
    std::size_t working_ = 0; ///< threads; guarded by the mutex once they run
};

} // namespace

void in_parallel(std::size_t count, std::size_t threads, std::size_t ticks,
                 const std::function<void(std::size_t, const Tick&)>& work, const Progress& progress) {
    Crew(count, work).run(std::max<std::size_t>(threads, 1), ticks, progress);
}

} // namespace sprig::lab
