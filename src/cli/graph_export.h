#pragma once

#include <string>

#include "sprig/store.h"

namespace sprig::cli {

/// A model as one directed graph: its classes, its units and the nodes of their patterns. A unit has an edge
/// to what it conditions and to each of its nodes; nodes have the edges of the pattern, by layer. What
/// networkx, Gephi and yEd read.
[[nodiscard]] std::string graphml_of(const StoredModel& model);

/// The same for Graphviz: units as boxes with their nodes in them, arrows to what they condition.
[[nodiscard]] std::string dot_of(const std::string& name, const StoredModel& model);

} // namespace sprig::cli
