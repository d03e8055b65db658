#pragma once

#include <string>

#include "lab/result_files.h"

namespace sprig::cli {

/// The results as a person reads them.
[[nodiscard]] std::string run_report(const lab::Description& what, const lab::Results& results);

} // namespace sprig::cli
