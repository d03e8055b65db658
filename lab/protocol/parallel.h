#pragma once

#include <cstddef>
#include <functional>

namespace sprig::lab {

/// Called with the number of finished steps and their total; may throw to stop the work.
using Progress = std::function<void(std::size_t done, std::size_t of)>;
/// Called by a task at every small step; counts it, and may throw to stop the task.
using Tick = std::function<void()>;

/// Runs `count` tasks in at most `threads` threads, in order. Meanwhile the calling thread reports the number
/// of finished steps, of `ticks` expected, to `progress`. An exception of `progress` or of a task stops all
/// tasks at their next step and is passed on to the caller; if several tasks failed, that of the first of
/// them.
void in_parallel(std::size_t count, std::size_t threads, std::size_t ticks,
                 const std::function<void(std::size_t task, const Tick& tick)>& work,
                 const Progress& progress);

} // namespace sprig::lab
