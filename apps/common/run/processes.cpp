// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "processes.hpp"

#include <cstdio>
#include <cstdlib>

namespace karman::app {

void Processes::abort(int exit_code) {
  std::fflush(stdout);
  std::_Exit(exit_code);
}

}  // namespace karman::app
