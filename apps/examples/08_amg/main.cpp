// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Algebraic multigrid in conjugate gradients on a matrix of your own, given as offsets, columns and values.
//
// The matrix here: -div(k grad u) on a plane of n x n cells, fluxes between centres of cells, u = 0 beyond the left
// side, no flux through the others. k is 100 in a disc that moves, and 1 outside: the profile stays, values change.
#include <karman/core/host_copy.hpp>
#include <karman/solvers/sparse/amg.hpp>
#include <karman/solvers/sparse/krylov.hpp>
#include <karman/solvers/sparse/sparse_operator.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Vector = karman::Vector<Exec, double>;

/// Your matrix: entries offsets[i] ... offsets[i + 1] - 1 belong to row i, columns ascending.
struct OwnMatrix {
  std::vector<int> offsets{0}, columns;
  std::vector<double> values;
};

/// Conductivity of a cell.
double conductivity(int n, int i, int j, double center) {
  double const x = (i + 0.5) / n - center, y = (j + 0.5) / n - 0.5;
  return x * x + y * y < 0.04 ? 100 : 1;
}

OwnMatrix conduction(int n, double center) {
  OwnMatrix matrix;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      double const own = conductivity(n, i, j, center);
      double diagonal = i == 0 ? 2 * own : 0;  // half a cell to the left side
      std::size_t middle = 0;
      constexpr std::array<std::array<int, 2>, 5> steps{{{0, -1}, {-1, 0}, {0, 0}, {1, 0}, {0, 1}}};
      for (auto const& [di, dj] : steps) {
        int const to_i = i + di, to_j = j + dj;
        if (to_i < 0 || to_i == n || to_j < 0 || to_j == n) continue;
        double const other = conductivity(n, to_i, to_j, center), flux = 2 * own * other / (own + other);
        bool const is_own = di == 0 && dj == 0;
        if (is_own) middle = matrix.values.size();
        else diagonal += flux;
        matrix.columns.push_back(to_j * n + to_i);
        matrix.values.push_back(is_own ? 0 : -flux);
      }
      matrix.values[middle] = diagonal;
      matrix.offsets.push_back(static_cast<int>(matrix.columns.size()));
    }
  }
  return matrix;
}

/// The largest |b - A x| by plain loops over your arrays, b = 1 everywhere.
double largest_residual(Exec const& space, OwnMatrix const& own, Vector const& solution) {
  auto const x = karman::host_copy(space, solution);
  double largest = 0;
  for (std::size_t row = 0; row + 1 < own.offsets.size(); ++row) {
    double rest = 1;
    for (auto e = std::size_t(own.offsets[row]); e < std::size_t(own.offsets[row + 1]); ++e)
      rest -= own.values[e] * x[std::size_t(own.columns[e])];
    largest = std::fmax(largest, std::abs(rest));
  }
  return largest;
}

bool report(Exec const& space, OwnMatrix const& own, Vector const& x, karman::SolveReport const& solve) {
  double const residual = largest_residual(space, own, x);
  bool const right = solve.converged && solve.iterations <= 60 && residual < 1e-5;
  std::printf("%s, largest residual %.1e  %s\n", karman::summary(solve).c_str(), residual, right ? "ok" : "WRONG");
  return right;
}

bool run() {
  int const n = 300;
  OwnMatrix own = conduction(n, 0.4);
  // [solve]
  Exec const space;
  karman::CsrMatrix<Exec, double> const matrix(space, own.offsets, own.columns, own.values);
  Vector const x("own::x", own.offsets.size() - 1), b("own::b", own.offsets.size() - 1);
  Kokkos::deep_copy(space, b, 1.0);

  karman::SparseOperator<Exec, double> const map(matrix);
  karman::AmgPreconditioner<Exec, double> amg(space, matrix);  // chooses the levels and takes the values
  karman::GeneralKrylov<Exec, double> solver(space, matrix.rows(), {karman::KrylovMethod::cocg});
  karman::GeneralKrylovOptions const options{.tolerance = 1e-8, .check_every = 1};
  auto const first = solver.solve(space, map, amg, x, b, options);
  // [solve]

  for (karman::AmgLevel const& level : amg.levels())
    std::printf("%8d rows, %9lld entries, visits per cycle %d\n", level.rows, static_cast<long long>(level.entries),
                level.visits);
  std::printf("operator complexity %.2f, %.1f MB, %d zero pivots\n", amg.operator_complexity(),
              double(amg.workspace_bytes()) * 1e-6, amg.zero_pivots(space));
  bool right = report(space, own, x, first);

  // New values on the same profile: the levels stay, nothing is allocated. x is a good first guess.
  own = conduction(n, 0.45);
  // [factor]
  karman::copy_to_device(space, own.values, matrix.values);  // or a kernel that writes them
  amg.factor(space, matrix);
  auto const second = solver.solve(space, map, amg, x, b, options);
  // [factor]
  right = report(space, own, x, second) && right;
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  return run() ? 0 : 1;
}
