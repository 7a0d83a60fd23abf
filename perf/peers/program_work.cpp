// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_work.hpp"

#include "child_program.hpp"
#include "program_answers.hpp"

#include <cstdio>
#include <filesystem>

namespace karman::perf {

namespace {

class ProgramWork final : public Work {
 public:
  ProgramWork(std::string const& peer, ProgramCommand const& command, double tolerance)
      : peer_(peer), tolerance_(tolerance), program_(command.words, command.without) {}

  std::string check(bool spoil) override {
    std::string const line = program_.answer();
    double set_up = 0, residual = 0;
    if (std::sscanf(line.c_str(), "ready %lf %d %lf", &set_up, &iterations_, &residual) != 3) {
      return "unexpected answer of " + peer_ + ": '" + line + "'";
    }
    if (spoil) residual += 1;
    if (residual <= tolerance_) return {};
    return "the relative residual is " + std::to_string(residual);
  }

  double time(int calls) override {
    double total = 0;
    for (int call = 0; call < calls; ++call) {
      program_.ask();
      total += number_of<double>("answer of " + peer_, program_.answer());
    }
    return total;
  }

  Figures figures() const override { return {{"solver_iterations", iterations_}}; }

 private:
  std::string peer_;
  double tolerance_;
  ChildProgram program_;
  int iterations_ = 0;
};

}  // namespace

std::unique_ptr<Work> program_work(std::string const& peer, ProgramCommand const& command, double tolerance) {
  return std::make_unique<ProgramWork>(peer, command, tolerance);
}

bool has_program(std::string const& name) { return std::filesystem::exists(own_folder() + '/' + name); }

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3e", value);
  return text;
}

}  // namespace karman::perf
