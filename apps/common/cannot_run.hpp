// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cases that are right but not for this machine or this build.
#pragma once

#include <stdexcept>

namespace karman::app {

/// Case beyond this machine or build, found before the run: what() is one line with the requirement.
/// Unlike memory that runs out or a device that fails during the run, this is the case's to change.
class CannotRun : public std::runtime_error {
 public:
  static constexpr int exit_code = 2;
  using std::runtime_error::runtime_error;
};

}  // namespace karman::app
