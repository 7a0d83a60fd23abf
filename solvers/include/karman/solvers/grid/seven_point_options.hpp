// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of seven_point.hpp. Standard library only.
#pragma once

#include <karman/core/communicator.hpp>

namespace karman {

/// Options of a SevenPoint plan.
struct SevenPointSetup {
  /// Processes that hold the parts of the grid, UniformGrid::part() of the whole.
  Communicator communicator = {};
};

}  // namespace karman
