#pragma once

#include <nanobind/nanobind.h>

namespace sprig::python {

/// Adds the classes of results to the module: answers, explanations, networks and units.
void add_values(nanobind::module_& module);

} // namespace sprig::python
