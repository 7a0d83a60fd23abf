// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>

namespace karman::test {

/// Runs `action`, which returns an exit code, in a child process. Returns that exit code, or minus the signal that
/// killed the process. An exception is exit code 99. The child ends by std::exit, so that libraries are finalised.
template <class Action>
int in_child(Action action) {
  std::fflush(nullptr);
  pid_t const child = fork();
  if (child == 0) {
    int code = 99;
    try {
      code = action();
    } catch (std::exception const& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
    }
    std::exit(code);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// End of a child process that is killed at a system call.
enum class KilledAt { call, never, unknown };

/// Runs `action` in a child process and kills it after so many system calls. Returns `call`, or `never` for a child
/// that ended before that, or `unknown` where this machine lets no process trace another.
template <class Action>
KilledAt kill_after_system_calls(int calls, Action action) {
  std::fflush(nullptr);
  pid_t const child = fork();
  if (child == 0) {
    if (ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) _exit(0);
    std::raise(SIGSTOP);
    try {
      action();
    } catch (std::exception const& error) {
      std::fprintf(stderr, "child: %s\n", error.what());
      std::abort();
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (!WIFSTOPPED(status)) return KilledAt::unknown;
  // Stopped at the end of the call that raised the signal, then at both ends of every other.
  for (int n = 0; n < 2 * calls + 1; ++n) {
    if (ptrace(PTRACE_SYSCALL, child, nullptr, nullptr) != 0) break;
    waitpid(child, &status, 0);
    if (!WIFSTOPPED(status)) return KilledAt::never;
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return KilledAt::call;
}

/// Limits the files of this process to `bytes`, which simulates a full disk.
inline void limit_file_size(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit const limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
}

}  // namespace karman::test
