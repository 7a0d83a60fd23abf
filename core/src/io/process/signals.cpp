// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/signals.hpp>

#include <array>
#include <atomic>
#include <csignal>
#include <stdexcept>

namespace karman {
namespace {

// Written by the handler, read by any thread: a lock-free atomic is both.
std::atomic<int> stop_signal{0};
static_assert(std::atomic<int>::is_always_lock_free);

std::atomic<bool> installed{false};

constexpr std::array stopping{SIGINT, SIGTERM, SIGHUP};
std::array<struct sigaction, stopping.size()> previous_stopping;
struct sigaction previous_file_size;

extern "C" void karman_request_stop(int number) {
  stop_signal.store(number);
  // The next signal ends the process by the default action; sigaction() is safe to call here. A closing terminal sends
  // SIGHUP twice, once by the shell and once by the system. The second must not interrupt the clean-up that the first
  // started.
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGHUP, &action, nullptr);
}

}  // namespace

StopSignals::StopSignals() {
  if (installed.exchange(true)) throw std::logic_error("StopSignals: only one object may exist");
  stop_signal.store(0);
  struct sigaction action{};
  action.sa_handler = karman_request_stop;
  action.sa_flags = SA_RESTART;  // an active write continues
  sigemptyset(&action.sa_mask);
  for (int const number : stopping) sigaddset(&action.sa_mask, number);
  for (std::size_t n = 0; n < stopping.size(); ++n) {
    sigaction(stopping[n], nullptr, &previous_stopping[n]);
    bool const outlives_terminal = stopping[n] == SIGHUP && previous_stopping[n].sa_handler == SIG_IGN;  // nohup
    if (!outlives_terminal) sigaction(stopping[n], &action, nullptr);
  }
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &ignore, &previous_file_size);
}

StopSignals::~StopSignals() {
  for (std::size_t n = 0; n < stopping.size(); ++n) sigaction(stopping[n], &previous_stopping[n], nullptr);
  sigaction(SIGXFSZ, &previous_file_size, nullptr);
  installed.store(false);
}

void request_stop(int number) noexcept { stop_signal.store(number); }

int stop_requested() noexcept { return stop_signal.load(std::memory_order_relaxed); }

}  // namespace karman
