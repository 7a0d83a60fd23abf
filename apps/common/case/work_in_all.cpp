// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "work_in_all.hpp"

#include "stop_check.hpp"
#include <karman/io/signals.hpp>

#include <exception>

namespace karman::app {

void work_in_all(Communicator const& communicator, std::function<void()> const& work) {
  if (communicator.size() == 1) return work();
  std::exception_ptr error;
  int signal = 0;
  try {
    work();
  } catch (Stopped const&) {
    signal = stop_requested();
  } catch (...) {
    error = std::current_exception();
  }
  // One message: greater than every signal where the work failed.
  constexpr int failed = 1 << 16;
  int const worst = communicator.largest(error ? failed : signal);
  if (error) std::rethrow_exception(error);
  if (worst == failed) throw FailedElsewhere{};
  if (worst == 0) return;
  if (stop_requested() == 0) request_stop(worst);
  throw Stopped();
}

bool any_must_stop(Communicator const& communicator) {
  int const mine = stop_requested(), any = communicator.largest(mine);
  if (mine == 0 && any != 0) request_stop(any);
  return any != 0;
}

}  // namespace karman::app
