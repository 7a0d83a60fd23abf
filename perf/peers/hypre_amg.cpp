// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hypre's BoomerAMG in conjugate gradients on the problem of amg_source.hpp, in a separate program, see
// hypre_poisson.cpp.
//
//   mpirun -np P karman-perf-hypre-amg setup|solve CELLS SHUFFLED HEIGHT AGGRESSIVE TOLERANCE
//     [RELAXATION [INTERPOLATION]]
//
// AGGRESSIVE: number of levels with aggressive coarsening, 0 or more. RELAXATION and INTERPOLATION: numbers of others,
// to compare settings. Answers: amg_program.hpp.
#include "amg_matrix.hpp"
#include "amg_program.hpp"
#include "hypre_process.hpp"

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>

#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace karman::perf;

/// Matrix and vectors; a process has a range of rows.
class Problem {
 public:
  explicit Problem(AmgGrid const& grid)
      : begin_(HYPRE_Int(std::int64_t(grid.nodes()) * process() / processes())),
        end_(HYPRE_Int(std::int64_t(grid.nodes()) * (process() + 1) / processes())) {
    HYPRE_IJMatrixCreate(MPI_COMM_WORLD, begin_, end_ - 1, begin_, end_ - 1, &matrix_);
    HYPRE_IJMatrixSetObjectType(matrix_, HYPRE_PARCSR);
    std::vector<HYPRE_Int> const lengths(std::size_t(end_ - begin_), 9);
    HYPRE_IJMatrixSetRowSizes(matrix_, lengths.data());
    HYPRE_IJMatrixInitialize(matrix_);
    AmgMatrix const own(grid, begin_, end_);
    set_rows(own);
    require_success(HYPRE_IJMatrixAssemble(matrix_), "the matrix");
    HYPRE_IJMatrixGetObject(matrix_, reinterpret_cast<void**>(&a_));
    b_ = make_vector(own.source);
    x_ = make_vector(std::vector<double>(own.source.size()));
    r_ = make_vector(std::vector<double>(own.source.size()));
  }
  ~Problem() {
    for (HYPRE_IJVector vector : vectors_) HYPRE_IJVectorDestroy(vector);
    HYPRE_IJMatrixDestroy(matrix_);
  }
  Problem(Problem const&) = delete;
  Problem& operator=(Problem const&) = delete;

  HYPRE_ParCSRMatrix matrix() const { return a_; }
  HYPRE_ParVector b() const { return b_; }
  HYPRE_ParVector x() const { return x_; }
  static double seconds_now() { return karman::perf::seconds_now(); }
  void set_first_guess() const { HYPRE_ParVectorSetConstantValues(x_, 0); }

  double relative_residual() const {
    HYPRE_ParVectorCopy(b_, r_);
    HYPRE_ParCSRMatrixMatvec(-1, a_, x_, 1, r_);
    double rest = 0, all = 0;
    HYPRE_ParVectorInnerProd(r_, r_, &rest);
    HYPRE_ParVectorInnerProd(b_, b_, &all);
    return std::sqrt(rest / all);
  }

 private:
  std::vector<HYPRE_Int> own_rows() const {
    std::vector<HYPRE_Int> numbers(std::size_t(end_ - begin_));
    std::iota(numbers.begin(), numbers.end(), begin_);
    return numbers;
  }

  /// All rows by one call, which a device needs.
  void set_rows(AmgMatrix const& own) {
    std::vector<HYPRE_Int> counts(own.row_begins.size());
    std::adjacent_difference(own.row_begins.begin(), own.row_begins.end(), counts.begin());
    counts.erase(counts.begin());
    HypreValues<HYPRE_Int> given_rows(own_rows()), given_counts(std::move(counts)),
        given_columns({own.columns.begin(), own.columns.end()});
    HypreValues<double> given_values(own.values);
    HYPRE_IJMatrixSetValues(matrix_, end_ - begin_, given_counts.data(), given_rows.data(), given_columns.data(),
                            given_values.data());
  }

  HYPRE_ParVector make_vector(std::vector<double> const& values) {
    HYPRE_IJVector vector = nullptr;
    HYPRE_IJVectorCreate(MPI_COMM_WORLD, begin_, end_ - 1, &vector);
    HYPRE_IJVectorSetObjectType(vector, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(vector);
    HypreValues<HYPRE_Int> rows(own_rows());
    HypreValues<double> given(values);
    HYPRE_IJVectorSetValues(vector, end_ - begin_, rows.data(), given.data());
    require_success(HYPRE_IJVectorAssemble(vector), "a vector");
    vectors_.push_back(vector);
    HYPRE_ParVector result = nullptr;
    HYPRE_IJVectorGetObject(vector, reinterpret_cast<void**>(&result));
    return result;
  }

  HYPRE_Int begin_, end_;
  HYPRE_IJMatrix matrix_ = nullptr;
  std::vector<HYPRE_IJVector> vectors_;
  HYPRE_ParCSRMatrix a_ = nullptr;
  HYPRE_ParVector b_ = nullptr, x_ = nullptr, r_ = nullptr;
};

/// Numbers of a smoother and an interpolation; negative: the choice below.
struct Settings {
  int relaxation = -1, interpolation = -1;
};

/// hypre's defaults on processors: HMIS coarsening and one sweep of l1 Gauss-Seidel. It is forward on the way down and
/// backward on the way up: symmetric, as conjugate gradients require.
void set_for_processors(HYPRE_Solver multigrid) {
  HYPRE_BoomerAMGSetCoarsenType(multigrid, 10);
  HYPRE_BoomerAMGSetCycleRelaxType(multigrid, 13, 1);
  HYPRE_BoomerAMGSetCycleRelaxType(multigrid, 14, 2);
  HYPRE_BoomerAMGSetCycleRelaxType(multigrid, 9, 3);
}

/// Its defaults on devices: PMIS coarsening and one sweep of l1-Jacobi. The transposed interpolation is stored.
void set_for_device(HYPRE_Solver multigrid) {
  HYPRE_BoomerAMGSetCoarsenType(multigrid, 8);
  HYPRE_BoomerAMGSetRelaxType(multigrid, 18);
  HYPRE_BoomerAMGSetRelaxOrder(multigrid, 0);
  HYPRE_BoomerAMGSetKeepTranspose(multigrid, 1);
  HYPRE_BoomerAMGSetRAP2(multigrid, 0);
  HYPRE_BoomerAMGSetModuleRAP2(multigrid, 1);
}

/// Defaults of the processor or the device, and extended interpolation of at most four entries. The first levels may
/// coarsen aggressively: a cheaper hierarchy, more iterations.
class Solver {
 public:
  Solver(Problem const& problem, int aggressive, Settings const& settings) : problem_(problem) {
    HYPRE_BoomerAMGCreate(&multigrid_);
    if (hypre_on_device) {
      set_for_device(multigrid_);
    } else {
      set_for_processors(multigrid_);
    }
    if (settings.relaxation >= 0) HYPRE_BoomerAMGSetRelaxType(multigrid_, settings.relaxation);
    HYPRE_BoomerAMGSetInterpType(multigrid_, settings.interpolation >= 0 ? settings.interpolation : 6);
    HYPRE_BoomerAMGSetPMaxElmts(multigrid_, 4);
    HYPRE_BoomerAMGSetAggNumLevels(multigrid_, aggressive);
    HYPRE_BoomerAMGSetStrongThreshold(multigrid_, 0.25);
    HYPRE_BoomerAMGSetMaxIter(multigrid_, 1);
    HYPRE_BoomerAMGSetTol(multigrid_, 0);
    HYPRE_ParCSRPCGCreate(MPI_COMM_WORLD, &cg_);
    HYPRE_PCGSetMaxIter(cg_, 1000);
    HYPRE_PCGSetTwoNorm(cg_, 1);
    HYPRE_ParCSRPCGSetPrecond(cg_, HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGSetup, multigrid_);
    require_success(HYPRE_ParCSRPCGSetup(cg_, problem.matrix(), problem.b(), problem.x()), "the set-up");
  }
  ~Solver() {
    HYPRE_ParCSRPCGDestroy(cg_);
    HYPRE_BoomerAMGDestroy(multigrid_);
  }
  Solver(Solver const&) = delete;
  Solver& operator=(Solver const&) = delete;

  void solve(double tolerance) {
    HYPRE_PCGSetTol(cg_, tolerance);
    require_success(HYPRE_ParCSRPCGSolve(cg_, problem_.matrix(), problem_.b(), problem_.x()), "the solve");
    HYPRE_Int count = 0;
    HYPRE_PCGGetNumIterations(cg_, &count);
    iterations_ = int(count);
  }
  int iterations() const { return iterations_; }

 private:
  Problem const& problem_;
  HYPRE_Solver multigrid_ = nullptr, cg_ = nullptr;
  int iterations_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  std::string const program = program_name("karman-perf-hypre-amg");
  return with_hypre(argc, argv, program, [&] {
    AmgTask const task = amg_task(program, "AGGRESSIVE", "[RELAXATION [INTERPOLATION]]", 2, argc, argv);
    int const aggressive = number_of<int>("AGGRESSIVE", task.variant);
    if (task.grid.cells < processes() || aggressive < 0)
      throw std::runtime_error("CELLS must be at least the number of processes, AGGRESSIVE at least 0");
    Settings settings;
    if (argc > 7) settings.relaxation = number_of<int>("RELAXATION", argv[7]);
    if (argc > 8) settings.interpolation = number_of<int>("INTERPOLATION", argv[8]);
    Problem const problem(task.grid);
    SolverRun run = task.run();
    run.asked = another_one_is_asked;
    run_solver(problem, [&] { return Solver(problem, aggressive, settings); }, run);
  });
}
