// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Runs the built `karman` command as a user would.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace karman::test {

/// Exit code and output of a process.
struct Outcome {
  int exit_code = -1;  ///< 128 + number when a signal ended it
  std::string out;
  std::string err;
};

/// Conditions under which a process is started.
struct Conditions {
  std::string program;                ///< file of another program than `karman`
  std::uint64_t file_size_limit = 0;  ///< bytes, 0 for none
  std::uint64_t memory_limit = 0;     ///< bytes of address space, 0 for none
  std::string out = ".out";           ///< target of stdout; Outcome::out is the content of .out
  std::vector<int> closed;            ///< descriptors
  std::vector<int> ignored_signals;
  /// Environment variables to set, or to remove where there is no value.
  std::vector<std::pair<std::string, std::optional<std::string>>> environment;
};

/// Number of lines, all of which must end with a line feed.
int line_count(std::string const& text);

/// The bytes of a file; empty where there is no such file.
std::string content(std::filesystem::path const& file);

/// The fastest backend of the command on the host: openmp or threads, else serial.
std::string host_backend();

/// A folder of its own for one test, removed at the end.
class Workplace {
 public:
  Workplace();
  ~Workplace();
  Workplace(Workplace const&) = delete;
  Workplace& operator=(Workplace const&) = delete;

  std::filesystem::path path(std::string const& name) const { return folder_ / name; }
  std::filesystem::path write(std::string const& name, std::string const& text) const;

  /// Runs `karman` with these arguments, in this folder. `file_size_limit` in bytes, 0 for none.
  Outcome karman(std::vector<std::string> const& words, std::uint64_t file_size_limit = 0) const;

  Outcome karman(std::vector<std::string> const& words, Conditions const& conditions) const;

  /// The same, started and left running.
  pid_t start(std::vector<std::string> const& words, std::uint64_t file_size_limit = 0) const;
  pid_t start(std::vector<std::string> const& words, Conditions const& conditions) const;
  /// Waits for a started process.
  Outcome wait(pid_t process) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace karman::test
