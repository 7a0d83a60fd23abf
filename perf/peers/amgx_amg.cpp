// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AmgX of NVIDIA on the problem of amg_source.hpp, on one device, in a separate program: without Kokkos and MPI.
//
//   karman-perf-amgx setup|solve CELLS SHUFFLED HEIGHT classical|aggregation TOLERANCE [FILE]
//
// FILE: another configuration of AmgX (JSON), to compare settings. Its outer solver has the scope "main", monitors the
// residual and converges by RELATIVE_INI in the norm L2. Answers: amg_program.hpp.
#include "amg_matrix.hpp"
#include "amg_program.hpp"
#include "cuda_check.hpp"

#include <amgx_c.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace karman::perf;

/// Conjugate gradients and classical multigrid: PMIS coarsening, distance-two interpolation of at most four entries,
/// one sweep of l1-Jacobi each way.
constexpr char const* classical = R"({"config_version": 2, "solver": {
  "scope": "main", "solver": "PCG", "monitor_residual": 1, "convergence": "RELATIVE_INI", "norm": "L2",
  "preconditioner": {
    "scope": "amg", "solver": "AMG", "algorithm": "CLASSICAL", "selector": "PMIS", "aggressive_levels": 0,
    "interpolator": "D2", "interp_max_elements": 4, "strength_threshold": 0.25, "max_row_sum": 0.9,
    "smoother": {"scope": "jacobi", "solver": "JACOBI_L1", "relaxation_factor": 1}, "presweeps": 1, "postsweeps": 1,
    "coarse_solver": "NOSOLVER", "coarsest_sweeps": 1, "min_coarse_rows": 2,
    "cycle": "V", "max_iters": 1, "max_levels": 50}}})";

/// The same with aggregates of two rows and damped sweeps of Jacobi.
constexpr char const* aggregation = R"({"config_version": 2, "solver": {
  "scope": "main", "solver": "PCG", "monitor_residual": 1, "convergence": "RELATIVE_INI", "norm": "L2",
  "preconditioner": {
    "scope": "amg", "solver": "AMG", "algorithm": "AGGREGATION", "selector": "SIZE_2",
    "smoother": {"scope": "jacobi", "solver": "BLOCK_JACOBI", "relaxation_factor": 0.8}, "presweeps": 1, "postsweeps": 1,
    "coarse_solver": "NOSOLVER", "cycle": "V", "max_iters": 1, "max_levels": 50}}})";

void require_success(AMGX_RC code, char const* action) {
  if (code == AMGX_RC_OK) return;
  char text[256] = "";
  AMGX_get_error_string(code, text, int(sizeof text));
  throw std::runtime_error(std::string("AmgX failed in ") + action + ": " + text);
}

/// A handle with its end.
template <class Handle, AMGX_RC (*destroy)(Handle)>
struct Owned {
  Handle handle = nullptr;
  Owned() = default;
  Owned(Owned const&) = delete;
  Owned& operator=(Owned const&) = delete;
  ~Owned() {
    if (handle) destroy(handle);
  }
  operator Handle() const { return handle; }
};

struct Library {
  /// Drops the banner. Later texts, such as tables that a FILE asks for, are no answers.
  Library() {
    AMGX_register_print_callback([](char const*, int) {});
    require_success(AMGX_initialize(), "the initialisation");
    AMGX_register_print_callback([](char const* text, int length) { std::fprintf(stderr, "%.*s", length, text); });
  }
  ~Library() { AMGX_finalize(); }
};

struct Configuration : Owned<AMGX_config_handle, AMGX_config_destroy> {
  Configuration(std::string const& text, double tolerance) {
    require_success(AMGX_config_create(&handle, text.c_str()), "the configuration");
    char others[96];
    std::snprintf(others, sizeof others, "config_version=2,main:max_iters=1000,main:tolerance=%.17g", tolerance);
    require_success(AMGX_config_add_parameters(&handle, others), "the tolerance");
  }
};

class Problem {
 public:
  Problem(AmgGrid const& grid, std::string const& configuration)
      : configuration_(configuration, 1), own_(grid), result_(own_.source.size()) {
    require_success(AMGX_resources_create_simple(&resources_.handle, configuration_), "the device");
    require_success(AMGX_matrix_create(&matrix_.handle, resources_, AMGX_mode_dDDI), "the matrix");
    require_success(AMGX_vector_create(&b_.handle, resources_, AMGX_mode_dDDI), "a vector");
    require_success(AMGX_vector_create(&x_.handle, resources_, AMGX_mode_dDDI), "a vector");
    require_success(AMGX_matrix_upload_all(matrix_, own_.rows(), own_.entries(), 1, 1, own_.row_begins.data(),
                                           own_.columns.data(), own_.values.data(), nullptr),
                    "the copy of the matrix");
    require_success(AMGX_vector_upload(b_, own_.rows(), 1, own_.source.data()), "the copy of b");
    set_first_guess();
  }

  AMGX_resources_handle resources() const { return resources_; }
  AMGX_matrix_handle matrix() const { return matrix_; }
  AMGX_vector_handle b() const { return b_; }
  AMGX_vector_handle x() const { return x_; }
  void set_first_guess() const { require_success(AMGX_vector_set_zero(x_, own_.rows(), 1), "the first guess"); }
  double relative_residual() const {
    require_success(AMGX_vector_download(x_, result_.data()), "the copy of x");
    return own_.relative_residual(result_);
  }
  double seconds_now() const {
    cuda_check(cudaDeviceSynchronize());
    return clock_seconds();
  }

 private:
  Library library_;
  Configuration configuration_;
  Owned<AMGX_resources_handle, AMGX_resources_destroy> resources_;
  Owned<AMGX_matrix_handle, AMGX_matrix_destroy> matrix_;
  Owned<AMGX_vector_handle, AMGX_vector_destroy> b_, x_;
  AmgMatrix own_;
  mutable std::vector<double> result_;
};

class Solver {
 public:
  Solver(Problem const& problem, std::string const& configuration, double tolerance)
      : problem_(problem), configuration_(configuration), tolerance_(tolerance) {
    set_up();
  }
  ~Solver() { AMGX_solver_destroy(solver_); }
  Solver(Solver const&) = delete;
  Solver& operator=(Solver const&) = delete;

  /// A new tolerance needs a new solver.
  void solve(double tolerance) {
    if (tolerance != tolerance_) {
      AMGX_solver_destroy(solver_);
      tolerance_ = tolerance;
      set_up();
    }
    require_success(AMGX_solver_solve_with_0_initial_guess(solver_, problem_.b(), problem_.x()), "the solve");
    AMGX_SOLVE_STATUS status = AMGX_SOLVE_FAILED;
    AMGX_solver_get_status(solver_, &status);
    if (status != AMGX_SOLVE_SUCCESS) throw std::runtime_error("AmgX did not converge");
  }
  int iterations() const {
    int count = 0;
    AMGX_solver_get_iterations_number(solver_, &count);
    return count;
  }

 private:
  void set_up() {
    solver_ = nullptr;
    settings_ = std::make_unique<Configuration>(configuration_, tolerance_);
    require_success(AMGX_solver_create(&solver_, problem_.resources(), AMGX_mode_dDDI, *settings_), "the solver");
    require_success(AMGX_solver_setup(solver_, problem_.matrix()), "the set-up");
  }

  Problem const& problem_;
  std::string configuration_;
  double tolerance_;
  std::unique_ptr<Configuration> settings_;  // which the solver reads as long as it lives
  AMGX_solver_handle solver_ = nullptr;
};

std::string configuration_of(AmgTask const& task) {
  if (!task.settings.empty()) {
    std::ifstream file(task.settings[0]);
    if (!file) throw std::runtime_error("no file " + task.settings[0]);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  if (task.variant == "classical") return classical;
  if (task.variant == "aggregation") return aggregation;
  throw std::runtime_error("the multigrid must be classical or aggregation, not " + task.variant);
}

}  // namespace

int main(int argc, char** argv) {
  std::string const program = "karman-perf-amgx";
  return exit_code(program, [&] {
    AmgTask const task = amg_task(program, "classical|aggregation", "[FILE]", 1, argc, argv);
    std::string const configuration = configuration_of(task);
    Problem const problem(task.grid, configuration);
    run_solver(problem, [&] { return Solver(problem, configuration, task.tolerance); }, task.run());
  });
}
