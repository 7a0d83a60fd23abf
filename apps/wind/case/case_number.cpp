// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case_number.hpp"

#include <cstdio>

namespace karman::wind {

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

}  // namespace karman::wind
