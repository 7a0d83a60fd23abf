// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "run_command.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace karman::test {
namespace {

/// In the child process: executes the command. Never returns.
[[noreturn]] void become(std::filesystem::path const& folder, std::vector<char*> const& arguments,
                         Conditions const& conditions) {
  int const out = ::open((folder / conditions.out).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int const err = ::open((folder / ".err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (out < 0 || err < 0 || ::dup2(out, STDOUT_FILENO) < 0 || ::dup2(err, STDERR_FILENO) < 0 ||
      ::chdir(folder.c_str()) != 0) {
    ::_exit(99);
  }
  for (auto const& [resource, bytes] :
       {std::pair{RLIMIT_FSIZE, conditions.file_size_limit}, {RLIMIT_AS, conditions.memory_limit}}) {
    rlimit const limit{bytes, bytes};
    if (bytes > 0 && ::setrlimit(resource, &limit) != 0) ::_exit(98);
  }
  for (auto const& [name, value] : conditions.environment) {
    if (value) ::setenv(name.c_str(), value->c_str(), 1);
    else ::unsetenv(name.c_str());
  }
  // A shell ignores SIGINT in its background processes, and children inherit that.
  for (int const number : {SIGINT, SIGTERM, SIGHUP}) static_cast<void>(::signal(number, SIG_DFL));
  for (int const number : conditions.ignored_signals) static_cast<void>(::signal(number, SIG_IGN));
  ::close(out);
  ::close(err);
  for (int const descriptor : conditions.closed) ::close(descriptor);
  ::execv(conditions.program.empty() ? KARMAN_COMMAND : conditions.program.c_str(), arguments.data());
  ::_exit(97);
}

}  // namespace

std::string content(std::filesystem::path const& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

int line_count(std::string const& text) {
  if (!text.empty() && text.back() != '\n') throw std::runtime_error("the last line does not end: " + text);
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

std::string host_backend() {
  static std::string const found = [] {
    Workplace const place;
    std::string const info = place.karman({"info", "--json"}).out;
    for (std::string const name : {"openmp", "threads"}) {
      if (info.find("\"name\": \"" + name + '"') != std::string::npos) return name;
    }
    return std::string("serial");
  }();
  return found;
}

Workplace::Workplace() {
  std::string pattern = (std::filesystem::temp_directory_path() / "karman-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = pattern;
}

Workplace::~Workplace() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::filesystem::path Workplace::write(std::string const& name, std::string const& text) const {
  std::ofstream stream(path(name), std::ios::binary);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("cannot write " + path(name).string());
  return path(name);
}

pid_t Workplace::start(std::vector<std::string> const& words, std::uint64_t file_size_limit) const {
  Conditions conditions;
  conditions.file_size_limit = file_size_limit;
  return start(words, conditions);
}

pid_t Workplace::start(std::vector<std::string> const& words, Conditions const& conditions) const {
  // Python finds the modules of a virtual environment by the name it is started with.
  std::vector<std::string> all{conditions.program.empty() ? "karman" : conditions.program};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (std::string& word : all) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t const process = ::fork();
  if (process < 0) throw std::runtime_error("cannot start a process");
  if (process == 0) become(folder_, arguments, conditions);
  return process;
}

Outcome Workplace::wait(pid_t process) const {
  int status = 0;
  if (::waitpid(process, &status, 0) != process) throw std::runtime_error("lost a process");
  Outcome outcome;
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome.out = content(folder_ / ".out");
  outcome.err = content(folder_ / ".err");
  return outcome;
}

Outcome Workplace::karman(std::vector<std::string> const& words, std::uint64_t file_size_limit) const {
  return wait(start(words, file_size_limit));
}

Outcome Workplace::karman(std::vector<std::string> const& words, Conditions const& conditions) const {
  return wait(start(words, conditions));
}

}  // namespace karman::test
