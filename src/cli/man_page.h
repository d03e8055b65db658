#pragma once

#include <string>

#include "cli/declarations.h"

namespace sprig::cli {

/// The manual page, sprig(1), for man to read: all verbs with their options and examples, and the parts of
/// the program's footer as sections. It has no date, so that the same program always gives the same page.
[[nodiscard]] std::string man_page(const DeclaredVerb& program);

} // namespace sprig::cli
