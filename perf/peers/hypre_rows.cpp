// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hypre_rows.hpp"

#include "child_program.hpp"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace karman::perf {

namespace {

#if defined(KARMAN_PERF_MPIEXEC)

/// The command that starts a program of ours with its arguments.
std::vector<std::string> command(char const* program, int processes, std::vector<std::string> const& arguments) {
  // In a container the benchmark may run as root, which Open MPI otherwise refuses. Open MPI also counts a hyper-thread
  // as no slot of its own.
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
  ::setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
  std::vector<std::string> words{KARMAN_PERF_MPIEXEC, KARMAN_PERF_MPIEXEC_PROCESSES, std::to_string(processes),
                                 own_folder() + '/' + program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

std::string digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3e", value);
  return text;
}

class HypreWork final : public Work {
 public:
  HypreWork(std::vector<std::string> const& command, double tolerance) : tolerance_(tolerance), program_(command) {}

  std::string check(bool spoil) override {
    std::string const line = program_.answer();
    double set_up = 0, residual = 0;
    if (std::sscanf(line.c_str(), "ready %lf %d %lf", &set_up, &iterations_, &residual) != 3) {
      return "unexpected answer of hypre: '" + line + "'";
    }
    if (spoil) residual += 1;
    if (residual <= tolerance_) return {};
    return "the relative residual is " + std::to_string(residual);
  }

  double time(int calls) override {
    double total = 0;
    for (int call = 0; call < calls; ++call) {
      program_.ask();
      total += std::stod(program_.answer());
    }
    return total;
  }

  Figures figures() const override { return {{"solver_iterations", iterations_}}; }

 private:
  double tolerance_;
  ChildProgram program_;
  int iterations_ = 0;
};

#endif

}  // namespace

#if defined(KARMAN_PERF_MPIEXEC)
std::unique_ptr<Work> hypre_poisson(std::string const& solver, std::array<int, 3> const& cells, double tolerance,
                                    int processes) {
  std::vector<std::string> arguments{solver};
  for (int n : cells) arguments.push_back(std::to_string(n));
  arguments.push_back(digits(tolerance));
  return std::make_unique<HypreWork>(command("karman-perf-hypre", processes, arguments), tolerance);
}
std::unique_ptr<Work> hypre_amg(std::string const& operation, AmgGrid const& grid, int aggressive, double tolerance,
                                int processes) {
  return std::make_unique<HypreWork>(command("karman-perf-hypre-amg", processes,
                                             {operation, std::to_string(grid.cells), grid.shuffled ? "1" : "0",
                                              digits(grid.height), std::to_string(aggressive), digits(tolerance)}),
                                     tolerance);
}
bool has_hypre() { return true; }
#else
std::unique_ptr<Work> hypre_poisson(std::string const&, std::array<int, 3> const&, double, int) {
  throw std::runtime_error("this build has no hypre");
}
std::unique_ptr<Work> hypre_amg(std::string const&, AmgGrid const&, int, double, int) {
  throw std::runtime_error("this build has no hypre");
}
bool has_hypre() { return false; }
#endif

}  // namespace karman::perf
