#pragma once

#include "match/brute_force.h"
#include "match/partial_search.h"

namespace sprig::test {

/// Checks a partial match: its nodes have the right types, are distinct and not taken, and its coverage
/// agrees with a count on the networks.
void expect_valid(const Problem& problem, const std::vector<NodeId>& placed,
                  const match::PartialMatch& match);

} // namespace sprig::test
