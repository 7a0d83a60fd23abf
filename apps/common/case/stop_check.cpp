// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stop_check.hpp"

#include <karman/io/signals.hpp>

#include <atomic>

namespace karman::app {
namespace {

std::atomic<int> stoppable_works{0};

}  // namespace

StoppableWork::StoppableWork() { stoppable_works.fetch_add(1); }
StoppableWork::~StoppableWork() { stoppable_works.fetch_sub(1); }

void check_stop() {
  if (stop_requested() != 0 && stoppable_works.load() > 0) throw Stopped();
}

}  // namespace karman::app
