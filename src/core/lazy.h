#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace sprig {

/// A value that is made when it is first needed. Several threads may ask for it at once: one of the values
/// that they make is kept, so that making it must give equal values. Not copied with its owner.
template <typename T>
class Lazy {
  public:
    Lazy() = default;
    ~Lazy() { delete value_.load(std::memory_order_relaxed); }
    Lazy(const Lazy&) = delete;
    Lazy& operator=(const Lazy&) = delete;
    Lazy(Lazy&&) = delete;
    Lazy& operator=(Lazy&&) = delete;

    template <typename Make>
    const T& get(Make&& make) const {
        if (const T* made = value_.load(std::memory_order_acquire)) return *made;
        auto fresh = std::make_unique<T>(std::forward<Make>(make)());
        T* expected = nullptr;
        if (value_.compare_exchange_strong(expected, fresh.get(), std::memory_order_acq_rel))
            return *fresh.release();
        return *expected;
    }

  private:
    mutable std::atomic<T*> value_ = nullptr;
};

} // namespace sprig
