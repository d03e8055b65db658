#pragma once

#include <nanobind/nanobind.h>

namespace sprig::python {

/// Adds the exception classes to the module and translates the library's errors into them: sprig.Error, and
/// its subclass sprig.InvalidError, which is a ValueError too.
void add_errors(nanobind::module_& module);

} // namespace sprig::python
