// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The other side of program_work.hpp: answers of a program with a peer. No library, and C++17, so that every peer can
/// include it.
#pragma once

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>

namespace karman::perf {

/// Seconds of a clock. The caller first waits for its device.
inline double clock_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The finite number that a word is, int or double. Throws std::runtime_error with `name` for any other text.
template <class Number>
Number number_of(std::string const& name, std::string const& text) {
  Number value{};
  char const* const stop = text.data() + text.size();
  auto const read = std::from_chars(text.data(), stop, value);
  if (read.ec != std::errc() || read.ptr != stop || !std::isfinite(static_cast<double>(value))) {
    throw std::runtime_error(name + " " + text + ": expected a " +
                             (std::is_integral_v<Number> ? "whole number" : "number"));
  }
  return value;
}

/// Waits for a line of input; false at its end.
inline bool another_line() {
  int letter = std::getchar();
  bool const asked = letter != EOF;
  while (letter != EOF && letter != '\n') letter = std::getchar();
  return asked;
}

struct SolverRun {
  double tolerance;                ///< of problem.relative_residual()
  bool sets_up = false;            ///< requests are for a set-up, not for a solve
  double fall = 0.8;               ///< of the solver's own tolerance between attempts
  bool (*asked)() = another_line;  ///< waits for a request; false at the end
};

/// Sets up and solves, then does one of them again on each request. A problem has set_first_guess(),
/// relative_residual() and seconds_now(), the clock after its device; make_solver() returns an object with
/// solve(tolerance) and iterations(). A recursive residual, or one in another norm, may be smaller than the true one.
/// Then the solver's own tolerance falls. Throws std::runtime_error if that never suffices.
template <class Problem, class MakeSolver>
void run_solver(Problem& problem, MakeSolver const& make_solver, SolverRun const& run) {
  problem.set_first_guess();
  double begin = problem.seconds_now();
  auto solver = make_solver();
  double const set_up = problem.seconds_now() - begin;

  double own = run.tolerance, residual = 1;
  for (int attempt = 0; attempt < 20; ++attempt) {
    problem.set_first_guess();
    solver.solve(own);
    residual = problem.relative_residual();
    if (residual <= run.tolerance) break;
    own *= run.fall;
  }
  if (!(residual <= run.tolerance)) throw std::runtime_error("the tolerance was not reached");
  std::printf("ready %.6e %d %.3e\n", set_up, solver.iterations(), residual);
  std::fflush(stdout);

  auto const seconds = [&] {
    problem.set_first_guess();
    begin = problem.seconds_now();
    if (run.sets_up) {
      auto const again = make_solver();
      return problem.seconds_now() - begin;
    }
    solver.solve(own);
    return problem.seconds_now() - begin;
  };
  while (run.asked()) {
    std::printf("%.6e\n", seconds());
    std::fflush(stdout);
  }
}

/// Exit code of a program: 0, or 1 after an exception, whose text one process of it writes.
template <class Body>
int exit_code(std::string const& program, Body const& body, bool writes = true) {
  try {
    body();
    return 0;
  } catch (std::exception const& error) {
    if (writes) std::fprintf(stderr, "%s: %s\n", program.c_str(), error.what());
    return 1;
  }
}

}  // namespace karman::perf
