// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work_in_all.hpp"

#include <exception>

namespace karman::app {

void work_in_all(Communicator const& communicator, std::function<void()> const& work) {
  if (communicator.size() == 1) return work();
  std::exception_ptr error;
  try {
    work();
  } catch (...) {
    error = std::current_exception();
  }
  bool const good = communicator.agree(!error);
  if (error) std::rethrow_exception(error);
  if (!good) throw FailedElsewhere{};
}

}  // namespace karman::app
