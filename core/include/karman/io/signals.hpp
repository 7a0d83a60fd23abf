// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Signals as requests to stop.
#pragma once

namespace karman {

/// Turns the first SIGINT, SIGTERM or SIGHUP into a flag, for the life of the object. At most one object at a time. The
/// next SIGINT or SIGTERM has its former effect; a SIGHUP after the first signal is ignored. A SIGHUP ignored before,
/// as under nohup, stays ignored. SIGXFSZ is ignored: a file size limit is then an error of the write, like a full
/// disk. The destructor restores the former handlers.
/// \throws std::logic_error for a second object
class StopSignals {
 public:
  /// Installs the handlers.
  StopSignals();
  ~StopSignals();
  StopSignals(StopSignals const&) = delete;
  StopSignals& operator=(StopSignals const&) = delete;
};

/// Number of the signal that asked to stop, 0 without one. The exit code of such a run is 128 + this number.
/// \par Synchrony
/// Callable from any thread, at little cost.
int stop_requested() noexcept;

/// Asks to stop as a signal would, for a signal that another process of the same run has received. The next signal of
/// this process still counts as its first.
/// \param number of the signal
/// \par Synchrony
/// Callable from any thread, at little cost.
void request_stop(int number) noexcept;

}  // namespace karman
