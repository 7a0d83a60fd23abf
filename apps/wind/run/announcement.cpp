// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "announcement.hpp"

#include <cstdio>
#include <string>

namespace karman::wind {

WindEstimate announce(app::RunContext const& context, WindCase const& wind_case) {
  std::printf("%s\n", wind_case.wind_text.c_str());
  for (std::string const& warning : wind_case.warnings) context.report().warn(warning);
  return estimate(wind_case, context.backend().backend, context.copy_rate());
}

}  // namespace karman::wind
