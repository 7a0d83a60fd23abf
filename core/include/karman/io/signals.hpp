// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ctrl-C as a request.
#pragma once

namespace karman {

/// While one of these lives, the first SIGINT, SIGTERM or SIGHUP only sets a flag; the next SIGINT or SIGTERM ends the
/// process as it would have without, a SIGHUP after the first signal is ignored. A SIGHUP that was ignored before, as
/// under nohup, stays ignored. SIGXFSZ is ignored, so that a file size limit is an error of the write like a full disk.
/// The destructor restores what was there before. At most one at a time (std::logic_error).
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(StopSignals const&) = delete;
  StopSignals& operator=(StopSignals const&) = delete;
};

/// The number of the signal that asked to stop, 0 when none did. Cheap; callable from any thread. The exit code of a
/// run that stops for it is 128 + this number.
int stop_requested() noexcept;

}  // namespace karman
