// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hypre's BoomerAMG in conjugate gradients on the problem of amg_source.hpp, in a separate program, see
// hypre_poisson.cpp.
//
//   mpirun -np P karman-perf-hypre-amg setup|solve CELLS SHUFFLED HEIGHT AGGRESSIVE TOLERANCE
//     [RELAXATION [INTERPOLATION]]
//
// AGGRESSIVE: number of levels with aggressive coarsening, 0 or more. RELAXATION and INTERPOLATION: numbers of others,
// to compare settings. Prints "ready", the seconds of the set-up, the iterations and |residual| / |b|. Then, for every
// line of input, it sets up or solves once more and prints the seconds. It ends with its input. Norms are Euclidean.
#include "../amg_source.hpp"
#include "hypre_process.hpp"

#include <HYPRE.h>
#include <HYPRE_IJ_mv.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace karman::perf;

/// One row of the matrix by grid numbers: the neighbours lie at most one row and one column of the grid away.
class MatrixRow {
 public:
  MatrixRow(AmgGrid const& grid, int node) : grid_(grid), node_(node) {
    int const side = grid.side(), i = node % side, j = node / side;
    for (int cell_j = std::max(j - 1, 0); cell_j <= std::min(j, grid.cells - 1); ++cell_j) {
      for (int cell_i = std::max(i - 1, 0); cell_i <= std::min(i, grid.cells - 1); ++cell_i) {
        for (int half = 0; half < 2; ++half) add(2 * (cell_j * grid.cells + cell_i) + half);
      }
    }
  }

  /// Numbers of the mesh and values, given values eliminated.
  std::vector<std::pair<int, double>> entries() const {
    std::vector<std::pair<int, double>> result;
    for (int slot = 0; slot < 9; ++slot) {
      int const other = node_ + (slot / 3 - 1) * grid_.side() + slot % 3 - 1;
      bool const own = other == node_;
      if (!used_[std::size_t(slot)] || (!own && (grid_.fixed(node_) || grid_.fixed(other)))) continue;
      result.emplace_back(grid_.node_place(other), values_[std::size_t(slot)]);
    }
    std::sort(result.begin(), result.end());
    return result;
  }

 private:
  /// Integrals of grad N . grad N_k over a triangle.
  void add(int triangle) {
    int corner[3];
    grid_.corners(triangle, corner);
    auto const at = std::find(corner, corner + 3, node_) - corner;
    if (at == 3) return;
    double x[3], y[3];
    for (int m = 0; m < 3; ++m) grid_.position(corner[m], x[m], y[m]);
    double const twice_area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    auto const edge = [&](long m) {
      return std::pair{x[(m + 2) % 3] - x[(m + 1) % 3], y[(m + 2) % 3] - y[(m + 1) % 3]};
    };
    auto const [own_x, own_y] = edge(at);
    for (int m = 0; m < 3; ++m) {
      auto const [other_x, other_y] = edge(m);
      int const side = grid_.side();
      auto const slot = std::size_t(3 * (corner[m] / side - node_ / side + 1) + corner[m] % side - node_ % side + 1);
      values_[slot] += (own_x * other_x + own_y * other_y) / (2 * twice_area);
      used_[slot] = true;
    }
  }

  AmgGrid const& grid_;
  int node_;
  std::array<double, 9> values_{};
  std::array<bool, 9> used_{};
};

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
    std::vector<double> source(std::size_t(end_ - begin_));
    set_rows(grid, source);
    require_success(HYPRE_IJMatrixAssemble(matrix_), "the matrix");
    HYPRE_IJMatrixGetObject(matrix_, reinterpret_cast<void**>(&a_));
    b_ = make_vector(source);
    x_ = make_vector(std::vector<double>(source.size()));
    r_ = make_vector(std::vector<double>(source.size()));
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
  /// All rows by one call, which a device needs. Fills the source, too.
  void set_rows(AmgGrid const& grid, std::vector<double>& source) {
    std::vector<HYPRE_Int> rows, counts, columns;
    std::vector<double> values;
    for (int node = 0; node < grid.nodes(); ++node) {
      HYPRE_Int const place = grid.node_place(node);
      if (place < begin_ || place >= end_) continue;
      source[std::size_t(place - begin_)] = grid.source(node);
      auto const entries = MatrixRow(grid, node).entries();
      rows.push_back(place);
      counts.push_back(HYPRE_Int(entries.size()));
      for (auto const& [column, value] : entries) {
        columns.push_back(column);
        values.push_back(value);
      }
    }
    auto const count = HYPRE_Int(rows.size());
    HypreValues<HYPRE_Int> given_rows(std::move(rows)), given_counts(std::move(counts)),
        given_columns(std::move(columns));
    HypreValues<double> given_values(std::move(values));
    HYPRE_IJMatrixSetValues(matrix_, count, given_counts.data(), given_rows.data(), given_columns.data(),
                            given_values.data());
  }

  HYPRE_ParVector make_vector(std::vector<double> const& values) {
    HYPRE_IJVector vector = nullptr;
    HYPRE_IJVectorCreate(MPI_COMM_WORLD, begin_, end_ - 1, &vector);
    HYPRE_IJVectorSetObjectType(vector, HYPRE_PARCSR);
    HYPRE_IJVectorInitialize(vector);
    std::vector<HYPRE_Int> numbers;
    for (HYPRE_Int row = begin_; row < end_; ++row) numbers.push_back(row);
    HypreValues<HYPRE_Int> rows(std::move(numbers));
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

void run(std::string const& operation, AmgGrid const& grid, int aggressive, double tolerance,
         Settings const& settings) {
  Problem const problem(grid);
  problem.set_first_guess();
  double const start = seconds_now();
  Solver solver(problem, aggressive, settings);
  double const set_up = seconds_now() - start;

  double recursive = tolerance, residual = 1;
  for (int attempt = 0; attempt < 5 && !(residual <= tolerance); ++attempt) {
    problem.set_first_guess();
    solver.solve(recursive);
    residual = problem.relative_residual();
    if (!(residual <= tolerance)) recursive *= 0.8;
  }
  if (!(residual <= tolerance)) throw std::runtime_error("the tolerance was not reached");
  report_ready(set_up, solver.iterations(), residual);

  answer_requests([&] {
    problem.set_first_guess();
    double const begin = seconds_now();
    if (operation == "setup") {
      Solver const again(problem, aggressive, settings);
      return seconds_now() - begin;
    }
    solver.solve(recursive);
    return seconds_now() - begin;
  });
}

}  // namespace

int main(int argc, char** argv) {
  std::string const program = program_name("karman-perf-hypre-amg");
  return with_hypre(argc, argv, program, [&] {
    std::string const operation = argc >= 7 && argc <= 9 ? argv[1] : "";
    if (operation != "setup" && operation != "solve") {
      throw std::runtime_error("usage: " + program +
                               " setup|solve CELLS SHUFFLED HEIGHT AGGRESSIVE TOLERANCE [RELAXATION [INTERPOLATION]]");
    }
    AmgGrid const grid{std::atoi(argv[2]), std::atoi(argv[3]) != 0, std::atof(argv[4])};
    int const aggressive = std::atoi(argv[5]);
    double const tolerance = std::atof(argv[6]);
    if (!(grid.cells >= processes() && grid.height > 0 && aggressive >= 0 && tolerance > 0))
      throw std::runtime_error("cells, height and tolerance must be positive, cells at least the number of processes");
    Settings settings;
    if (argc > 7) settings.relaxation = std::atoi(argv[7]);
    if (argc > 8) settings.interpolation = std::atoi(argv[8]);
    run(operation, grid, aggressive, tolerance, settings);
  });
}
