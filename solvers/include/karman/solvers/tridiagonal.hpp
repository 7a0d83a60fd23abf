// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Batches of tridiagonal systems, plain and periodic, along any axis of a field.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/concepts.hpp>
#include <karman/core/error.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

namespace karman {

/// The number types in which tridiagonal systems are solved.
template <class T>
concept TridiagonalScalar = std::same_as<T, float> || std::same_as<T, double> ||
                            std::same_as<T, Kokkos::complex<float>> || std::same_as<T, Kokkos::complex<double>>;

/// How a system is solved; docs/tridiagonal.md says what each one does and costs.
enum class TridiagonalAlgorithm {
  automatic,                  ///< the plan chooses from rows, systems and backend
  thomas,                     ///< one thread a system, from the first row to the last and back
  cyclic_reduction,           ///< every second row eliminated, again and again; a team a system
  parallel_cyclic_reduction,  ///< every row reduced in every step; a team a system
  cr_pcr,                     ///< cyclic reduction down to `intermediate_size` rows, those by parallel cyclic reduction
  pcr_thomas,          ///< a lane owns several rows, the lanes' interface is solved by PCR; read and written once
  interleaved_thomas,  ///< Thomas with neighbouring lanes on neighbouring systems
  partitioned,         ///< chunks reduced to one row each, those solved the same way, chunks substituted
  pivoting             ///< scaled partial pivoting, for general systems
};

/// "automatic", "thomas", "cyclic_reduction", ...
std::string_view name(TridiagonalAlgorithm algorithm);

/// Which systems a plan solves: those that lie along one axis of Views of these extents.
struct TridiagonalShape {
  std::int64_t rows = 0;                    ///< rows of a system: the extent of `axis`
  std::array<std::int64_t, 2> batch{1, 1};  ///< extents of the other axes, in their order; systems = their product
  int rank = 1;                             ///< rank of the Views, 1 to 3
  int axis = 0;                             ///< the axis along which a system lies

  /// Systems along `axis` of Views of shape `extents`: along(0, {ny, nx}) solves nx systems of ny rows.
  /// Throws std::invalid_argument for a rank or an axis that is not there.
  static TridiagonalShape along(int axis, std::initializer_list<std::int64_t> extents);

  std::int64_t systems() const { return batch[0] * batch[1]; }
};

/// What is settled when the plan is made.
struct TridiagonalSetup {
  TridiagonalAlgorithm algorithm = TridiagonalAlgorithm::automatic;
  /// Row 0 is coupled to row n - 1 by lower(0), row n - 1 to row 0 by upper(n - 1).
  bool periodic = false;
  /// cr_pcr: rows that are left to parallel cyclic reduction; 0 takes the size that was tuned for the backend.
  std::int64_t intermediate_size = 0;
  /// Keeps room for a copy of the right-hand side, so that solve_checked() can be asked.
  bool check = false;
};

/// What solve_checked() found.
struct TridiagonalReport {
  /// Largest max_k |residual_k| / max_k (|lower x| + |diagonal x| + |upper x| + |rhs|)_k of a system: the relative
  /// backward error of the algorithm that ran, a few eps where all is well.
  double residual = 0;
  /// A property of the matrix, the same for every algorithm: the largest pivot of elimination in order, as Thomas does
  /// it, relative to the largest coefficient of the system; 1 to 2 for dominant ones, for which no algorithm here
  /// grows. A large one tells that `thomas` loses digits; what another algorithm lost shows in `residual`. Elimination
  /// starts again every `growth_rows` rows. Not computed, 0, with `pivoting`.
  double growth_in_order = 0;
  static constexpr int growth_rows = 1024;
  /// A solution that is not finite; with `thomas` and `interleaved_thomas` also a pivot that is zero or not finite.
  bool breakdown = false;
  /// The first system, in the order of the batch, and the first row of it, where that was seen; -1 without breakdown.
  std::int64_t system = -1;
  std::int64_t row = -1;
};

/// One line for people.
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

/// A coefficient of tridiagonal systems: lower, diagonal or upper. Made, without being asked, from
/// - a number: the same in every row of every system;
/// - a View of rank 1 with as many values as a system has rows: shared by all systems;
/// - a View of the shape of the plan: a value of its own for every row;
/// - shared_over(axis, view): a View that lacks one axis of the plan's shape, along which it is shared. With the
///   right-hand sides of one matrix side by side, as rhs(row, system, side), that is shared_over(2, lower(row,
///   system)).
/// Keeps a pointer, no reference count: the View must live until the solve has run.
template <ExecutionSpace Exec, TridiagonalScalar T>
class TridiagonalCoefficient {
 public:
  TridiagonalCoefficient(T const& constant) : constant_(constant) {}
  /// Any number that T can be made of, so that `1.0` serves a plan in float.
  template <class Number>
    requires(std::is_arithmetic_v<Number> && !std::same_as<Number, T>)
  TridiagonalCoefficient(Number constant) : constant_(static_cast<T>(constant)) {}
  template <ViewFor<Exec> V>
    requires std::same_as<typename V::non_const_value_type, T>
  TridiagonalCoefficient(V const& view) : view_(detail::any_view<T const>(view)), given_(true) {}

  /// A View that lacks axis `axis` of the plan's shape. Its other axes are those of the plan, in their order.
  template <ViewFor<Exec> V>
    requires std::same_as<typename V::non_const_value_type, T>
  static TridiagonalCoefficient shared_over(int axis, V const& view) {
    TridiagonalCoefficient coefficient(view);
    coefficient.missing_axis_ = axis;
    return coefficient;
  }

  detail::AnyView<T const> const& view() const { return view_; }
  bool is_constant() const { return !given_; }
  T constant() const { return constant_; }
  int missing_axis() const { return missing_axis_; }

 private:
  detail::AnyView<T const> view_{};
  T constant_{};
  bool given_ = false;
  int missing_axis_ = -1;
};

/// Solves, for every system of a batch and k = 0 .. n - 1,
///   lower(k) x(k-1) + diagonal(k) x(k) + upper(k) x(k+1) = rhs(k).
/// lower(0) and upper(n-1) are ignored, or, with `periodic`, the couplings to x(n-1) and x(0).
///
/// Views: rhs and x of the shape of the plan, any layout, in memory that `Exec` reaches; coefficients as
/// TridiagonalCoefficient says. Systems lie along any axis; nothing has to be re-ordered by the caller.
/// Several right-hand sides are systems that share their coefficients.
/// Preconditions: no rows are exchanged (but by `pivoting`), so the matrices must be diagonally dominant, positive
/// definite, or otherwise safe for elimination in order. A zero pivot shows as a solution that is not finite;
/// solve_checked() reports it.
/// Sizes: any n >= 1, any number of systems; all arithmetic on sizes has 64 bits.
/// Aliasing: x may be the View rhs itself; any other overlap of x with rhs or a coefficient is an error. Coefficients
/// and, unless it is x, rhs keep their values.
/// Cost a row (float, double; twice that for complex): 20 B, 40 B where a system fits into a team, 36 to 40 B, 72 to 80
/// B where it does not; coefficients that are shared or constant count nothing. About 20 flops and a division a row.
/// solve() is asynchronous and allocates nothing. Results are the same bits from run to run and for any number of
/// threads. Plans may be moved, not copied; one plan serves one instance at a time.
/// Errors: std::invalid_argument for extents that differ, forbidden aliasing, and n or a batch out of range.
/// Source: L. H. Thomas 1949; R. W. Hockney, J. ACM 12 (1965); Y. Zhang, J. Cohen, J. D. Owens, PPoPP 2010; H. H. Wang,
/// ACM TOMS 7 (1981) for the partition; S. J. Wright 1992 and C. Klein and
/// R. Strzodka 2021 for pivoting.
template <ExecutionSpace Exec, TridiagonalScalar T>
class Tridiagonal {
 public:
  using execution_space = Exec;
  using scalar = T;
  using Coefficient = TridiagonalCoefficient<Exec, T>;

  /// Allocates what solves of this shape need. Throws std::invalid_argument for fewer than one row, a negative batch,
  /// or an intermediate size out of range.
  Tridiagonal(Exec const& space, TridiagonalShape const& shape, TridiagonalSetup const& setup = {});

  Tridiagonal(Tridiagonal&&) noexcept;
  Tridiagonal& operator=(Tridiagonal&&) noexcept;
  ~Tridiagonal();

  /// Solves all systems. Asynchronous.
  template <ViewFor<Exec> R, ViewFor<Exec> X>
    requires(std::same_as<typename R::non_const_value_type, T> && std::same_as<typename X::value_type, T>)
  void solve(Exec const& space, Coefficient const& lower, Coefficient const& diagonal, Coefficient const& upper,
             R const& rhs, X const& x) {
    solve_any(space, lower, diagonal, upper, detail::any_view<T const>(rhs), detail::any_view<T>(x));
  }

  /// The same, then residual, pivot growth and breakdown. Needs TridiagonalSetup::check. Fences `space`. Costs about
  /// one more solve.
  template <ViewFor<Exec> R, ViewFor<Exec> X>
    requires(std::same_as<typename R::non_const_value_type, T> && std::same_as<typename X::value_type, T>)
  TridiagonalReport solve_checked(Exec const& space, Coefficient const& lower, Coefficient const& diagonal,
                                  Coefficient const& upper, R const& rhs, X const& x) {
    return check_any(space, lower, diagonal, upper, detail::any_view<T const>(rhs), detail::any_view<T>(x));
  }

  /// Keeps the matrices for solve(space, rhs, x). What is shared is kept once. Allocates at the first call, and again
  /// only when more is to be kept. Asynchronous.
  void factor(Exec const& space, Coefficient const& lower, Coefficient const& diagonal, Coefficient const& upper);

  /// Solves with the matrices of factor(). Asynchronous. Throws std::invalid_argument before factor().
  template <ViewFor<Exec> R, ViewFor<Exec> X>
    requires(std::same_as<typename R::non_const_value_type, T> && std::same_as<typename X::value_type, T>)
  void solve(Exec const& space, R const& rhs, X const& x) {
    solve_factored(space, detail::any_view<T const>(rhs), detail::any_view<T>(x));
  }

  /// The algorithm that solves: the one that was asked for or the plan's choice.
  TridiagonalAlgorithm algorithm() const;
  TridiagonalShape const& shape() const;

  /// Memory of the plan in the memory of `Exec`.
  std::int64_t workspace_bytes() const;

 private:
  void solve_any(Exec const& space, Coefficient const& lower, Coefficient const& diagonal, Coefficient const& upper,
                 detail::AnyView<T const> const& rhs, detail::AnyView<T> const& x);
  TridiagonalReport check_any(Exec const& space, Coefficient const& lower, Coefficient const& diagonal,
                              Coefficient const& upper, detail::AnyView<T const> const& rhs,
                              detail::AnyView<T> const& x);
  void solve_factored(Exec const& space, detail::AnyView<T const> const& rhs, detail::AnyView<T> const& x);

  struct State;
  std::unique_ptr<State> state_;
};

#define KARMAN_EXTERN(Exec)                                        \
  extern template class Tridiagonal<Exec, float>;                  \
  extern template class Tridiagonal<Exec, double>;                 \
  extern template class Tridiagonal<Exec, Kokkos::complex<float>>; \
  extern template class Tridiagonal<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
