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

std::vector<std::string> command(std::string const& solver, std::array<int, 3> const& cells, double tolerance,
                                 int processes) {
  // In a container the benchmark may run as root, which Open MPI otherwise refuses. Open MPI also counts a hyper-thread
  // as no slot of its own.
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
  ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
  ::setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.3e", tolerance);
  std::vector<std::string> words{KARMAN_PERF_MPIEXEC, KARMAN_PERF_MPIEXEC_PROCESSES, std::to_string(processes),
                                 own_folder() + "/karman-perf-hypre", solver};
  for (int n : cells) words.push_back(std::to_string(n));
  words.emplace_back(digits);
  return words;
}

class HyprePoisson final : public Work {
 public:
  HyprePoisson(std::string const& solver, std::array<int, 3> const& cells, double tolerance, int processes)
      : tolerance_(tolerance), program_(command(solver, cells, tolerance, processes)) {}

  std::string check(bool spoil) override {
    std::string const line = program_.answer();
    double set_up = 0, residual = 0;
    int iterations = 0;
    if (std::sscanf(line.c_str(), "ready %lf %d %lf", &set_up, &iterations, &residual) != 3) {
      return "unexpected answer of hypre: '" + line + "'";
    }
    if (spoil) residual += 1;
    if (residual <= tolerance_) return {};
    return "the residual is " + std::to_string(residual) + " of max |f|";
  }

  double time(int calls) override {
    double total = 0;
    for (int call = 0; call < calls; ++call) {
      program_.ask();
      total += std::stod(program_.answer());
    }
    return total;
  }

 private:
  double tolerance_;
  ChildProgram program_;
};

#endif

}  // namespace

#if defined(KARMAN_PERF_MPIEXEC)
std::unique_ptr<Work> hypre_poisson(std::string const& solver, std::array<int, 3> const& cells, double tolerance,
                                    int processes) {
  return std::make_unique<HyprePoisson>(solver, cells, tolerance, processes);
}
bool has_hypre() { return true; }
#else
std::unique_ptr<Work> hypre_poisson(std::string const&, std::array<int, 3> const&, double, int) {
  throw std::runtime_error("this build has no hypre");
}
bool has_hypre() { return false; }
#endif

}  // namespace karman::perf
