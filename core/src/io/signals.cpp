// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/signals.hpp>

#include <atomic>
#include <csignal>
#include <stdexcept>

namespace karman {
namespace {

// Written by the handler, read by any thread: a lock-free atomic is both.
std::atomic<int> stop_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);

std::atomic<bool> installed{false};
struct sigaction previous_interrupt;
struct sigaction previous_terminate;
struct sigaction previous_file_size;

extern "C" void karman_request_stop(int number) {
  stop_signal.store(number);
  // The next one ends the process by the default action; sigaction() is safe to call here.
  struct sigaction by_default {};
  by_default.sa_handler = SIG_DFL;
  sigaction(SIGINT, &by_default, nullptr);
  sigaction(SIGTERM, &by_default, nullptr);
}

}  // namespace

StopSignals::StopSignals() {
  if (installed.exchange(true)) throw std::logic_error("stop signals are caught already");
  stop_signal.store(0);
  struct sigaction action {};
  action.sa_handler = karman_request_stop;
  action.sa_flags = SA_RESTART;  // a write that is under way goes on
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGINT);
  sigaddset(&action.sa_mask, SIGTERM);
  sigaction(SIGINT, &action, &previous_interrupt);
  sigaction(SIGTERM, &action, &previous_terminate);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &ignore, &previous_file_size);
}

StopSignals::~StopSignals() {
  sigaction(SIGINT, &previous_interrupt, nullptr);
  sigaction(SIGTERM, &previous_terminate, nullptr);
  sigaction(SIGXFSZ, &previous_file_size, nullptr);
  installed.store(false);
}

int stop_requested() noexcept { return stop_signal.load(std::memory_order_relaxed); }

}  // namespace karman
