#pragma once

#include <cstddef>
#include <functional>

namespace sprig::lab {

/// Told how many of how many are done; may throw to stop.
using Progress = std::function<void(std::size_t done, std::size_t of)>;
/// Called by a piece of work at every small step: counts it, and may throw to stop the work there.
using Tick = std::function<void()>;

/// Does `count` pieces of work in up to `threads` threads, each piece by one of them, handed out in order.
/// The calling thread meanwhile tells `progress` how many of `ticks` expected steps are done; if that throws,
/// all work is stopped at its next step and the exception goes on to the caller. So does the exception of a
/// piece of work; if several failed, that of the first of them.
void in_parallel(std::size_t count, std::size_t threads, std::size_t ticks,
                 const std::function<void(std::size_t piece, const Tick& tick)>& work,
                 const Progress& progress);

} // namespace sprig::lab
