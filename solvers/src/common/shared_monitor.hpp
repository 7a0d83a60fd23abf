// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Monitors of a solve by many processes.
#pragma once

#include <karman/core/communicator.hpp>
#include <karman/solvers/solve_report.hpp>

#include <functional>

namespace karman::detail {

/// A monitor that stops the solve in all processes at the same check, where any of theirs does so.
inline std::function<bool(ResidualSample const&)> shared_monitor(
    std::function<bool(ResidualSample const&)> const& monitor, Communicator const& communicator) {
  return
      [monitor, communicator](ResidualSample const& sample) { return communicator.agree(!monitor || monitor(sample)); };
}

}  // namespace karman::detail
