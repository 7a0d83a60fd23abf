// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Solution of Poisson's equation from zero to a given residual, by the multigrid of Karman, of hypre and
// of AMReX.
#include "peers/amrex_rows.hpp"
#include "peers/hypre_rows.hpp"
#include "poisson_problem.hpp"
#include <karman/solvers/grid/multigrid.hpp>
#include <karman/solvers/grid/seven_point.hpp>

#include <array>
#include <vector>

namespace karman::perf {

namespace {

constexpr double poisson_tolerance = 1e-8;  ///< of max |residual| / max |f|

/// A solve from zero to the tolerance, without the set-up of the plan.
struct Method {
  std::string name;
  bool conjugate_gradients = true;
};

template <class Exec, class T>
class MultigridPoisson final : public SpaceWork<Exec> {
 public:
  MultigridPoisson(Exec const& space, PoissonCells const& cells, bool conjugate_gradients)
      : SpaceWork<Exec>(space),
        grid_(cells, {1, 1, 1}),
        solver_(space, {grid_, Boundaries::all(Boundary::dirichlet)}),
        p_(allocate<Field<Exec, T>>(space, "karman::perf::p", cells[2], cells[1], cells[0])),
        f_(allocate<Field<Exec, T>>(space, "karman::perf::f", cells[2], cells[1], cells[0])) {
    options_.tolerance = poisson_tolerance;
    options_.conjugate_gradients = conjugate_gradients;
    options_.zero_guess = true;
    fill_poisson_source<Exec, T>(space, f_);
    this->fence();
  }

  /// Uses the residual of the operator itself, which shares no code with the cycles.
  std::string check(bool spoil) override {
    run();
    Exec const& space = this->space();
    if (spoil) spoil_center<Exec, T>(space, p_);
    SevenPoint<Exec, T> operator_(space, {grid_, Boundaries::all(Boundary::dirichlet)});
    Field<Exec, T> const residual =
        allocate<Field<Exec, T>>(space, "karman::perf::residual", p_.extent(0), p_.extent(1), p_.extent(2));
    double const found = operator_.largest_residual(space, p_, f_, residual);
    // |f| reaches 1 except for the spacing of the noise; round-off of the residual itself: six differences of p.
    return compare("max |residual|", found, 0, 1.01 * poisson_tolerance);
  }

 protected:
  void run() override { solver_.solve(this->space(), p_, f_, options_); }

 private:
  UniformGrid grid_;
  Multigrid<Exec, T> solver_;
  Field<Exec, T> p_, f_;
  MultigridOptions options_;
};

template <class Exec>
void append_multigrid(std::vector<Row>& rows, PoissonCells const& cells) {
  for (Method const& method : {Method{"mg_pcg", true}, Method{"multigrid", false}}) {
    Row row = poisson_row<Exec, double>(cells, method.name, "");
    row.memory_bytes = row.units * 100;  // p, f, four vectors of conjugate gradients, the grids in float
    bool const conjugate_gradients = method.conjugate_gradients;
    row.prepare = [cells, conjugate_gradients] {
      return std::make_unique<MultigridPoisson<Exec, double>>(Exec(), cells, conjugate_gradients);
    };
    rows.push_back(std::move(row));
  }
}

/// hypre runs with as many processes as a host backend has threads, and with one for a device.
template <class Exec>
void append_hypre(std::vector<Row>& rows, PoissonCells const& cells) {
  HypreBuild const build = runs_on_host<Exec> ? HypreBuild::processors : HypreBuild::cuda;
  int const processes = runs_on_host<Exec> ? threads_of(Exec()) : 1;
  if (!has_hypre(build) || cells[2] < processes) return;
  for (std::string const solver : {"pfmg", "cg_pfmg"}) {
    Row row = poisson_row<Exec, double>(cells, solver == "pfmg" ? "multigrid" : "mg_pcg", "hypre_" + solver);
    row.memory_bytes = row.units * 350;  // the hierarchy of matrices and the vectors of every level
    row.prepare = [build, solver, cells, processes] {
      return hypre_poisson(build, solver, cells, poisson_tolerance, processes);
    };
    rows.push_back(std::move(row));
  }
}

template <class Exec>
void append_amrex(std::vector<Row>& rows, PoissonCells const& cells) {
  if (!has_amrex()) return;
  Row row = poisson_row<Exec, double>(cells, "multigrid", "amrex_mlmg");
  row.memory_bytes = row.units * 100;  // p, f, and four fields of every level
  row.prepare = [cells] { return amrex_poisson(cells, poisson_tolerance); };
  rows.push_back(std::move(row));
}

template <class Exec>
void append_poisson(std::vector<Row>& rows, Selection const& selection) {
  if constexpr (runs_on_host<Exec>) {
    int const n = selection.quick ? 96 : 256;
    append_multigrid<Exec>(rows, {n, n, n});
    // One thread gives no new figure.
    if (threads_of(Exec()) > 1) append_hypre<Exec>(rows, {n, n, n});
  } else {
    std::vector<int> const sizes = selection.quick ? std::vector<int>{512} : std::vector<int>{256, 512};
    for (int const n : sizes) {
      append_multigrid<Exec>(rows, {n, n, n});
      append_hypre<Exec>(rows, {n, n, n});
      append_amrex<Exec>(rows, {n, n, n});
    }
  }
}

}  // namespace

void append_poisson_rows(std::vector<Row>& rows, Selection const& selection) {
#define KARMAN_APPEND(Exec) append_poisson<Exec>(rows, selection);
  KARMAN_FOR_EACH_BACKEND(KARMAN_APPEND)
#undef KARMAN_APPEND
}

}  // namespace karman::perf
