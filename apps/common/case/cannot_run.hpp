// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Error for valid cases that this machine or this build cannot run.
#pragma once

#include <stdexcept>

namespace karman::app {

/// Case beyond this machine or build, detected before the run; what() gives the requirement in one line. The user can
/// change the case, in contrast to memory that runs out or a device that fails during the run.
class CannotRun : public std::runtime_error {
 public:
  static constexpr int exit_code = 2;
  using std::runtime_error::runtime_error;
};

}  // namespace karman::app
