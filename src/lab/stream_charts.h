#pragma once

#include <functional>
#include <string>
#include <vector>

#include "lab/chart.h"
#include "lab/results.h"

namespace sprig::lab {

/// Lines along a stream: x is the cycle, with the blocks between. Means over seeds, with their spread.

/// The accuracy at the end of each cycle; where nothing was asked there is a gap.
[[nodiscard]] Line accuracy_by_cycle(std::string name, const Results& results);
/// How many units of some kind there are after each block.
[[nodiscard]] Line units_by_block(std::string name, const Results& results,
                                  const std::function<std::size_t(const Census& units)>& count);
/// The accuracy of one class after each block, without its spread.
[[nodiscard]] Line class_by_block(std::string name, const Results& results, std::size_t label);

/// A chart along the cycles of a stream.
[[nodiscard]] Chart along_the_stream(std::string title, std::string y_title, std::vector<Line> lines,
                                     std::size_t cycles);
/// One line for each class, their mean in black, and every other cycle in grey: what forgets goes down when
/// others are taught.
[[nodiscard]] Chart retention_chart(std::string title, const Results& results,
                                    const std::vector<std::string>& classes);

/// How the number of units grew: of a learner that has negative ones, by polarity; of others, all of them and
/// the singletons.
[[nodiscard]] Chart growth_chart(std::string title, const Results& results);

} // namespace sprig::lab
