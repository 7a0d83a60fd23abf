// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds without MPI.
#include "../arguments.hpp"
#include "processes.hpp"

#include <cstdlib>

namespace karman::perf {

Processes::Processes() {
  throw UsageError("--family scaling needs a build with MPI; configure with -DKARMAN_ENABLE_MPI=ON");
}

Processes::~Processes() = default;

Communicator Processes::communicator(std::string const&) const { return {}; }

void abandon(int exit_code) { std::_Exit(exit_code); }

}  // namespace karman::perf
