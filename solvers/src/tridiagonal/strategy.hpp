// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Strategies of Tridiagonal<Exec, T>: one object per plan with its workspace, made from the algorithm of the set-up.
#pragma once

#include "check.hpp"
#include "pivoting_device.hpp"
#include "pivoting_lanes.hpp"
#include "reduction.hpp"
#include "systems.hpp"
#include "thomas.hpp"
#include "views.hpp"
#include <karman/solvers/tridiagonal/tridiagonal.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

namespace karman::detail {

/// Method that solves the systems of a plan.
template <class Exec, class T>
class TridiagonalStrategy {
 public:
  TridiagonalStrategy() = default;
  TridiagonalStrategy(TridiagonalStrategy const&) = delete;
  TridiagonalStrategy& operator=(TridiagonalStrategy const&) = delete;
  virtual ~TridiagonalStrategy() = default;

  virtual void solve(Exec const& space, StridedRows<T> const& rows, StridedSystems<T const> const& rhs,
                     StridedSystems<T> const& x) const = 0;
  /// Keeps factors that solves with the same rows can share; returns their number. May allocate.
  virtual std::int64_t factor(Exec const&, StridedRows<T> const&) { return 0; }
  /// solve() with the rows of factor().
  virtual void solve_factored(Exec const& space, StridedRows<T> const& rows, StridedSystems<T const> const& rhs,
                              StridedSystems<T> const& x) const {
    solve(space, rows, rhs, x);
  }
  /// Algorithm in use, never `automatic`.
  virtual TridiagonalAlgorithm algorithm() const = 0;
  /// Role of the pivots for solve_checked().
  virtual Pivots pivots() const { return Pivots::measured; }
};

/// Workspace of a strategy.
template <class Exec, class T>
using TridiagonalWorkspace = Kokkos::View<T*, typename Exec::memory_space>;

template <class Exec, class T>
TridiagonalWorkspace<Exec, T> tridiagonal_workspace(Exec const& space, std::int64_t values) {
  if (values == 0) return {};
  return TridiagonalWorkspace<Exec, T>(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::tridiagonal::workspace")),
      static_cast<std::size_t>(values));
}

/// Whole systems, systems across lanes, or partitions.
template <class Exec, class T>
class SystemsStrategy final : public TridiagonalStrategy<Exec, T> {
 public:
  SystemsStrategy(Exec const& space, SystemShape const& systems, TridiagonalAlgorithm algorithm)
      : algorithm_(algorithm), solver_(space, systems, method(algorithm)) {
    if (algorithm_ != TridiagonalAlgorithm::automatic) return;
    algorithm_ = solver_.partitions() ? TridiagonalAlgorithm::partitioned
                 : runs_on_host<Exec> ? TridiagonalAlgorithm::interleaved_thomas
                                      : TridiagonalAlgorithm::pcr_thomas;
  }

  static std::int64_t values(Exec const& space, SystemShape const& systems, TridiagonalAlgorithm algorithm) {
    return SystemSolver<Exec, T>::workspace_values(space, systems, method(algorithm));
  }

  void solve(Exec const& space, StridedRows<T> const& rows, StridedSystems<T const> const& rhs,
             StridedSystems<T> const& x) const override {
    solver_.solve(space, rows, rhs, x);
  }
  std::int64_t factor(Exec const& space, StridedRows<T> const& rows) override {
    solver_.factor(space, rows);
    return solver_.factor_values();
  }
  void solve_factored(Exec const& space, StridedRows<T> const& rows, StridedSystems<T const> const& rhs,
                      StridedSystems<T> const& x) const override {
    solver_.solve_factored(space, rows, rhs, x);
  }
  TridiagonalAlgorithm algorithm() const override { return algorithm_; }
  Pivots pivots() const override {
    return algorithm_ == TridiagonalAlgorithm::interleaved_thomas ? Pivots::used : Pivots::measured;
  }

 private:
  static SystemMethod method(TridiagonalAlgorithm algorithm) {
    switch (algorithm) {
      case TridiagonalAlgorithm::pcr_thomas: return SystemMethod::lanes;
      case TridiagonalAlgorithm::partitioned: return SystemMethod::partitioned;
      case TridiagonalAlgorithm::interleaved_thomas: return SystemMethod::whole;
      default: return SystemMethod::automatic;
    }
  }

  TridiagonalAlgorithm algorithm_;
  SystemSolver<Exec, T> solver_;
};

/// One thread per system.
template <class Exec, class T>
class ThomasStrategy final : public TridiagonalStrategy<Exec, T> {
 public:
  ThomasStrategy(Exec const& space, SystemShape const& systems, TridiagonalAlgorithm algorithm)
      : systems_(systems),
        interleaved_(algorithm == TridiagonalAlgorithm::interleaved_thomas),
        workspace_(tridiagonal_workspace<Exec, T>(space, values(systems))) {}

  static std::int64_t values(SystemShape const& systems) { return thomas_workspace(systems, runs_on_host<Exec>); }

  void solve(Exec const& space, StridedRows<T> const& rows, StridedSystems<T const> const& rhs,
             StridedSystems<T> const& x) const override {
    solve_thomas(space, rows, rhs, x, systems_, workspace_.data(), runs_on_host<Exec>, interleaved_);
  }
  TridiagonalAlgorithm algorithm() const override {
    return interleaved_ ? TridiagonalAlgorithm::interleaved_thomas : TridiagonalAlgorithm::thomas;
  }
  Pivots pivots() const override { return Pivots::used; }

 private:
  SystemShape systems_;
  bool interleaved_;
  TridiagonalWorkspace<Exec, T> workspace_;
};

/// Cyclic and parallel cyclic reduction, one team per system.
template <class Exec, class T>
class ReductionStrategy final : public TridiagonalStrategy<Exec, T> {
 public:
  ReductionStrategy(Exec const& space, SystemShape const& systems, TridiagonalSetup const& setup)
      : systems_(systems),
        algorithm_(setup.algorithm),
        cut_(cut(space, systems, setup)),
        workspace_(tridiagonal_workspace<Exec, T>(space, cut_.workspace)) {
    reserve_teams(space, cut_);
  }

  static std::int64_t values(Exec const& space, SystemShape const& systems, TridiagonalSetup const& setup) {
    return cut(space, systems, setup).workspace;
  }

  void solve(Exec const& space, StridedRows<T> const& rows, StridedSystems<T const> const& rhs,
             StridedSystems<T> const& x) const override {
    solve_by_reduction(space, rows, rhs, x, systems_, cut_, workspace_.data());
  }
  TridiagonalAlgorithm algorithm() const override { return algorithm_; }

 private:
  static ReductionCut cut(Exec const& space, SystemShape const& systems, TridiagonalSetup const& setup) {
    int const threads = std::max(1, static_cast<int>(space.concurrency()));
    return reduction_cut<Exec, T>(systems, rows_left(systems, setup), threads);
  }
  /// Rows that cyclic reduction leaves to parallel cyclic reduction.
  static std::int64_t rows_left(SystemShape const& systems, TridiagonalSetup const& setup) {
    if (setup.algorithm == TridiagonalAlgorithm::cyclic_reduction) return 1;
    if (setup.algorithm == TridiagonalAlgorithm::parallel_cyclic_reduction) return systems.rows;
    return setup.intermediate_size > 0 ? setup.intermediate_size : tuned_rows_left<Exec, T>(systems);
  }

  SystemShape systems_;
  TridiagonalAlgorithm algorithm_;
  ReductionCut cut_;
  TridiagonalWorkspace<Exec, T> workspace_;
};

/// Scaled partial pivoting. On a host whole systems in lanes, where there are enough short ones; on a device on chip,
/// where they fit.
template <class Exec, class T>
class PivotingStrategy final : public TridiagonalStrategy<Exec, T> {
 public:
  PivotingStrategy(Exec const& space, SystemShape const& systems)
      : systems_(systems),
        slots_(slots(space, systems)),
        workspace_(tridiagonal_workspace<Exec, T>(space, values(space, systems))) {}

  static std::int64_t values(Exec const& space, SystemShape const& systems) {
    if (in_lanes(systems)) return pivoting_lanes_workspace_values<T>(systems, slots(space, systems));
    if (!runs_on_host<Exec> && always_pivots_on_chip<T>(systems)) return 0;
    return pivoting_workspace_values<Exec, T>(systems);
  }

  void solve(Exec const& space, StridedRows<T> const& rows, StridedSystems<T const> const& rhs,
             StridedSystems<T> const& x) const override {
    if constexpr (runs_on_host<Exec>) {
      if (in_lanes(systems_)) return solve_pivoting_in_lanes(space, systems_, rows, rhs, x, slots_, workspace_.data());
    } else {
      if (solve_pivoting_on_chip(space, systems_, rows, rhs, x)) return;
    }
    solve_pivoting(space, systems_, rows, rhs, x, workspace_.data());
  }
  TridiagonalAlgorithm algorithm() const override { return TridiagonalAlgorithm::pivoting; }
  Pivots pivots() const override { return Pivots::unknown; }

 private:
  static bool in_lanes(SystemShape const& systems) { return runs_on_host<Exec> && pivoting::fits_lanes<T>(systems); }
  static int slots(Exec const& space, SystemShape const& systems) {
    return pivoting::lane_slots<T>(systems, static_cast<int>(space.concurrency()));
  }

  SystemShape systems_;
  int slots_;
  TridiagonalWorkspace<Exec, T> workspace_;
};

/// Values of the workspace of a strategy; makes the strategy too where `made` is not null.
template <class Exec, class T>
std::int64_t choose_strategy(Exec const& space, SystemShape const& systems, TridiagonalSetup const& setup,
                             std::unique_ptr<TridiagonalStrategy<Exec, T>>* made) {
  using Algorithm = TridiagonalAlgorithm;
  switch (setup.algorithm) {
    case Algorithm::cyclic_reduction:
    case Algorithm::parallel_cyclic_reduction:
    case Algorithm::cr_pcr:
      if (made != nullptr) *made = std::make_unique<ReductionStrategy<Exec, T>>(space, systems, setup);
      return ReductionStrategy<Exec, T>::values(space, systems, setup);
    case Algorithm::pivoting:
      if (made != nullptr) *made = std::make_unique<PivotingStrategy<Exec, T>>(space, systems);
      return PivotingStrategy<Exec, T>::values(space, systems);
    case Algorithm::interleaved_thomas:
      if (runs_on_host<Exec>) break;
      [[fallthrough]];
    case Algorithm::thomas:
      if (made != nullptr) *made = std::make_unique<ThomasStrategy<Exec, T>>(space, systems, setup.algorithm);
      return ThomasStrategy<Exec, T>::values(systems);
    default: break;
  }
  if (made != nullptr) *made = std::make_unique<SystemsStrategy<Exec, T>>(space, systems, setup.algorithm);
  return SystemsStrategy<Exec, T>::values(space, systems, setup.algorithm);
}

}  // namespace karman::detail
