// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checks of the processes that hold the parts of an operator.
#pragma once

#include <karman/core/error.hpp>

#include <string>

namespace karman::detail {

/// "1 process" or "4 processes".
inline std::string process_count(int size) { return std::to_string(size) + (size == 1 ? " process" : " processes"); }

/// Throws std::invalid_argument where many processes hold the parts of an operator. `instead` is a method for them.
template <class Operator>
void require_one_process(Operator const& a, char const* solver, char const* instead) {
  int const size = a.communicator().size();
  require(size == 1, std::string(solver) + ": needs an operator on 1 process, found one on " + process_count(size) +
                         "; take " + instead);
}

}  // namespace karman::detail
