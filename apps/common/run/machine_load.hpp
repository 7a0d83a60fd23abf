// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Load of the machine by all programs.
#pragma once

#include <string>

namespace karman::app {

/// Load average of the last minute, and the number of cores to compare it with. 0 where the system has none.
double load_average();
int online_cores();

/// One line, without line end, when other programs need more cores than there are; else empty. Its advice depends on
/// the number of `threads` of this run.
std::string load_warning(double load, int cores, int threads);

}  // namespace karman::app
