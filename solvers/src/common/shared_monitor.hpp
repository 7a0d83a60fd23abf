// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Monitors of a solve by many processes.
#pragma once

#include <karman/core/communicator.hpp>
#include <karman/solvers/solve_report.hpp>

#include <functional>

namespace karman::detail {

/// A monitor that stops the solve in all processes at the first check at which one of them returns false. Empty where
/// no process has one: checks then need no message. Collective.
inline std::function<bool(ResidualSample const&)> shared_monitor(
    std::function<bool(ResidualSample const&)> const& monitor, Communicator const& communicator) {
  if (communicator.agree(!monitor)) return {};
  return
      [monitor, communicator](ResidualSample const& sample) { return communicator.agree(!monitor || monitor(sample)); };
}

}  // namespace karman::detail
