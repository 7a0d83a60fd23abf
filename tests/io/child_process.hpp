// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

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

/// Limits the files of this process to `bytes`, which simulates a full disk.
inline void limit_file_size(rlim_t bytes) {
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit const limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
}

}  // namespace karman::test
