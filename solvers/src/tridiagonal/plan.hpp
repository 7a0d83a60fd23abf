// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tridiagonal<Exec, T>: its workspace, its choice, its calls. Included by the translation units that instantiate it.
#pragma once

#include "base/view_array.hpp"
#include "check.hpp"
#include "pivoting.hpp"
#include "reduction.hpp"
#include "systems.hpp"
#include "views.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/tridiagonal.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace karman {

template <ExecutionSpace Exec, TridiagonalScalar T>
struct Tridiagonal<Exec, T>::State {
  TridiagonalShape shape;
  TridiagonalSetup setup;
  detail::SystemShape systems{};
  /// What solves: never `automatic`.
  TridiagonalAlgorithm algorithm = TridiagonalAlgorithm::thomas;
  std::int64_t bytes = 0;
  detail::SystemSolver<Exec, T> solver;
  detail::ReductionCut reduction{};
  Kokkos::View<T*, typename Exec::memory_space> workspace;
  Kokkos::View<T*, typename Exec::memory_space> rhs_copy;
  detail::ViewArray<Kokkos::View<T*, typename Exec::memory_space>, 3> kept;
  detail::StridedRows<T> kept_rows{};
  bool factored = false;

  State(Exec const& space, TridiagonalShape const& shape_, TridiagonalSetup const& setup_)
      : shape(shape_), setup(setup_) {
    require(shape.rank >= 1 && shape.rank <= 3 && shape.axis >= 0 && shape.axis < shape.rank,
            "Tridiagonal: the axis must be one of the View's");
    require(shape.rows >= 1, "Tridiagonal: a system must have at least one row");
    require(shape.batch[0] >= 0 && shape.batch[1] >= 0, "Tridiagonal: the extents of the batch must not be negative");
    constexpr auto most = std::numeric_limits<std::int64_t>::max() / 64;
    require(shape.batch[0] <= most / std::max<std::int64_t>(1, shape.batch[1]) && shape.systems() <= most / shape.rows,
            "Tridiagonal: more values than 64-bit sizes can address");
    require(setup.intermediate_size >= 0 && setup.intermediate_size <= shape.rows,
            "TridiagonalSetup: the intermediate size must lie between 0 and the rows of a system");
    systems = {shape.rows, {shape.batch[0], shape.batch[1]}, setup.periodic};
    prepare(space);
    if (setup.check) rhs_copy = allocate(space, shape.rows * shape.systems(), "karman::tridiagonal::rhs");
  }

  /// The workspace of the algorithm that was asked for, or the choice.
  void prepare(Exec const& space) {
    using Algorithm = TridiagonalAlgorithm;
    constexpr bool on_host = runs_on_host<Exec>;
    algorithm = setup.algorithm;
    std::int64_t values = 0;
    switch (setup.algorithm) {
      case Algorithm::automatic:
        solver = detail::SystemSolver<Exec, T>(space, systems);
        algorithm = solver.partitions() ? Algorithm::partitioned
                    : on_host           ? Algorithm::interleaved_thomas
                                        : Algorithm::pcr_thomas;
        break;
      case Algorithm::pcr_thomas:
        solver = detail::SystemSolver<Exec, T>(space, systems, detail::SystemMethod::lanes);
        break;
      case Algorithm::partitioned:
        solver = detail::SystemSolver<Exec, T>(space, systems, detail::SystemMethod::partitioned);
        break;
      case Algorithm::interleaved_thomas:
        if (on_host) {
          solver = detail::SystemSolver<Exec, T>(space, systems, detail::SystemMethod::whole);
        } else {
          values = detail::thomas_workspace(systems, on_host);
        }
        break;
      case Algorithm::thomas: values = detail::thomas_workspace(systems, on_host); break;
      case Algorithm::cyclic_reduction:
      case Algorithm::parallel_cyclic_reduction:
      case Algorithm::cr_pcr:
        reduction = detail::reduction_cut<Exec, T>(systems, rows_left(), threads(space));
        values = reduction.workspace;
        detail::reserve_teams(space, reduction);
        break;
      case Algorithm::pivoting: values = detail::pivoting_workspace_values<Exec, T>(systems); break;
    }
    bytes += solver.workspace_bytes();
    workspace = allocate(space, values, "karman::tridiagonal::workspace");
  }

  detail::Pivots pivots() const {
    switch (algorithm) {
      case TridiagonalAlgorithm::thomas:
      case TridiagonalAlgorithm::interleaved_thomas: return detail::Pivots::used;
      case TridiagonalAlgorithm::pivoting: return detail::Pivots::unknown;
      default: return detail::Pivots::measured;
    }
  }

  static int threads(Exec const& space) { return std::max(1, static_cast<int>(space.concurrency())); }

  /// Rows that cyclic reduction leaves to parallel cyclic reduction.
  std::int64_t rows_left() const {
    switch (setup.algorithm) {
      case TridiagonalAlgorithm::cyclic_reduction: return 1;
      case TridiagonalAlgorithm::parallel_cyclic_reduction: return shape.rows;
      default: return setup.intermediate_size > 0 ? setup.intermediate_size : detail::tuned_rows_left<Exec, T>(systems);
    }
  }

  Kokkos::View<T*, typename Exec::memory_space> allocate(Exec const& space, std::int64_t size, char const* label) {
    bytes += size * static_cast<std::int64_t>(sizeof(T));
    return Kokkos::View<T*, typename Exec::memory_space>(
        Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)), static_cast<std::size_t>(size));
  }

  detail::StridedRows<T> rows_of(Coefficient const& lower, Coefficient const& diagonal,
                                 Coefficient const& upper) const {
    return {detail::coefficient_of(lower, shape, "lower"), detail::coefficient_of(diagonal, shape, "diagonal"),
            detail::coefficient_of(upper, shape, "upper")};
  }

  void run(Exec const& space, detail::StridedRows<T> const& rows, detail::StridedSystems<T const> const& rhs,
           detail::StridedSystems<T> const& x) const {
    constexpr bool on_host = runs_on_host<Exec>;
    switch (setup.algorithm) {
      case TridiagonalAlgorithm::cyclic_reduction:
      case TridiagonalAlgorithm::parallel_cyclic_reduction:
      case TridiagonalAlgorithm::cr_pcr:
        return detail::solve_by_reduction(space, rows, rhs, x, systems, reduction, workspace.data());
      case TridiagonalAlgorithm::pivoting:
        return detail::solve_pivoting(space, systems, rows, rhs, x, workspace.data());
      case TridiagonalAlgorithm::thomas:
        return detail::solve_thomas(space, rows, rhs, x, systems, workspace.data(), on_host, false);
      case TridiagonalAlgorithm::interleaved_thomas:
        if constexpr (!on_host)
          return detail::solve_thomas(space, rows, rhs, x, systems, workspace.data(), false, true);
        [[fallthrough]];
      default: return solver.solve(space, rows, rhs, x);
    }
  }
};

template <ExecutionSpace Exec, TridiagonalScalar T>
Tridiagonal<Exec, T>::Tridiagonal(Exec const& space, TridiagonalShape const& shape, TridiagonalSetup const& setup) {
  Region const region("karman::tridiagonal::plan");
  state_ = std::make_unique<State>(space, shape, setup);
  compat::fence(space, "karman::tridiagonal::plan");
}

template <ExecutionSpace Exec, TridiagonalScalar T>
Tridiagonal<Exec, T>::Tridiagonal(Tridiagonal&&) noexcept = default;
template <ExecutionSpace Exec, TridiagonalScalar T>
Tridiagonal<Exec, T>& Tridiagonal<Exec, T>::operator=(Tridiagonal&&) noexcept = default;
template <ExecutionSpace Exec, TridiagonalScalar T>
Tridiagonal<Exec, T>::~Tridiagonal() = default;

template <ExecutionSpace Exec, TridiagonalScalar T>
void Tridiagonal<Exec, T>::solve_any(Exec const& space, Coefficient const& lower, Coefficient const& diagonal,
                                     Coefficient const& upper, detail::AnyView<T const> const& rhs,
                                     detail::AnyView<T> const& x) {
  Region const region("karman::tridiagonal::solve");
  State const& s = *state_;
  auto const rows = s.rows_of(lower, diagonal, upper);
  auto const from = detail::systems_of(rhs, s.shape, "rhs");
  auto const to = detail::systems_of(x, s.shape, "x");
  if (s.shape.systems() == 0) return;
  detail::require_no_alias(rows, from, to, s.systems);
  s.run(space, rows, from, to);
}

template <ExecutionSpace Exec, TridiagonalScalar T>
TridiagonalReport Tridiagonal<Exec, T>::check_any(Exec const& space, Coefficient const& lower,
                                                  Coefficient const& diagonal, Coefficient const& upper,
                                                  detail::AnyView<T const> const& rhs, detail::AnyView<T> const& x) {
  Region const region("karman::tridiagonal::solve_checked");
  State const& s = *state_;
  require(s.setup.check, "Tridiagonal: solve_checked() needs a plan with TridiagonalSetup::check");
  auto const rows = s.rows_of(lower, diagonal, upper);
  auto const from = detail::systems_of(rhs, s.shape, "rhs");
  auto const to = detail::systems_of(x, s.shape, "x");
  if (s.shape.systems() == 0) return {};
  detail::require_no_alias(rows, from, to, s.systems);
  detail::StridedSystems<T> const copy{s.rhs_copy.data(), 1, {s.shape.rows * s.shape.batch[1], s.shape.rows}};
  detail::copy_systems(space, from, copy, s.systems);
  s.run(space, rows, from, to);
  return detail::check_systems(space, rows, detail::read_only(copy), detail::read_only(to), s.systems, s.pivots());
}

template <ExecutionSpace Exec, TridiagonalScalar T>
void Tridiagonal<Exec, T>::factor(Exec const& space, Coefficient const& lower, Coefficient const& diagonal,
                                  Coefficient const& upper) {
  Region const region("karman::tridiagonal::factor");
  State& s = *state_;
  auto const rows = s.rows_of(lower, diagonal, upper);
  detail::CoefficientArray<T> const from[3] = {rows.lower, rows.diagonal, rows.upper};
  detail::CoefficientArray<T>* const to[3] = {&s.kept_rows.lower, &s.kept_rows.diagonal, &s.kept_rows.upper};
  for (int c = 0; c < 3; ++c) {
    if (from[c].array.data == nullptr) {
      *to[c] = from[c];
      continue;
    }
    // An axis with stride 0 is kept once.
    detail::SystemShape distinct = s.systems;
    for (int d = 0; d < 2; ++d) {
      if (from[c].array.stride[d] == 0) distinct.batch[d] = std::min<std::int64_t>(distinct.batch[d], 1);
    }
    std::int64_t const size = distinct.rows * distinct.systems();
    if (static_cast<std::int64_t>(s.kept[c].extent(0)) < size) {
      s.bytes -= static_cast<std::int64_t>(s.kept[c].extent(0) * sizeof(T));
      s.kept[c] = s.allocate(space, size, "karman::tridiagonal::factors");
    }
    // Systems side by side where the caller's are, so that the kernels meet the strides that they are good at.
    bool const side_by_side = from[c].array.row_stride > 1;
    std::int64_t const per_row = side_by_side ? distinct.systems() : 1;
    std::int64_t const per_system = side_by_side ? 1 : distinct.rows;
    detail::StridedSystems<T> const copy{s.kept[c].data(),
                                         per_row,
                                         {distinct.batch[0] == s.systems.batch[0] ? per_system * distinct.batch[1] : 0,
                                          distinct.batch[1] == s.systems.batch[1] ? per_system : 0}};
    detail::copy_systems(space, from[c].array, copy, distinct);
    *to[c] = {detail::read_only(copy), T(0)};
  }
  s.factored = true;
}

template <ExecutionSpace Exec, TridiagonalScalar T>
void Tridiagonal<Exec, T>::solve_factored(Exec const& space, detail::AnyView<T const> const& rhs,
                                          detail::AnyView<T> const& x) {
  Region const region("karman::tridiagonal::solve");
  State const& s = *state_;
  require(s.factored, "Tridiagonal: solve(space, rhs, x) needs factor() before it");
  auto const from = detail::systems_of(rhs, s.shape, "rhs");
  auto const to = detail::systems_of(x, s.shape, "x");
  if (s.shape.systems() == 0) return;
  detail::require_no_alias(s.kept_rows, from, to, s.systems);
  s.run(space, s.kept_rows, from, to);
}

template <ExecutionSpace Exec, TridiagonalScalar T>
TridiagonalAlgorithm Tridiagonal<Exec, T>::algorithm() const {
  return state_->algorithm;
}

template <ExecutionSpace Exec, TridiagonalScalar T>
TridiagonalShape const& Tridiagonal<Exec, T>::shape() const {
  return state_->shape;
}

template <ExecutionSpace Exec, TridiagonalScalar T>
std::int64_t Tridiagonal<Exec, T>::workspace_bytes() const {
  return state_->bytes;
}

}  // namespace karman
