// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Long evaluations that a signal ends.
#pragma once

namespace karman::app {

/// Thrown instead of the rest of an evaluation. It is not an error: no handler of std::exception catches it.
struct Stopped {};

/// Work without results that would be lost: while an object lives, a signal ends evaluations by Stopped. Objects may
/// nest.
class StoppableWork {
 public:
  StoppableWork();
  ~StoppableWork();
  StoppableWork(StoppableWork const&) = delete;
  StoppableWork& operator=(StoppableWork const&) = delete;
};

/// Throws Stopped if a signal has asked to stop and a StoppableWork lives. Every formula calls it at every point; other
/// loops over many cells call it once per row. Costs about a nanosecond, and is callable from any thread.
void check_stop();

}  // namespace karman::app
