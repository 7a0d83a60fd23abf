// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One dimension: the matrix is tridiagonal, and elimination solves it.
#include "device_system.hpp"
#include "stencil.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/solvers/tridiagonal/tridiagonal.hpp>

namespace karman::poisson {
namespace {

/// Rows of the matrix and their right-hand side. A solid cell has a row of its own with the value 0. Where p is
/// determined up to a constant, so has the first cell that is not solid. That row also opens a periodic matrix: either
/// the cell lies at the seam, or the seam is closed.
struct Rows {
  CellValues lower, diagonal, upper, rhs;
};

Rows make_rows(LinearSystem const& system) {
  auto const n = static_cast<std::size_t>(system.grid.nx());
  Rows rows{CellValues(n, 0), CellValues(n, -1), CellValues(n, 0), CellValues(n, 0)};
  Stencil const stencil(system);
  bool pinned = !system.singular;
  for_each_fluid_cell(system, [&](int k, int j, int i, std::int64_t cell) {
    if (!pinned) {
      pinned = true;
      return;
    }
    auto const row = static_cast<std::size_t>(cell);
    auto const up = stencil.face(k, j, i, 0);
    auto const down = stencil.face(k, j, i, 1);
    rows.diagonal[row] = -(up.coefficient + down.coefficient);
    if (up.neighbor == cell + 1) rows.upper[row] = up.coefficient;
    if (down.neighbor == cell - 1) rows.lower[row] = down.coefficient;
    rows.rhs[row] = system.b[row];
  });
  return rows;
}

template <ExecutionSpace Exec, Real T>
class TridiagonalOn final : public DeviceSolver<Exec, T> {
  using Line = Kokkos::View<T*, typename Exec::memory_space>;

 public:
  TridiagonalOn(Exec const& space, LinearSystem const& system, SolverSettings const&)
      : DeviceSolver<Exec, T>(space, system),
        plan_(space, TridiagonalShape::along(0, {std::int64_t{system.grid.nx()}})) {
    Rows const rows = make_rows(system);
    lower_ = line(rows.lower, "karman::poisson::lower");
    diagonal_ = line(rows.diagonal, "karman::poisson::diagonal");
    upper_ = line(rows.upper, "karman::poisson::upper");
    rhs_ = line(rows.rhs, "karman::poisson::rows");
  }

 protected:
  SolveReport run(SolveRequest const&, typename DeviceSolver<Exec, T>::ResidualMonitor const&) override {
    auto& system = this->system_;
    Line const solution(system.solution.data(), system.solution.size());
    plan_.solve(system.space, lower_, diagonal_, upper_, rhs_, solution);
    SolveReport report;
    report.iterations = 1;
    report.converged = true;
    return report;
  }
  std::int64_t workspace_bytes() const override {
    return plan_.workspace_bytes() + static_cast<std::int64_t>(4 * rhs_.size() * sizeof(T));
  }

 private:
  Line line(CellValues const& values, std::string const& label) const {
    return device_copy<T>(this->system_.space, values, label);
  }

  Line lower_, diagonal_, upper_, rhs_;
  Tridiagonal<Exec, T> plan_;
};

}  // namespace

std::unique_ptr<PoissonSolver> make_tridiagonal(Backend backend, SolverSettings const& settings,
                                                LinearSystem const& system) {
  return make_on<TridiagonalOn>(backend, settings, system);
}

}  // namespace karman::poisson
