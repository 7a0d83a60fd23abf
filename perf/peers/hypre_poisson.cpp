// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hypre's structured multigrid (Struct PFMG) on the problem of poisson_source.hpp, in a separate program. Debian's
// hypre is parallel through MPI alone. So karman-perf starts this program with as many processes as it has threads
// itself. With a hypre for CUDA the same source is karman-perf-hypre-cuda, one process for one device.
//
//   mpirun -np P karman-perf-hypre pfmg|cg_pfmg NX NY NZ TOLERANCE [RELAXATION]
//
// RELAXATION: number of another smoother, to compare settings.
//
// Prints "ready", the seconds of the set-up, the iterations and max |residual| / max |f|. Then, for every line of
// input, it solves once more from zero and prints the seconds. It ends with its input. The tolerance applies to the
// maximum norm; hypre's own, in the Euclidean norm, is lowered until that is met.
#include "../poisson_source.hpp"
#include "hypre_process.hpp"

#include <HYPRE_krylov.h>
#include <HYPRE_struct_ls.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace karman::perf;

/// Cells of this process: whole layers, divided as evenly as possible.
struct OwnBox {
  std::array<HYPRE_Int, 3> lower, upper;
  OwnBox(std::array<int, 3> const& cells, int rank, int ranks)
      : lower{0, 0, HYPRE_Int(std::int64_t(cells[2]) * rank / ranks)},
        upper{cells[0] - 1, cells[1] - 1, HYPRE_Int(std::int64_t(cells[2]) * (rank + 1) / ranks) - 1} {}
  std::size_t size() const {
    return std::size_t(upper[0] - lower[0] + 1) * std::size_t(upper[1] - lower[1] + 1) *
           std::size_t(upper[2] - lower[2] + 1);
  }
  template <class Visit>
  void for_each_cell(Visit const& visit) const {
    for (HYPRE_Int k = lower[2]; k <= upper[2]; ++k) {
      for (HYPRE_Int j = lower[1]; j <= upper[1]; ++j) {
        for (HYPRE_Int i = lower[0]; i <= upper[0]; ++i) visit(std::array<int, 3>{int(i), int(j), int(k)});
      }
    }
  }
};

class Problem {
 public:
  explicit Problem(std::array<int, 3> const& cells) : cells_(cells), own_(cells, process(), processes()) {
    HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid_);
    HYPRE_StructGridSetExtents(grid_, own_.lower.data(), own_.upper.data());
    require_success(HYPRE_StructGridAssemble(grid_), "the grid");
    HYPRE_StructStencilCreate(3, 4, &stencil_);
    for (int entry = 0; entry < 4; ++entry) {
      std::array<HYPRE_Int, 3> offset{0, 0, 0};
      if (entry > 0) offset[std::size_t(entry - 1)] = -1;
      HYPRE_StructStencilSetElement(stencil_, entry, offset.data());
    }
    make_matrix();
    b_ = make_vector();
    x_ = make_vector();
    r_ = make_vector();
    std::vector<double> values;
    values.reserve(own_.size());
    own_.for_each_cell([&](std::array<int, 3> const& cell) { values.push_back(right_hand_side(cell)); });
    norm_b_ = largest(values);
    HypreValues<double> given(std::move(values));
    HYPRE_StructVectorSetBoxValues(b_, own_.lower.data(), own_.upper.data(), given.data());
    HYPRE_StructVectorAssemble(b_);
  }
  ~Problem() {
    for (HYPRE_StructVector vector : {b_, x_, r_}) HYPRE_StructVectorDestroy(vector);
    HYPRE_StructMatrixDestroy(matrix_);
    HYPRE_StructStencilDestroy(stencil_);
    HYPRE_StructGridDestroy(grid_);
  }
  Problem(Problem const&) = delete;
  Problem& operator=(Problem const&) = delete;

  HYPRE_StructMatrix matrix() const { return matrix_; }
  HYPRE_StructVector b() const { return b_; }
  HYPRE_StructVector x() const { return x_; }

  static double seconds_now() { return karman::perf::seconds_now(); }
  void set_first_guess() const { HYPRE_StructVectorSetConstantValues(x_, 0.0); }

  double relative_residual() const {
    HYPRE_StructMatrixMatvec(1.0, matrix_, x_, 0.0, r_);
    HypreValues<double> product(std::vector<double>(own_.size()));
    std::array<HYPRE_Int, 3> lower = own_.lower, upper = own_.upper;
    HYPRE_StructVectorGetBoxValues(r_, lower.data(), upper.data(), product.data());
    std::vector<double>& values = product.fetch();
    std::size_t n = 0;
    own_.for_each_cell([&](std::array<int, 3> const& cell) { values[n++] -= right_hand_side(cell); });
    return largest(values) / norm_b_;
  }

 private:
  /// For the positive definite form, -div grad p = -f.
  static double right_hand_side(std::array<int, 3> const& cell) {
    return -karman::perf::poisson_source(cell[2], cell[1], cell[0]);
  }

  void make_matrix() {
    HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid_, stencil_, &matrix_);
    HYPRE_StructMatrixSetSymmetric(matrix_, 1);
    HYPRE_StructMatrixInitialize(matrix_);
    std::vector<double> values;
    values.reserve(4 * own_.size());
    own_.for_each_cell([&](std::array<int, 3> const& cell) {
      double diagonal = 6;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        diagonal += (cell[axis] == 0 ? 1 : 0) + (cell[axis] == cells_[axis] - 1 ? 1 : 0);
      }
      values.push_back(diagonal);
      for (std::size_t axis = 0; axis < 3; ++axis) values.push_back(cell[axis] == 0 ? 0.0 : -1.0);
    });
    HypreValues<double> given(std::move(values));
    std::array<HYPRE_Int, 4> entries{0, 1, 2, 3};
    HYPRE_StructMatrixSetBoxValues(matrix_, own_.lower.data(), own_.upper.data(), 4, entries.data(), given.data());
    require_success(HYPRE_StructMatrixAssemble(matrix_), "the matrix");
  }

  HYPRE_StructVector make_vector() const {
    HYPRE_StructVector vector = nullptr;
    HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid_, &vector);
    HYPRE_StructVectorInitialize(vector);
    HYPRE_StructVectorAssemble(vector);
    return vector;
  }

  static double largest(std::vector<double> const& values) {
    double own = 0;
    for (double value : values) own = std::max(own, std::abs(value));
    double all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
  }

  std::array<int, 3> cells_;
  OwnBox own_;
  HYPRE_StructGrid grid_ = nullptr;
  HYPRE_StructStencil stencil_ = nullptr;
  HYPRE_StructMatrix matrix_ = nullptr;
  HYPRE_StructVector b_ = nullptr, x_ = nullptr, r_ = nullptr;
  double norm_b_ = 0;
};

/// Settings that hypre's manual recommends for constant coefficients: coarse operators by averaging (RAP type 1),
/// red-black Gauss-Seidel, one relaxation before and after (symmetric under CG), relaxation skipped where it is
/// unnecessary. On a device weighted Jacobi, its default, which takes half the time there.
void set_multigrid(HYPRE_StructSolver multigrid, bool symmetric, int relaxation) {
  HYPRE_StructPFMGSetRAPType(multigrid, 1);
  int const usual = hypre_on_device ? 1 : symmetric ? 2 : 3;
  HYPRE_StructPFMGSetRelaxType(multigrid, relaxation >= 0 ? relaxation : usual);
  HYPRE_StructPFMGSetNumPreRelax(multigrid, 1);
  HYPRE_StructPFMGSetNumPostRelax(multigrid, 1);
  HYPRE_StructPFMGSetSkipRelax(multigrid, 1);
}

class Solver {
 public:
  Solver(std::string const& name, Problem const& problem, int relaxation)
      : problem_(problem), with_cg_(name == "cg_pfmg") {
    if (!with_cg_ && name != "pfmg") throw std::runtime_error("the solver must be pfmg or cg_pfmg, not " + name);
    HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &multigrid_);
    set_multigrid(multigrid_, with_cg_, relaxation);
    if (with_cg_) {
      HYPRE_StructPFMGSetMaxIter(multigrid_, 1);
      HYPRE_StructPFMGSetTol(multigrid_, 0.0);
      HYPRE_StructPFMGSetZeroGuess(multigrid_);
      HYPRE_StructPCGCreate(MPI_COMM_WORLD, &cg_);
      HYPRE_StructPCGSetMaxIter(cg_, most_iterations);
      HYPRE_StructPCGSetTwoNorm(cg_, 1);
      HYPRE_StructPCGSetPrecond(cg_, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, multigrid_);
      require_success(HYPRE_StructPCGSetup(cg_, problem.matrix(), problem.b(), problem.x()), "the set-up");
    } else {
      HYPRE_StructPFMGSetMaxIter(multigrid_, most_iterations);
      require_success(HYPRE_StructPFMGSetup(multigrid_, problem.matrix(), problem.b(), problem.x()), "the set-up");
    }
  }
  ~Solver() {
    if (with_cg_) HYPRE_StructPCGDestroy(cg_);
    HYPRE_StructPFMGDestroy(multigrid_);
  }
  Solver(Solver const&) = delete;
  Solver& operator=(Solver const&) = delete;

  void solve(double euclidean_tolerance) {
    HYPRE_Int iterations = 0;
    if (with_cg_) {
      HYPRE_StructPCGSetTol(cg_, euclidean_tolerance);
      require_success(HYPRE_StructPCGSolve(cg_, problem_.matrix(), problem_.b(), problem_.x()), "the solve");
      HYPRE_StructPCGGetNumIterations(cg_, &iterations);
    } else {
      HYPRE_StructPFMGSetTol(multigrid_, euclidean_tolerance);
      require_success(HYPRE_StructPFMGSolve(multigrid_, problem_.matrix(), problem_.b(), problem_.x()), "the solve");
      HYPRE_StructPFMGGetNumIterations(multigrid_, &iterations);
    }
    iterations_ = int(iterations);
  }
  int iterations() const { return iterations_; }

 private:
  static constexpr HYPRE_Int most_iterations = 200;
  Problem const& problem_;
  bool with_cg_;
  HYPRE_StructSolver multigrid_ = nullptr, cg_ = nullptr;
  int iterations_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  std::string const program = program_name("karman-perf-hypre");
  return with_hypre(argc, argv, program, [&] {
    if (argc != 6 && argc != 7) {
      throw std::runtime_error("usage: " + program + " pfmg|cg_pfmg NX NY NZ TOLERANCE [RELAXATION]");
    }
    std::array<int, 3> const cells{number_of<int>("NX", argv[2]), number_of<int>("NY", argv[3]),
                                   number_of<int>("NZ", argv[4])};
    double const tolerance = number_of<double>("TOLERANCE", argv[5]);
    bool sound = tolerance > 0 && cells[2] >= processes();
    for (int n : cells) sound = sound && n >= 1;
    if (!sound) throw std::runtime_error("extents and tolerance must be positive, NZ at least the number of processes");
    int const relaxation = argc == 7 ? number_of<int>("RELAXATION", argv[6]) : -1;
    Problem const problem(cells);
    run_solver(problem, [&] { return Solver(argv[1], problem, relaxation); },
               {tolerance, false, 0.5, another_one_is_asked});
  });
}
