// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Tridiagonal<Exec, T>: its memory and its calls. Included by the translation units that instantiate it.
#pragma once

#include "base/view_array.hpp"
#include "check.hpp"
#include "strategy.hpp"
#include "views.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/tridiagonal/tridiagonal.hpp>

#include <algorithm>
#include <limits>
#include <string>

namespace karman {

template <ExecutionSpace Exec, TridiagonalScalar T>
struct Tridiagonal<Exec, T>::State {
  TridiagonalShape shape;
  TridiagonalSetup setup;
  detail::SystemShape systems;
  std::unique_ptr<detail::TridiagonalStrategy<Exec, T>> strategy;
  std::int64_t bytes = 0;
  Kokkos::View<T*, typename Exec::memory_space> rhs_copy;
  Kokkos::View<double*, typename Exec::memory_space> check_sizes;
  detail::ViewArray<Kokkos::View<T*, typename Exec::memory_space>, 3> kept;
  detail::StridedRows<T> kept_rows{};
  std::int64_t factor_values = 0;  ///< that the strategy keeps
  bool factored = false;

  State(Exec const& space, TridiagonalShape const& shape_, TridiagonalSetup const& setup_)
      : shape(shape_), setup(setup_), systems(checked(shape_, setup_)) {
    bytes = value_bytes(detail::choose_strategy<Exec, T>(space, systems, setup, &strategy));
    if (!setup.check) return;
    rhs_copy = allocate(space, shape.rows * shape.systems(), "karman::tridiagonal::rhs");
    check_sizes = decltype(check_sizes)(
        Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::tridiagonal::check_sizes")),
        static_cast<std::size_t>(detail::check_values(systems)));
    bytes += check_bytes(systems);
  }

  static std::int64_t value_bytes(std::int64_t values) { return values * static_cast<std::int64_t>(sizeof(T)); }
  static std::int64_t check_bytes(detail::SystemShape const& systems) {
    return detail::check_values(systems) * static_cast<std::int64_t>(sizeof(double));
  }

  /// Throws std::invalid_argument for a shape or a set-up out of range.
  static detail::SystemShape checked(TridiagonalShape const& shape, TridiagonalSetup const& setup) {
    require(shape.rank >= 1 && shape.rank <= 3 && shape.axis >= 0 && shape.axis < shape.rank,
            "Tridiagonal: the axis must be one of the View's");
    require(shape.rows >= 1, "Tridiagonal: a system must have at least one row");
    require(shape.batch[0] >= 0 && shape.batch[1] >= 0, "Tridiagonal: the extents of the batch must not be negative");
    constexpr auto most = std::numeric_limits<std::int64_t>::max() / 64;
    require(shape.batch[0] <= most / std::max<std::int64_t>(1, shape.batch[1]) && shape.systems() <= most / shape.rows,
            "Tridiagonal: more values than 64-bit sizes can address");
    require(setup.intermediate_size >= 0 && setup.intermediate_size <= shape.rows,
            "TridiagonalSetup: the intermediate size must lie between 0 and the rows of a system");
    return {shape.rows, {shape.batch[0], shape.batch[1]}, setup.periodic};
  }

  Kokkos::View<T*, typename Exec::memory_space> allocate(Exec const& space, std::int64_t size, char const* label) {
    bytes += value_bytes(size);
    return Kokkos::View<T*, typename Exec::memory_space>(
        Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)), static_cast<std::size_t>(size));
  }

  detail::StridedRows<T> rows_of(Coefficient const& lower, Coefficient const& diagonal,
                                 Coefficient const& upper) const {
    return {detail::coefficient_of(lower, shape, "lower"), detail::coefficient_of(diagonal, shape, "diagonal"),
            detail::coefficient_of(upper, shape, "upper")};
  }
};

template <ExecutionSpace Exec, TridiagonalScalar T>
Tridiagonal<Exec, T>::Tridiagonal(Exec const& space, TridiagonalShape const& shape, TridiagonalSetup const& setup) {
  Region const region("karman::tridiagonal::plan");
  state_ = {"Tridiagonal", std::make_unique<State>(space, shape, setup)};
  compat::fence(space, "karman::tridiagonal::plan");
}

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
  s.strategy->solve(space, rows, from, to);
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
  s.strategy->solve(space, rows, from, to);
  return detail::check_systems(space, rows, detail::read_only(copy), detail::read_only(to), s.systems,
                               s.strategy->pivots(), s.check_sizes.data());
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
    // An axis with stride 0 is stored once.
    detail::SystemShape distinct = s.systems;
    for (int d = 0; d < 2; ++d) {
      if (from[c].array.stride[d] == 0) distinct.batch[d] = std::min<std::int64_t>(distinct.batch[d], 1);
    }
    std::int64_t const size = distinct.rows * distinct.systems();
    if (static_cast<std::int64_t>(s.kept[c].extent(0)) < size) {
      s.bytes -= static_cast<std::int64_t>(s.kept[c].extent(0) * sizeof(T));
      s.kept[c] = s.allocate(space, size, "karman::tridiagonal::factors");
    }
    // Systems are adjacent where the caller's are, so that the kernels have the strides that suit them.
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
  s.bytes -= State::value_bytes(s.factor_values);
  s.factor_values = s.strategy->factor(space, s.kept_rows);
  s.bytes += State::value_bytes(s.factor_values);
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
  s.strategy->solve_factored(space, s.kept_rows, from, to);
}

template <ExecutionSpace Exec, TridiagonalScalar T>
TridiagonalAlgorithm Tridiagonal<Exec, T>::algorithm() const {
  return state_->strategy->algorithm();
}

template <ExecutionSpace Exec, TridiagonalScalar T>
TridiagonalShape const& Tridiagonal<Exec, T>::shape() const {
  return state_->shape;
}

template <ExecutionSpace Exec, TridiagonalScalar T>
std::int64_t Tridiagonal<Exec, T>::workspace_bytes() const {
  return state_->bytes;
}

template <ExecutionSpace Exec, TridiagonalScalar T>
std::int64_t Tridiagonal<Exec, T>::workspace_bytes(Exec const& space, TridiagonalShape const& shape,
                                                   TridiagonalSetup const& setup) {
  detail::SystemShape const systems = State::checked(shape, setup);
  std::int64_t const values = detail::choose_strategy<Exec, T>(space, systems, setup, nullptr);
  if (!setup.check) return State::value_bytes(values);
  return State::value_bytes(values + shape.rows * shape.systems()) + State::check_bytes(systems);
}

}  // namespace karman
