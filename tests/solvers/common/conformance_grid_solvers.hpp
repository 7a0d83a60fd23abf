// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The solvers on grids as members of the conformance suite.
#pragma once

#include "conformance_grid.hpp"
#include <karman/solvers/grid/adi.hpp>
#include <karman/solvers/grid/conjugate_gradients.hpp>
#include <karman/solvers/grid/fast_poisson.hpp>
#include <karman/solvers/grid/multigrid.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>
#include <karman/solvers/grid/relaxation.hpp>

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace karman::test {

/// Makes the solvers, each with other boxes of the processes.
template <class Exec, class T>
class GridSuite {
 public:
  explicit GridSuite(Exec const& space, GridProcesses processes = {})
      : space_(space), processes_(std::move(processes)) {}

  std::vector<ConformingSolver> stationary() {
    std::vector<ConformingSolver> solvers{red_black(false), red_black(true),
                                          on_operator<Jacobi<Exec, T>>("Jacobi", RelaxationOptions{.omega = 0.9}),
                                          on_operator<Adi<Exec, T>>("Adi", AdiOptions{})};
    // Its order of the cells is that of one process.
    if (alone()) solvers.push_back(on_operator<GaussSeidel<Exec, T>>("GaussSeidel", RelaxationOptions{}));
    return solvers;
  }

  std::vector<ConformingSolver> krylov() {
    return {conjugate_gradients("ConjugateGradients", Preconditioned::no),
            conjugate_gradients("ConjugateGradients with M", Preconditioned::fixed),
            conjugate_gradients("ConjugateGradients, flexible", Preconditioned::flexible)};
  }

  std::vector<ConformingSolver> multigrid() {
    std::vector<ConformingSolver> solvers;
    for (auto const cycle : {MultigridCycle::v, MultigridCycle::w, MultigridCycle::f}) {
      for (bool const conjugate : {false, true}) {
        solvers.push_back(multigrid(cycle, conjugate, true));
        if (std::is_same_v<T, double> && cycle == MultigridCycle::v) {
          solvers.push_back(multigrid(cycle, conjugate, false));
        }
      }
    }
    return solvers;
  }

  std::vector<ConformingSolver> direct() {
    auto solver = on_grid("FastPoisson", {box, 1}, [](Exec const& space, Problem const& problem, auto const&) {
      FastPoisson<Exec, T> plan(space, problem.equation(), {.communicator = problem.communicator});
      problem.set_boundary_values(space, plan);
      return plan.solve(space, problem.x, ConstField<Exec, T>(problem.rhs));
    });
    solver.iterative = false;
    solver.inputs = {"rhs", "boundary values"};
    return {solver};
  }

  template <class Plan, class Options>
  ConformingSolver on_operator(std::string const& name, Options const& plain) {
    return on_grid(name, {box, 1}, [=](Exec const& space, Problem const& problem, ConformanceOptions const& options) {
      Plan plan(space, problem.operator_on(space));
      return plan.solve(space, problem.x, ConstField<Exec, T>(problem.rhs), options.as(plain));
    });
  }

 private:
  using Problem = GridProblem<Exec, T>;
  enum class Preconditioned { no, fixed, flexible };
  static constexpr std::array box{12, 9, 8}, sheet{12, 9, 1};

  bool alone() const { return processes_.communicator.size() == 1; }

  template <class Run>
  ConformingSolver on_grid(std::string const& name, GridCells const& cells, Run const& run) {
    ++processes_.seed;
    return test::on_grid<Exec, T>(space_, processes_, name, cells,
                                  [run, space = space_](Problem const& problem, ConformanceOptions const& options) {
                                    return run(space, problem, options);
                                  });
  }

  ConformingSolver red_black(bool planar) {
    auto solver =
        on_grid(planar ? "RedBlackSor in the plane" : "RedBlackSor", {planar ? sheet : box, 2},
                [=](Exec const& space, Problem const& problem, ConformanceOptions const& options) {
                  RedBlackSor<Exec, T> sor(space, problem.equation(), {.communicator = problem.communicator});
                  problem.set_boundary_values(space, sor);
                  auto const o = options.as<SorOptions>({.omega = 1.5});
                  if (!planar) return sor.solve(space, problem.x, ConstField<Exec, T>(problem.rhs), o);
                  Plane<Exec, T> const x(problem.x.data(), problem.x.extent(1), problem.x.extent(2));
                  return sor.solve(space, x, ConstPlane<Exec, T>(problem.rhs.data(), x.extent(0), x.extent(1)), o);
                });
    solver.takes_mean_out = false;
    solver.most_iterations = 400;
    return solver;
  }

  ConformingSolver conjugate_gradients(std::string const& name, Preconditioned how) {
    return on_grid(name, {box, 1}, [=](Exec const& space, Problem const& problem, ConformanceOptions const& options) {
      auto a = problem.operator_on(space);
      ConjugateGradients<Exec, T> cg(space, a.extents(), {.communicator = problem.communicator});
      DiagonalPreconditioner<Exec, T> diagonal(a);
      ConstField<Exec, T> const rhs = problem.rhs;
      auto const o = options.as<KrylovOptions>({.flexible = how == Preconditioned::flexible});
      if (how == Preconditioned::no) return cg.solve(space, a, problem.x, rhs, o);
      return cg.solve(space, a, diagonal, problem.x, rhs, o);
    });
  }

  ConformingSolver multigrid(MultigridCycle cycle, bool conjugate, bool float_cycles) {
    std::string const what = std::string("Multigrid ") + std::string(name(cycle)) +
                             (conjugate ? " in conjugate gradients" : "") + (float_cycles ? ", float cycles" : "");
    MultigridSetup setup;
    setup.cycle = cycle;
    setup.single_precision_cycles = float_cycles;
    if (!alone()) setup.gathered_cells = 1;  // grids as small as these would be gathered
    auto solver =
        on_grid(what, {box, 4}, [=](Exec const& space, Problem const& problem, ConformanceOptions const& options) {
          MultigridSetup of_all = setup;
          of_all.communicator = problem.communicator;
          Multigrid<Exec, T> plan(space, problem.equation(), of_all);
          EXPECT_EQ(plan.levels_in_parts() > 0, problem.communicator.size() > 1);
          problem.set_boundary_values(space, plan);
          return plan.solve(space, problem.x, ConstField<Exec, T>(problem.rhs),
                            options.as<MultigridOptions>({.conjugate_gradients = conjugate}));
        });
    // The inner products of double cycles are not scaled.
    solver.most_iterations = 50;
    solver.takes_any_size = !conjugate || float_cycles || std::is_same_v<T, float>;
    return solver;
  }

  Exec space_;
  GridProcesses processes_;
};

}  // namespace karman::test
