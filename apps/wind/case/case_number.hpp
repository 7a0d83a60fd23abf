// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers in messages about a case.
#pragma once

#include <string>

namespace karman::wind {

/// The value with up to six digits.
std::string number(double value);

}  // namespace karman::wind
