// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/io/process.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace karman {

void open_standard_descriptors() noexcept {
  for (int const descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest free number is this one, since those below are open. It remains open in a restarted program.
    static_cast<void>(::open("/dev/null", O_RDWR));
  }
}

bool flush_standard_output() noexcept {
  std::cout.flush();
  bool const flushed = std::fflush(stdout) == 0;
  return flushed && std::ferror(stdout) == 0 && std::cout.good();
}

void restart_with(std::vector<EnvironmentVariable> const& variables, char* const* arguments) {
  std::string changed;
  for (auto const& [name, value] : variables) {
    char const* const present = std::getenv(name.c_str());
    if (present != nullptr && value == present) continue;
    changed += (changed.empty() ? "" : ",") + name;
    ::setenv(name.c_str(), value.c_str(), 1);
  }
  if (changed.empty() || std::getenv(restarted_variable) != nullptr) return;
  ::setenv(restarted_variable, changed.c_str(), 1);
  ::execv("/proc/self/exe", arguments);
}

}  // namespace karman
