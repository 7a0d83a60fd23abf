// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "child_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <thread>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace karman::perf {

namespace {

/// Processors of this program: of all places to which OpenMP binds, or of this thread where it binds to
/// none.
cpu_set_t processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(0, sizeof set, &set);
#if defined(_OPENMP)
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> ids(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, ids.data());
    for (int const id : ids) {
      if (id >= 0 && id < CPU_SETSIZE) CPU_SET(static_cast<std::size_t>(id), &set);
    }
  }
#endif
  return set;
}

[[noreturn]] void become(std::vector<std::string> const& command, std::vector<std::string> const& without,
                         cpu_set_t const& set, int input, int output) {
  ::setpgid(0, 0);  // so that stop() reaches the programs that it starts
  for (std::string const& variable : without) ::unsetenv(variable.c_str());
  ::sched_setaffinity(0, sizeof set, &set);
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  std::vector<char*> arguments;
  for (std::string const& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

}  // namespace

ChildProgram::ChildProgram(std::vector<std::string> const& command, std::vector<std::string> const& without)
    : name_(command.front()) {
  std::array<int, 2> to{}, from{};
  if (::pipe2(to.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe to " + name_);
  if (::pipe2(from.data(), O_CLOEXEC) != 0) {
    ::close(to[0]);
    ::close(to[1]);
    throw std::runtime_error("no pipe from " + name_);
  }
  cpu_set_t const set = processors();
  process_ = ::fork();
  if (process_ == 0) become(command, without, set, to[0], from[1]);
  ::close(to[0]);
  ::close(from[1]);
  input_ = to[1];
  output_ = from[0];
  // Ignores SIGPIPE: the end of the program is detected when its answer is read, and writing to it must not end ours.
  std::signal(SIGPIPE, SIG_IGN);
  if (process_ < 0) throw std::runtime_error(name_ + " could not be started");
}

ChildProgram::~ChildProgram() {
  ::close(input_);
  ::close(output_);
  if (process_ > 0) {
    int status = 0;
    while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
  }
}

void ChildProgram::ask() {
  char const line = '\n';
  while (::write(input_, &line, 1) < 0 && errno == EINTR) {
  }
}

void ChildProgram::stop() {
  ::kill(-process_, SIGTERM);
  for (int tenth = 0; tenth < 20; ++tenth) {
    if (::waitpid(process_, nullptr, WNOHANG) != 0) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  ::kill(-process_, SIGKILL);
}

std::string ChildProgram::answer(int seconds) {
  for (;;) {
    std::size_t const end = pending_.find('\n');
    if (end != std::string::npos) {
      std::string line = pending_.substr(0, end);
      pending_.erase(0, end + 1);
      return line;
    }
    pollfd ready{output_, POLLIN, 0};
    int const events = ::poll(&ready, 1, 1000 * seconds);
    if (events < 0 && errno == EINTR) continue;
    if (events == 0) {
      stop();
      throw std::runtime_error(name_ + " gave no answer for " + std::to_string(seconds) + " s and was ended");
    }
    std::array<char, 256> block{};
    ssize_t const count = ::read(output_, block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw std::runtime_error(name_ + " ended without an answer");
    pending_.append(block.data(), static_cast<std::size_t>(count));
  }
}

std::string own_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

std::string own_folder() { return std::filesystem::path(own_program()).parent_path(); }

}  // namespace karman::perf
