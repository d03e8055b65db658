#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "core/system.h"

namespace sprig {

/// Work on a sequence of items in several threads, with the results and the order of one thread.
template <typename Item, typename Result>
struct OrderedPipeline {
    using Transform = std::function<Result(Item)>;

    /// Returns the next item, or nullopt at the end. Called by one thread at a time. It may wait.
    std::function<std::optional<Item>()> source;
    /// Makes the function that turns an item into a result. Called once for each thread, so that each has its
    /// own working memory.
    std::function<Transform()> make_transform;
    /// Takes the results, in the order of the items, in the calling thread. Returns whether the result counts
    /// towards the limit.
    std::function<bool(Result)> consume;
    /// For a source that waits: makes it return or throw. Called when nothing more is wanted.
    std::function<void()> cancel_source = {};
    /// Number of threads that transform. With one, all work is done in the calling thread.
    std::size_t threads = 1;
    /// Maximum number of results that count. No item is taken that could exceed it.
    std::size_t limit = std::numeric_limits<std::size_t>::max();

    /// Maximum number of items per thread that are taken and not yet consumed.
    static constexpr std::size_t max_ahead = 4;

    /// Works until the source ends or the limit is reached. An exception of the source or of a transform is
    /// thrown at its place in the order and ends the work; one of `consume` does so, too.
    void run() const;

  private:
    class Threads;
};

/// The threads of a pipeline and what they share.
template <typename Item, typename Result>
class OrderedPipeline<Item, Result>::Threads {
  public:
    explicit Threads(const OrderedPipeline& pipeline)
        : pipeline_(pipeline), places_(max_ahead * pipeline.threads) {}
    ~Threads() {
        {
            const std::lock_guard lock(mutex_);
            stopped_ = true;
        }
        has_room_.notify_all();
        if (threads_.size() > 0 && pipeline_.cancel_source) pipeline_.cancel_source();
    }

    /// Starts as many threads as the system allows. Returns whether there is one.
    bool start() {
        bool started = true; // fewer threads give the same results
        while (started && threads_.size() < pipeline_.threads)
            started = threads_.start([this, transform = pipeline_.make_transform()] { work(transform); });
        return threads_.size() > 0;
    }

    void consume_all() {
        while (Place* place = next_finished()) {
            if (place->failure) std::rethrow_exception(place->failure);
            if (!place->result) return; // the source has ended
            const bool counts = pipeline_.consume(std::move(*place->result));
            *place = {};
            const std::lock_guard lock(mutex_);
            ++consumed_;
            counted_ += counts ? 1 : 0;
            has_room_.notify_one();
        }
    }

  private:
    /// A place in the order. Without an item, the end.
    struct Place {
        std::optional<Item> item = {};
        std::optional<Result> result = {};
        std::exception_ptr failure = {};
        bool is_finished = false;
    };
    Place& place(std::size_t number) { return places_[number % places_.size()]; }

    void work(const Transform& transform) {
        while (Place* place = take_next()) {
            try {
                place->result.emplace(transform(std::move(*place->item)));
            } catch (...) {
                place->failure = std::current_exception();
            }
            const std::lock_guard lock(mutex_);
            place->is_finished = true;
            finished_.notify_one();
        }
    }

    /// Takes the next item from the source; nullptr if no more are wanted, or there are none.
    Place* take_next() {
        const std::lock_guard one_at_a_time(source_mutex_);
        if (!wait_for_room()) return nullptr;
        Place& next = place(taken_);
        try {
            next.item = pipeline_.source(); // without `mutex_`, because it may wait
        } catch (...) {
            next.failure = std::current_exception();
        }
        const std::lock_guard lock(mutex_);
        ++taken_;
        ended_ = next.is_finished = !next.item;
        if (!ended_) return &next;
        finished_.notify_one();
        return nullptr;
    }

    bool wait_for_room() {
        std::unique_lock lock(mutex_);
        has_room_.wait(lock, [&] {
            const std::size_t room = std::min(places_.size(), pipeline_.limit - counted_);
            return stopped_ || ended_ || taken_ - consumed_ < room;
        });
        return !stopped_ && !ended_;
    }

    /// Waits for the next place in the order; nullptr if the limit is reached.
    Place* next_finished() {
        std::unique_lock lock(mutex_);
        const auto is_complete = [&] { return consumed_ == taken_ && counted_ == pipeline_.limit; };
        finished_.wait(lock,
                       [&] { return is_complete() || (consumed_ < taken_ && place(consumed_).is_finished); });
        return is_complete() ? nullptr : &place(consumed_);
    }

    const OrderedPipeline& pipeline_;
    std::mutex source_mutex_; ///< held while the source is called; locked before `mutex_`
    std::mutex mutex_;
    std::condition_variable has_room_;
    std::condition_variable finished_;
    std::vector<Place>
        places_;            ///< a ring; allocated once, because a thread cannot report that memory ran out
    std::size_t taken_ = 0; ///< from the source
    std::size_t consumed_ = 0;
    std::size_t counted_ = 0; ///< of the consumed results
    bool ended_ = false;      ///< the source has no more items
    bool stopped_ = false;    ///< no more items are wanted
    os::ThreadGroup threads_; ///< declared last, so that they end before the members that they use
};

template <typename Item, typename Result>
void OrderedPipeline<Item, Result>::run() const {
    if (threads > 1) {
        Threads running(*this);
        if (running.start()) return running.consume_all();
    }
    const Transform transform = make_transform();
    for (std::size_t counted = 0; counted < limit;) {
        std::optional<Item> item = source();
        if (!item) return;
        counted += consume(transform(std::move(*item))) ? 1 : 0;
    }
}

} // namespace sprig
