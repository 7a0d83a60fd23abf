// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Batches of tridiagonal systems, plain and periodic, along any axis of a field.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/concepts.hpp>
#include <karman/core/error.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/solvers/tridiagonal/tridiagonal_options.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace karman {

/// Number type of a tridiagonal system: float, double, or Kokkos::complex of either.
template <class T>
concept TridiagonalScalar = std::same_as<T, float> || std::same_as<T, double> ||
                            std::same_as<T, Kokkos::complex<float>> || std::same_as<T, Kokkos::complex<double>>;

/// Systems of a plan: all lines along one axis of Views of given extents.
struct TridiagonalShape {
  std::int64_t rows = 0;                    ///< rows per system: extent of `axis`
  std::array<std::int64_t, 2> batch{1, 1};  ///< extents of the other axes, in their order; systems = their product
  int rank = 1;                             ///< rank of the Views, 1 to 3
  int axis = 0;                             ///< axis of the systems

  /// Systems along one axis: along(0, {ny, nx}) gives nx systems of ny rows.
  /// \param axis axis of the systems
  /// \param extents extents of the Views
  /// \return the shape
  /// \throws std::invalid_argument for a rank or an axis out of range
  static TridiagonalShape along(int axis, std::initializer_list<std::int64_t> extents);

  /// Number of systems.
  std::int64_t systems() const { return batch[0] * batch[1]; }
};

/// Result of solve_checked().
struct TridiagonalReport {
  /// Relative backward error of the algorithm, the largest over all systems of
  ///
  ///     max_k |residual_k| / max_k (|lower x| + |diagonal x| + |upper x| + |rhs|)_k.
  ///
  /// A few eps for a good solution.
  double residual = 0;
  /// Pivot growth of elimination in order, a property of the matrix: largest pivot relative to the largest coefficient
  /// of its system. Values of 1 to 2 are typical of dominant systems, for which no algorithm here grows. A large value
  /// shows that `thomas` loses digits; the loss of another algorithm shows in `residual`. Elimination restarts every
  /// `growth_rows` rows. Not computed with `pivoting`: 0.
  double growth_in_order = 0;
  /// Rows between two restarts of the elimination for growth_in_order.
  static constexpr int growth_rows = 1024;
  /// True for a solution that is not finite; with `thomas` and `interleaved_thomas` also for a pivot that is zero or
  /// not finite.
  bool breakdown = false;
  /// First system with a breakdown, in the order of the batch; -1 without.
  std::int64_t system = -1;
  /// First row with a breakdown in that system; -1 without.
  std::int64_t row = -1;
};

/// Summary on one line.
std::string summary(TridiagonalReport const& report);

namespace detail {

/// A View of rank 1 to 3 without its type. T may be const.
template <class T>
struct AnyView {
  T* data = nullptr;
  int rank = 0;
  std::array<std::int64_t, 3> extent{1, 1, 1};
  std::array<std::int64_t, 3> stride{0, 0, 0};
};

template <class T, class V>
AnyView<T> any_view(V const& view) {
  static_assert(int(V::rank) >= 1 && int(V::rank) <= 3, "a View of rank 1, 2 or 3 is needed");
  AnyView<T> any;
  any.data = view.data();
  any.rank = int(V::rank);
  for (std::size_t d = 0; d < std::size_t(V::rank); ++d) {
    any.extent[d] = static_cast<std::int64_t>(view.extent(d));
    any.stride[d] = static_cast<std::int64_t>(view.stride(d));
  }
  return any;
}

}  // namespace detail

/// Coefficient of tridiagonal systems: lower, diagonal or upper. Converts implicitly from
///
/// - a number: the same in every row of every system;
/// - a View of rank 1 with one value per row: shared by all systems;
/// - a View of the shape of the plan: one value per row and system;
/// - shared_over(axis, view): a View without one axis of the plan, along which it is shared. Example: right-hand sides
///   of one matrix side by side, rhs(row, system, side), take shared_over(2, lower(row, system)).
///
/// Keeps a pointer, no reference count.
/// \pre The View lives until the solve has run.
template <ExecutionSpace Exec, TridiagonalScalar T>
class TridiagonalCoefficient {
 public:
  /// The same number in every row.
  TridiagonalCoefficient(T const& constant) : constant_(constant) {}
  /// The same number in every row, converted to `T`: `1.0` suits a plan in float.
  template <class Number>
    requires(std::is_arithmetic_v<Number> && !std::same_as<Number, T>)
  TridiagonalCoefficient(Number constant) : constant_(static_cast<T>(constant)) {}
  /// Values of a View.
  template <ViewFor<Exec> V>
    requires std::same_as<typename V::non_const_value_type, T>
  TridiagonalCoefficient(V const& view) : view_(detail::any_view<T const>(view)), given_(true) {}

  /// Values of a View that lacks one axis of the plan.
  /// \param axis missing axis
  /// \param view View with the other axes of the plan, in their order
  /// \return the coefficient
  template <ViewFor<Exec> V>
    requires std::same_as<typename V::non_const_value_type, T>
  static TridiagonalCoefficient shared_over(int axis, V const& view) {
    TridiagonalCoefficient coefficient(view);
    coefficient.missing_axis_ = axis;
    return coefficient;
  }

  /// Values without the type of their View.
  detail::AnyView<T const> const& view() const { return view_; }
  /// True for a number.
  bool is_constant() const { return !given_; }
  /// The number.
  T constant() const { return constant_; }
  /// Axis of shared_over(), or -1.
  int missing_axis() const { return missing_axis_; }

 private:
  detail::AnyView<T const> view_{};
  T constant_{};
  bool given_ = false;
  int missing_axis_ = -1;
};

/// Solves all systems of a batch, for 0 <= k < n,
///
///     lower(k) x(k-1) + diagonal(k) x(k) + upper(k) x(k+1) = rhs(k).
///
/// lower(0) and upper(n-1) are ignored, or, with `periodic`, couple to x(n-1) and x(0). Several right-hand sides are
/// systems with shared coefficients.
/// \par Views
/// rhs and x have the shape of the plan, in any layout, in memory that `Exec` reaches. Coefficients:
/// TridiagonalCoefficient. Systems lie along any axis; no copy into another order is needed. Any n >= 1 and any number
/// of systems; all sizes are 64 bits.
/// \pre Only `pivoting` exchanges rows. All others need matrices that are safe for elimination in order, such as
/// diagonally dominant or positive definite ones. A zero pivot gives a solution that is not finite; solve_checked()
/// reports it.
/// \par Cost
/// About 20 flops and one division per row. Bytes per row, float and double: 20 and 40 for systems that fit a team, 36
/// to 40 and 72 to 80 for others. Complex: twice that. Shared and constant coefficients are free.
/// \par Synchrony
/// solve() is asynchronous and allocates nothing. One plan serves one instance at a time. Plans may be moved, not
/// copied.
/// \par Aliasing
/// x may be the View rhs. Any other overlap of x with rhs or a coefficient is an error. Coefficients and a separate rhs
/// keep their values.
/// \par Reproducibility
/// The same bits from run to run and for any number of threads.
/// \throws std::invalid_argument for different extents, forbidden aliasing, and n or a batch out of range
/// \par Source
/// L. H. Thomas 1949; R. W. Hockney, J. ACM 12 (1965); Y. Zhang, J. Cohen, J. D. Owens, PPoPP 2010. Partition: H. H.
/// Wang, ACM TOMS 7 (1981). Pivoting: S. J. Wright 1992; C. Klein and R. Strzodka 2021.
template <ExecutionSpace Exec, TridiagonalScalar T>
class Tridiagonal {
 public:
  using execution_space = Exec;                         ///< execution space of the plan
  using scalar = T;                                     ///< number type of the systems
  using Coefficient = TridiagonalCoefficient<Exec, T>;  ///< coefficient of the systems

  /// Makes the plan; allocates the workspace.
  /// \param space instance of the allocations
  /// \param shape systems
  /// \param setup algorithm and options
  /// \throws std::invalid_argument for less than one row, a negative batch, or an intermediate size out of range
  Tridiagonal(Exec const& space, TridiagonalShape const& shape, TridiagonalSetup const& setup = {});

  /// Solves all systems. Asynchronous.
  /// \param space instance of the kernels
  /// \param lower coefficient of x(k-1)
  /// \param diagonal coefficient of x(k)
  /// \param upper coefficient of x(k+1)
  /// \param rhs right-hand side
  /// \param x solution
  template <ViewFor<Exec> R, ViewFor<Exec> X>
    requires(std::same_as<typename R::non_const_value_type, T> && std::same_as<typename X::value_type, T>)
  void solve(Exec const& space, Coefficient const& lower, Coefficient const& diagonal, Coefficient const& upper,
             R const& rhs, X const& x) {
    solve_any(space, lower, diagonal, upper, detail::any_view<T const>(rhs), detail::any_view<T>(x));
  }

  /// Solves all systems, then computes residual, pivot growth and breakdown. Fences `space`. Needs
  /// TridiagonalSetup::check. Costs about one more solve. The plan keeps a copy of rhs, and 32 bytes per system of more
  /// than growth_rows rows.
  template <ViewFor<Exec> R, ViewFor<Exec> X>
    requires(std::same_as<typename R::non_const_value_type, T> && std::same_as<typename X::value_type, T>)
  TridiagonalReport solve_checked(Exec const& space, Coefficient const& lower, Coefficient const& diagonal,
                                  Coefficient const& upper, R const& rhs, X const& x) {
    return check_any(space, lower, diagonal, upper, detail::any_view<T const>(rhs), detail::any_view<T>(x));
  }

  /// Keeps the matrices for solve(space, rhs, x); shared coefficients are kept once. On a device one matrix for all
  /// systems of a large batch is eliminated here, and its factors are kept, too: about 5 values per row. Asynchronous.
  /// Allocates at the first call, and later only for other sizes.
  /// \param space instance of the kernels
  /// \param lower coefficient of x(k-1)
  /// \param diagonal coefficient of x(k)
  /// \param upper coefficient of x(k+1)
  void factor(Exec const& space, Coefficient const& lower, Coefficient const& diagonal, Coefficient const& upper);

  /// Solves with the matrices of factor(). Asynchronous.
  /// \param space instance of the kernels
  /// \param rhs right-hand side
  /// \param x solution
  /// \throws std::invalid_argument before factor()
  template <ViewFor<Exec> R, ViewFor<Exec> X>
    requires(std::same_as<typename R::non_const_value_type, T> && std::same_as<typename X::value_type, T>)
  void solve(Exec const& space, R const& rhs, X const& x) {
    solve_factored(space, detail::any_view<T const>(rhs), detail::any_view<T>(x));
  }

  /// Algorithm of the plan: the requested one, or its choice.
  TridiagonalAlgorithm algorithm() const;
  /// Systems of the plan.
  TridiagonalShape const& shape() const;

  /// Bytes of the plan in the memory of `Exec`.
  std::int64_t workspace_bytes() const;
  /// The same before a plan is made, without the matrices that factor() keeps. The plan sizes its workspace by the
  /// threads of `space`. Throws std::invalid_argument as the constructor does.
  static std::int64_t workspace_bytes(Exec const& space, TridiagonalShape const& shape,
                                      TridiagonalSetup const& setup = {});

 private:
  void solve_any(Exec const& space, Coefficient const& lower, Coefficient const& diagonal, Coefficient const& upper,
                 detail::AnyView<T const> const& rhs, detail::AnyView<T> const& x);
  TridiagonalReport check_any(Exec const& space, Coefficient const& lower, Coefficient const& diagonal,
                              Coefficient const& upper, detail::AnyView<T const> const& rhs,
                              detail::AnyView<T> const& x);
  void solve_factored(Exec const& space, detail::AnyView<T const> const& rhs, detail::AnyView<T> const& x);

  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                                        \
  extern template class Tridiagonal<Exec, float>;                  \
  extern template class Tridiagonal<Exec, double>;                 \
  extern template class Tridiagonal<Exec, Kokkos::complex<float>>; \
  extern template class Tridiagonal<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
