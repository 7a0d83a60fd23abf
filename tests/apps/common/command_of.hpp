// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Shared checks of whole runs of every application.
#pragma once

#include "run_command.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace karman::test {

/// Runs of one application on `case.json`.
class CommandOf : public ::testing::Test {
 protected:
  CommandOf(std::string application, std::string const& text) : application_(std::move(application)) {
    place_.write("case.json", text);
  }

  Outcome run(std::vector<std::string> more, std::uint64_t file_size_limit = 0) {
    more.insert(more.begin(), {application_, "case.json"});
    return place_.karman(more, file_size_limit);
  }

  /// Starts a run that would take very long, and sends it a signal once it iterates.
  Outcome interrupted(std::vector<std::string> more, int signal_number = SIGINT) {
    more.insert(more.begin(), {application_, "case.json", "--progress", "json"});
    place_.write(".err", "");  // the progress of an earlier run
    pid_t const process = place_.start(more);
    auto const begin = std::chrono::steady_clock::now();
    while (content(place_.path(".err")).find("\"done\"") == std::string::npos &&
           std::chrono::steady_clock::now() - begin < std::chrono::seconds(60)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    ::kill(process, signal_number);
    return place_.wait(process);
  }

  /// Expects that each is refused with exit code 2, in one line, and leaves no files.
  void refuses_words(std::vector<std::vector<std::string>> const& all) {
    for (std::vector<std::string> const& words : all) {
      Outcome const outcome = run(words);
      EXPECT_EQ(outcome.exit_code, 2) << words.front() << outcome.err;
      EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
      EXPECT_FALSE(std::filesystem::exists(place_.path("results")));
    }
  }

  /// Expects a run that stops before it converges: exit code 3, one line on stderr.
  Outcome not_converged(std::vector<std::string> const& words) {
    Outcome const outcome = run(words);
    EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
    EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
    EXPECT_NE(outcome.err.find("NOT CONVERGED"), std::string::npos) << outcome.err;
    return outcome;
  }

  /// Runs the command that a message names after "continue with ", as a shell would read it.
  Outcome continued(Outcome const& before) {
    std::string const start = "continue with karman ";
    std::size_t const at = before.err.find(start);
    if (at == std::string::npos) {
      ADD_FAILURE() << before.err;
      return {};
    }
    std::vector<std::string> words{""};
    bool quoted = false, escaped = false;
    for (char const c : before.err.substr(at + start.size(), before.err.find('\n', at) - at - start.size())) {
      if (!quoted && !escaped && c == '\\') {
        escaped = true;
        continue;
      }
      if (c == '\'' && !escaped) quoted = !quoted;
      else if (c == ' ' && !quoted) words.emplace_back();
      else words.back() += c;
      escaped = false;
    }
    return place_.karman(words);
  }

  /// End of the name of a temporary file that a killed process of this machine left.
  static std::string left_by_a_killed_process() {
    pid_t const process = ::fork();
    if (process == 0) ::_exit(0);
    ::waitpid(process, nullptr, 0);
    char host[256] = {};
    EXPECT_EQ(::gethostname(host, sizeof host - 1), 0);
    return '.' + std::string(host) + '-' + std::to_string(process) + "-0.partial";
  }

  /// Expects that no other run writes into the folder of a run. A later run takes over the folder of a killed one.
  /// `words`: arguments of a run that would take very long, with "--output", "out". `by_signal`: starts the last run,
  /// too, and ends it by a signal, for which it must report progress.
  void keeps_its_folder(std::vector<std::string> words, bool by_signal = true) {
    auto const lock = place_.path("out/.karman.lock");
    words.push_back("--overwrite");
    std::vector<std::string> silent{application_, "case.json", "--progress", "off"};
    silent.insert(silent.end(), words.begin(), words.end());
    pid_t const first = place_.start(silent);
    auto const begin = std::chrono::steady_clock::now();
    while (content(lock).empty() && std::chrono::steady_clock::now() - begin < std::chrono::seconds(60))
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    Outcome const second = place_.karman(silent);
    EXPECT_EQ(second.exit_code, 4) << second.err;
    EXPECT_EQ(line_count(second.err), 1) << second.err;
    std::string const message = "out is in use by process " + std::to_string(first) + " on ";
    EXPECT_TRUE(second.err.starts_with(message)) << second.err;
    silent.emplace_back("--dry-run");
    EXPECT_EQ(place_.karman(silent).exit_code, 0) << "a dry run writes nothing";
    ::kill(first, SIGKILL);
    place_.wait(first);
    EXPECT_TRUE(std::filesystem::exists(lock));
    if (!by_signal) return;
    EXPECT_EQ(interrupted(words).exit_code, 130);
    EXPECT_FALSE(std::filesystem::exists(lock)) << "left after the run";
  }

  /// A run overwrites files of another run only on request. A disk that fills up (`file_size_limit`, bytes) leaves them
  /// intact. `change`: arguments that give another result.
  void overwrites_nothing(std::string const& file, std::uint64_t file_size_limit,
                          std::vector<std::string> const& change) {
    auto const changed = [&](std::vector<std::string> words, std::uint64_t limit = 0) {
      words.insert(words.end(), change.begin(), change.end());
      return run(words, limit);
    };
    auto const path = place_.path("out/" + file);
    ASSERT_EQ(run({"--output", "out"}).exit_code, 0);
    std::string const before = content(path);
    for (Outcome const& refused :
         {changed({"--output", "out"}), changed({"--output", "out", "--overwrite"}, file_size_limit)}) {
      EXPECT_EQ(refused.exit_code, 4);
      EXPECT_EQ(line_count(refused.err), 1) << refused.err;
      EXPECT_EQ(content(path), before);
    }
    EXPECT_EQ(changed({"--output", "out", "--overwrite"}).exit_code, 0);
    EXPECT_NE(content(path), before);
  }

  /// Invalid output folders are reported before any computation.
  void refuses_folders() {
    place_.write("file", "in the way");
    for (char const* folder : {"file", "file/below", "/proc/karman"}) {
      Outcome const outcome = run({"--output", folder});
      EXPECT_EQ(outcome.exit_code, 4) << folder;
      EXPECT_EQ(line_count(outcome.err), 1) << outcome.err;
      EXPECT_TRUE(outcome.out.empty()) << "nothing was computed";
    }
    EXPECT_EQ(content(place_.path("file")), "in the way");
  }

  std::string application_;
  Workplace place_;
};

}  // namespace karman::test
