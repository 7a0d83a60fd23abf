// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cases that ship with the command.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace karman::app {

struct ShippedCase {
  std::string_view application;
  std::string_view name;  ///< of the file, without .json
  std::string_view text;
};

std::span<ShippedCase const> shipped_cases();

/// `karman list`: applications, and cases with their titles.
std::string list_report();

}  // namespace karman::app
