// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Algebraic multigrid of other libraries in conjugate gradients, in separate programs (amg_program.hpp).
#pragma once

#include "../amg_source.hpp"
#include "program_work.hpp"

#include <memory>
#include <string>
#include <vector>

namespace karman::perf {

/// A solver of a library.
struct AmgPeer {
  std::string name;  ///< in a row
  std::string library;
  ProgramCommand command;
  std::string variant;
  std::vector<std::string> settings{};
};

/// Solvers whose programs were built, for one device or for `threads` threads of processors.
std::vector<AmgPeer> amg_peers(bool on_device, int threads);

/// A solver on the problem of amg_source.hpp, in double, until |residual| <= tolerance |b|. Times one operation,
/// "setup" or "solve".
std::unique_ptr<Work> amg_program(AmgPeer const& peer, std::string const& operation, AmgGrid const& grid,
                                  double tolerance);

}  // namespace karman::perf
