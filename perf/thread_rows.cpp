// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rows on another number of threads: a second karman-perf measures them and answers in lines.
#include "arguments.hpp"
#include "measurement.hpp"
#include "peers/child_program.hpp"
#include "row.hpp"

#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace karman::perf {

namespace {

// First words of the lines, since an initialisation of Kokkos may write lines of its own.
constexpr char const* check_words = "karman-perf check: ";
constexpr char const* seconds_words = "karman-perf seconds: ";

class ServedWork final : public Work {
 public:
  ServedWork(std::string row, int threads) : row_(std::move(row)), threads_(threads) {}

  std::string check(bool spoil) override {
    std::vector<std::string> command{own_program(), "--serve", row_, "--threads", std::to_string(threads_)};
    if (spoil) command.emplace_back("--spoil-answers");
    program_.emplace(command);
    std::string const outcome = next(check_words), wrong = "wrong answer: ";
    if (outcome.empty()) return {};
    if (!outcome.starts_with(wrong)) throw std::runtime_error(outcome);
    return outcome.substr(wrong.size());
  }

  double time(int calls) override {
    double total = 0;
    for (int call = 0; call < calls; ++call) {
      program_->ask();
      total += std::stod(next(seconds_words));
    }
    return total;
  }

 private:
  /// The rest of the next line that begins with these words.
  std::string next(std::string const& words) {
    for (;;) {
      std::string const line = program_->answer();
      if (line.starts_with(words)) return line.substr(words.size());
    }
  }

  std::string row_;
  int threads_;
  std::optional<ChildProgram> program_;
};

Row find_row(std::string const& name) {
  for (bool const quick : {false, true}) {
    for (Row const& row : all_rows(Selection{quick})) {
      if (row.name() == name) return row;
    }
  }
  throw UsageError("--serve " + name + ": no such row; see --list");
}

}  // namespace

Row on_threads(Row const& row, std::string const& family, int threads) {
  Row result = row;
  result.family = family;
  result.algorithm += '_' + std::to_string(threads);
  result.back_to_back = false;  // the other program chooses its batch
  result.prepare = [name = row.name(), threads] { return std::make_unique<ServedWork>(name, threads); };
  return result;
}

int serve(std::string const& row, bool spoil) {
  Prepared const prepared = prepare(find_row(row), spoil);
  std::printf("%s%s\n", check_words, prepared.failure.c_str());
  std::fflush(stdout);
  if (!prepared.failure.empty()) return 1;
  for (std::string line; std::getline(std::cin, line);) {
    std::printf("%s%.9e\n", seconds_words, prepared.work->time(prepared.batch) / prepared.batch);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace karman::perf
