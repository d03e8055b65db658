#pragma once

#include "match/brute_force.h"
#include "match/partial_search.h"

namespace sprig::test {

/// Expects that a partial match is one: nodes of the right types, each once, none of those that are taken;
/// and that it covers exactly as much as it says, counted again on the networks alone.
void expect_valid(const Problem& problem, const std::vector<NodeId>& placed,
                  const match::PartialMatch& match);

} // namespace sprig::test
