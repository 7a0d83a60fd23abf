// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Solves of a batch with the plan, and checks of their accuracy.
#pragma once

#include "tridiagonal_cases.hpp"

namespace karman::test {

/// All algorithms that can be asked for by name.
inline constexpr TridiagonalAlgorithm every_algorithm[] = {
    TridiagonalAlgorithm::thomas,      TridiagonalAlgorithm::cyclic_reduction,
    TridiagonalAlgorithm::cr_pcr,      TridiagonalAlgorithm::parallel_cyclic_reduction,
    TridiagonalAlgorithm::pcr_thomas,  TridiagonalAlgorithm::interleaved_thomas,
    TridiagonalAlgorithm::partitioned, TridiagonalAlgorithm::pivoting};

/// Where the solution goes.
enum class Target { apart, in_place };

/// A batch with the answers.
template <class Exec, class T>
class KnownBatch {
 public:
  using W = typename Scalar<T>::wide;

  KnownBatch(Exec const& space, std::array<std::int64_t, 2> const& batch, int axis, Order order,
             std::vector<SerialTridiagonal<W>> systems)
      : placed(space, batch, axis, order, std::move(systems)), rhs_(placed.bytes(space, placed.rhs)) {
    for (auto const& system : placed.systems) {
      exact.push_back(karman::test::solve(system));
      by_entries.push_back(sensitivity_of_dominant(system, exact.back(), Perturbed::entries));
      by_rows.push_back(sensitivity_of_dominant(system, exact.back(), Perturbed::rows));
    }
  }

  KnownBatch(Exec const& space, Matrix matrix, std::int64_t rows, std::array<std::int64_t, 2> const& batch,
             bool periodic = false, int axis = 2, Order order = Order::right)
      : KnownBatch(space, batch, axis, order, make_systems<T>(matrix, rows, batch, periodic)) {}

  /// The solutions of all systems. An earlier solution over the right-hand sides is undone first.
  std::vector<std::vector<W>> solve(Exec const& space, TridiagonalSetup setup, Target target = Target::apart) {
    setup.periodic = placed.periodic();
    Tridiagonal<Exec, T> plan(space, placed.shape(), setup);
    restore(space);
    auto const& x = target == Target::in_place ? placed.rhs : placed.solution;
    plan.solve(space, placed.lower.view(), placed.diagonal.view(), placed.upper.view(), placed.rhs.view(), x.view());
    return placed.read(space, x);
  }

  /// Restores the right-hand sides, and fills the solution with values that every solve must overwrite.
  void restore(Exec const& space) {
    copy_to_device(space, rhs_, placed.rhs.memory);
    T const trap(std::numeric_limits<typename Scalar<T>::real>::quiet_NaN());
    copy_to_device(space, std::vector<T>(placed.solution.memory.extent(0), trap), placed.solution.memory);
  }

  void expect_accurate(std::vector<std::vector<W>> const& found, TridiagonalAlgorithm algorithm,
                       std::string const& what) const {
    ASSERT_EQ(found.size(), exact.size());
    for (std::size_t s = 0; s < exact.size(); ++s) {
      auto const rows = std::int64_t(exact[s].size());
      auto const sensitivity = algorithm == TridiagonalAlgorithm::pivoting ? by_rows[s] : by_entries[s];
      ASSERT_EQ(found[s].size(), exact[s].size());
      EXPECT_LE(double(largest_difference(found[s], exact[s])), error_bound<T>(levels_of(algorithm, rows), sensitivity))
          << karman::name(algorithm) << ", " << what << ", " << rows << " rows, system " << s << " of " << exact.size();
    }
  }

  /// Solves with an algorithm and compares.
  void expect_solved(Exec const& space, TridiagonalAlgorithm algorithm, std::string const& what,
                     Target target = Target::apart) {
    expect_accurate(solve(space, {.algorithm = algorithm}, target), algorithm, what);
  }

  PlacedBatch<Exec, T> placed;
  std::vector<std::vector<W>> exact;
  std::vector<long double> by_entries, by_rows;

 private:
  std::vector<T> rhs_;
};

template <class Parameter>
class TridiagonalOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::scalar;
  using Known = KnownBatch<Exec, T>;
  /// The precision and field for which long lists are run in full.
  static constexpr bool is_double = std::is_same_v<T, double>;
  Exec space;

  /// A View of rank 1 in the memory of the backend.
  Kokkos::View<T*, typename Exec::memory_space> upload(std::vector<typename Scalar<T>::wide> const& values) const {
    std::vector<T> narrow;
    for (auto const& value : values) narrow.push_back(Scalar<T>::narrow(value));
    return device_copy(space, narrow, "karman::test::values");
  }
};

}  // namespace karman::test
