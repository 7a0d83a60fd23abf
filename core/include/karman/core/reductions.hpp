// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Reductions of fields, or of a function of the index, to one result in one pass and one kernel.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/core/concepts.hpp>
#include <karman/core/detail/reductions_launch.hpp>
#include <karman/core/detail/reductions_named.hpp>
#include <karman/core/detail/reductions_rescale.hpp>
#include <karman/core/error.hpp>
#include <karman/core/reduction_operations.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace karman {

/// Number with an order: integers and floating-point numbers.
template <class T>
concept OrderedScalar = std::is_arithmetic_v<T>;

/// Number type of a field: OrderedScalar or Kokkos::complex.
template <class T>
concept Scalar = OrderedScalar<T> || detail::IsComplex<T>::value;

/// View of rank 1, 2 or 3 of numbers in memory that the kernels of `Exec` reach, in any layout.
template <class V, class Exec>
concept ScalarField =
    ViewFor<V, Exec> && int(V::rank) >= 1 && int(V::rank) <= 3 && Scalar<typename V::non_const_value_type>;

/// ScalarField of numbers with an order.
template <class V, class Exec>
concept OrderedField = ScalarField<V, Exec> && OrderedScalar<typename V::non_const_value_type>;

/// ScalarField of floating-point numbers.
template <class V, class Exec>
concept RealField = OrderedField<V, Exec> && std::is_floating_point_v<typename V::non_const_value_type>;

/// View with the rank and the number type of `A`.
template <class V, class A>
concept FieldLike = Kokkos::is_view<V>::value && int(V::rank) == int(A::rank) &&
                    std::is_same_v<typename V::non_const_value_type, typename A::non_const_value_type>;

/// View of one `T`, of rank 0 and not const, in memory that the kernels of `Exec` reach.
template <class R, class Exec, class T>
concept ResultView = ViewFor<R, Exec> && int(R::rank) == 0 && std::is_same_v<typename R::value_type, T>;

/// View of rank 0 for a sum of `T`s, of a number type of the caller's choice.
template <class R, class Exec, class T>
concept SumView = ViewFor<R, Exec> && int(R::rank) == 0 && Scalar<typename R::value_type> &&
                  std::is_convertible_v<T, typename R::value_type>;

/// Number type of a View, without const.
template <class V>
using ScalarOf = typename V::non_const_value_type;

/// Plan for reductions on one execution space.
///
/// Every thread joins its own values one after the other, several at a time in independent accumulators. A tree in team
/// scratch joins the threads of a team. The last team to arrive joins the teams: one kernel in all.
///
/// Every reduction has two forms. With a result View of rank 0 the result stays in the memory of that View. Without one
/// the call returns the result.
/// \par Views
/// Fields of rank 1 to 3 in any layout. All fields of one reduction have equal extents. Contiguous fields are read in
/// units of 16 bytes; others by rows, without a division per value.
/// \par Special values
/// An empty reduction gives the identity of the operation, named with each. One NaN among the values makes the result
/// NaN.
/// \par Cost
/// One read of every field; 1 to 3 operations per value.
/// \par Synchrony
/// Calls with a result View are asynchronous on `space`. Calls that return the result fence `space`. Nothing is
/// allocated, and no other instance is waited for. The workspace serves one reduction at a time: use one instance, or
/// one plan per instance.
/// \par Reproducibility
/// The distribution of values to threads depends on n alone. Every result, sums included, has the same bits from run to
/// run and for any number of threads. Backends, layouts and tunings differ in the last bits of a sum.
/// \throws std::invalid_argument for fields of different extents
/// \par Source
/// R. P. Brent, The parallel evaluation of general arithmetic expressions, J. ACM 21 (1974): serial work first, the
/// tree last.
/// \tparam Exec execution space
/// \tparam Table table of tunings
template <ExecutionSpace Exec, class Table = ReductionTable<Exec>>
class Reducer {
 public:
  using execution_space = Exec;  ///< execution space of the plan

  /// Allocates the workspace and fences `space`.
  /// \param space instance for the first initialisation
  /// \param tuning number and size of the teams
  /// \throws std::invalid_argument for a tuning out of range
  explicit Reducer(Exec const& space, ReductionTuning const& tuning = Table::tuning);

  Reducer(Reducer&&) noexcept = default;
  Reducer& operator=(Reducer&&) noexcept = default;
  Reducer(Reducer const&) = delete;
  Reducer& operator=(Reducer const&) = delete;
  ~Reducer() = default;

  /// Reduction of map(i), 0 <= i < n.
  /// \param space instance of the kernel
  /// \param n number of values, 0 or more
  /// \param map KOKKOS_FUNCTION of std::int64_t without side effects, called once or more per index
  /// \param op ReductionOperation
  /// \param result View of rank 0 for the result
  /// \throws std::invalid_argument for n < 0
  template <class Map, ReductionOperation Op, ResultView<Exec, ReductionResult<Op>> R>
    requires(ReductionValue<std::invoke_result_t<Map const&, std::int64_t>, Op>)
  void reduce(Exec const& space, std::int64_t n, Map const& map, Op const& op, R const& result) {
    require(n >= 0, "the number of values to reduce must not be negative");
    launch(space, "karman::reductions::reduce", detail::IndexedSource<Map>{map, n}, op, detail::OwnFinish<Op>{op},
           result.data());
  }
  /// Reduction of map(i), 0 <= i < n, as the return value. Fences `space`.
  template <class Map, ReductionOperation Op>
    requires(ReductionValue<std::invoke_result_t<Map const&, std::int64_t>, Op>)
  ReductionResult<Op> reduce(Exec const& space, std::int64_t n, Map const& map, Op const& op) {
    require(n >= 0, "the number of values to reduce must not be negative");
    auto* const result = on_host<ReductionResult<Op>>();
    launch(space, "karman::reductions::reduce", detail::IndexedSource<Map>{map, n}, op, detail::OwnFinish<Op>{op},
           result);
    return fetch(space, result);
  }

  /// Reduction of map(k, j, i) over a box, i fastest.
  /// \param space instance of the kernel
  /// \param extents extents of the box (k, j, i), 0 or more each
  /// \param map KOKKOS_FUNCTION of three ints without side effects, called once or more per index
  /// \param op ReductionOperation
  /// \param result View of rank 0 for the result
  /// \throws std::invalid_argument for a negative extent
  template <class Map, ReductionOperation Op, ResultView<Exec, ReductionResult<Op>> R>
    requires(ReductionValue<std::invoke_result_t<Map const&, int, int, int>, Op>)
  void reduce(Exec const& space, std::array<int, 3> const& extents, Map const& map, Op const& op, R const& result) {
    launch(space, "karman::reductions::reduce", box(extents, map), op, detail::OwnFinish<Op>{op}, result.data());
  }
  /// Reduction of map(k, j, i) over a box, as the return value. Fences `space`.
  template <class Map, ReductionOperation Op>
    requires(ReductionValue<std::invoke_result_t<Map const&, int, int, int>, Op>)
  ReductionResult<Op> reduce(Exec const& space, std::array<int, 3> const& extents, Map const& map, Op const& op) {
    auto* const result = on_host<ReductionResult<Op>>();
    launch(space, "karman::reductions::reduce", box(extents, map), op, detail::OwnFinish<Op>{op}, result);
    return fetch(space, result);
  }

  /// Greatest value. Empty field: -infinity, or the lowest integer.
  template <OrderedField<Exec> A, ResultView<Exec, ScalarOf<A>> Result>
  void max(Exec const& space, A const& a, Result const& result) {
    Of<A>::max(space, workspace(), detail::field_set(a), result.data());
  }
  /// Greatest value, as the return value. Fences `space`.
  template <OrderedField<Exec> A>
  ScalarOf<A> max(Exec const& space, A const& a) {
    auto* const result = on_host<ScalarOf<A>>();
    Of<A>::max(space, workspace(), detail::field_set(a), result);
    return fetch(space, result);
  }

  /// Least value. Empty field: +infinity, or the highest integer.
  template <OrderedField<Exec> A, ResultView<Exec, ScalarOf<A>> Result>
  void min(Exec const& space, A const& a, Result const& result) {
    Of<A>::min(space, workspace(), detail::field_set(a), result.data());
  }
  /// Least value, as the return value. Fences `space`.
  template <OrderedField<Exec> A>
  ScalarOf<A> min(Exec const& space, A const& a) {
    auto* const result = on_host<ScalarOf<A>>();
    Of<A>::min(space, workspace(), detail::field_set(a), result);
    return fetch(space, result);
  }

  /// Least and greatest value, in one pass.
  template <OrderedField<Exec> A, ResultView<Exec, MinMax<ScalarOf<A>>> Result>
  void min_max(Exec const& space, A const& a, Result const& result) {
    Of<A>::min_max(space, workspace(), detail::field_set(a), result.data());
  }
  /// Least and greatest value, as the return value. Fences `space`.
  template <OrderedField<Exec> A>
  MinMax<ScalarOf<A>> min_max(Exec const& space, A const& a) {
    auto* const result = on_host<MinMax<ScalarOf<A>>>();
    Of<A>::min_max(space, workspace(), detail::field_set(a), result);
    return fetch(space, result);
  }

  /// Least value, greatest value and sum, in one pass.
  template <OrderedField<Exec> A, ResultView<Exec, MinMaxSum<ScalarOf<A>, SumType<ScalarOf<A>>>> Result>
  void min_max_sum(Exec const& space, A const& a, Result const& result) {
    Of<A>::min_max_sum(space, workspace(), detail::field_set(a), result.data());
  }
  /// Least value, greatest value and sum, as the return value. Fences `space`.
  template <OrderedField<Exec> A>
  MinMaxSum<ScalarOf<A>, SumType<ScalarOf<A>>> min_max_sum(Exec const& space, A const& a) {
    auto* const result = on_host<MinMaxSum<ScalarOf<A>, SumType<ScalarOf<A>>>>();
    Of<A>::min_max_sum(space, workspace(), detail::field_set(a), result);
    return fetch(space, result);
  }

  /// Maximum norm, max |a|, unsigned for integers. Empty field: 0.
  template <ScalarField<Exec> A, ResultView<Exec, Magnitude<ScalarOf<A>>> Result>
  void max_abs(Exec const& space, A const& a, Result const& result) {
    Of<A>::max_abs(space, workspace(), detail::field_set(a), result.data());
  }
  /// Maximum norm, as the return value. Fences `space`.
  template <ScalarField<Exec> A>
  Magnitude<ScalarOf<A>> max_abs(Exec const& space, A const& a) {
    auto* const result = on_host<Magnitude<ScalarOf<A>>>();
    Of<A>::max_abs(space, workspace(), detail::field_set(a), result);
    return fetch(space, result);
  }

  /// Maximum norm, max |a|: another name of max_abs().
  template <ScalarField<Exec> A, ResultView<Exec, Magnitude<ScalarOf<A>>> Result>
  void norm_linf(Exec const& space, A const& a, Result const& result) {
    max_abs(space, a, result);
  }
  /// Maximum norm, as the return value. Fences `space`.
  template <ScalarField<Exec> A>
  Magnitude<ScalarOf<A>> norm_linf(Exec const& space, A const& a) {
    return max_abs(space, a);
  }

  /// Maximum difference, max |a - b|, unsigned for integers. Empty fields: 0.
  template <ScalarField<Exec> A, FieldLike<A> B, ResultView<Exec, Magnitude<ScalarOf<A>>> Result>
  void max_abs_difference(Exec const& space, A const& a, B const& b, Result const& result) {
    Of<A>::max_abs_difference(space, workspace(), detail::field_set(a, b), result.data());
  }
  /// Maximum difference, as the return value. Fences `space`.
  template <ScalarField<Exec> A, FieldLike<A> B>
  Magnitude<ScalarOf<A>> max_abs_difference(Exec const& space, A const& a, B const& b) {
    auto* const result = on_host<Magnitude<ScalarOf<A>>>();
    Of<A>::max_abs_difference(space, workspace(), detail::field_set(a, b), result);
    return fetch(space, result);
  }

  /// Relative difference, max |a - b| / max |a|, in real numbers. Gives 0 where both maxima are 0, and for empty
  /// fields.
  template <ScalarField<Exec> A, FieldLike<A> B, ResultView<Exec, RealOf<ScalarOf<A>>> Result>
  void relative_difference(Exec const& space, A const& a, B const& b, Result const& result) {
    Of<A>::relative_difference(space, workspace(), detail::field_set(a, b), result.data());
  }
  /// Relative difference, as the return value. Fences `space`.
  template <ScalarField<Exec> A, FieldLike<A> B>
  RealOf<ScalarOf<A>> relative_difference(Exec const& space, A const& a, B const& b) {
    auto* const result = on_host<RealOf<ScalarOf<A>>>();
    Of<A>::relative_difference(space, workspace(), detail::field_set(a, b), result);
    return fetch(space, result);
  }

  /// Relative difference in the 1-norm, sum |a - b| / sum |a|. Gives 0 where both sums are 0, and for empty fields.
  template <ScalarField<Exec> A, FieldLike<A> B, ResultView<Exec, RealOf<ScalarOf<A>>> Result>
  void relative_difference_l1(Exec const& space, A const& a, B const& b, Result const& result) {
    Of<A>::relative_difference_l1(space, workspace(), detail::field_set(a, b), result.data());
  }
  /// Relative difference in the 1-norm, as the return value. Fences `space`.
  template <ScalarField<Exec> A, FieldLike<A> B>
  RealOf<ScalarOf<A>> relative_difference_l1(Exec const& space, A const& a, B const& b) {
    auto* const result = on_host<RealOf<ScalarOf<A>>>();
    Of<A>::relative_difference_l1(space, workspace(), detail::field_set(a, b), result);
    return fetch(space, result);
  }

  /// Relative difference in the 2-norm, sqrt(sum |a - b|^2) / sqrt(sum |a|^2). Gives 0 where both are 0, and for empty
  /// fields. Squares are scaled as in norm_l2().
  template <ScalarField<Exec> A, FieldLike<A> B, ResultView<Exec, RealOf<ScalarOf<A>>> Result>
  void relative_difference_l2(Exec const& space, A const& a, B const& b, Result const& result) {
    Of<A>::relative_difference_l2(space, workspace(), detail::field_set(a, b), result.data());
  }
  /// Relative difference in the 2-norm, as the return value. Fences `space`.
  template <ScalarField<Exec> A, FieldLike<A> B>
  RealOf<ScalarOf<A>> relative_difference_l2(Exec const& space, A const& a, B const& b) {
    auto* const result = on_host<RealOf<ScalarOf<A>>>();
    Of<A>::relative_difference_l2(space, workspace(), detail::field_set(a, b), result);
    return fetch(space, result);
  }

  /// Greatest speed of a plane flow, max sqrt(u^2 + v^2), for the time step of a CFL condition. Empty fields: 0.
  /// Squares are scaled as in norm_l2().
  template <RealField<Exec> A, FieldLike<A> B, ResultView<Exec, ScalarOf<A>> Result>
  void max_speed(Exec const& space, A const& u, B const& v, Result const& result) {
    Of<A>::max_speed(space, workspace(), detail::field_set(u, v), result.data());
  }
  /// Greatest speed of a plane flow, as the return value. Fences `space`.
  template <RealField<Exec> A, FieldLike<A> B>
  ScalarOf<A> max_speed(Exec const& space, A const& u, B const& v) {
    auto* const result = on_host<ScalarOf<A>>();
    Of<A>::max_speed(space, workspace(), detail::field_set(u, v), result);
    return fetch(space, result);
  }

  /// Greatest speed of a flow in space, max sqrt(u^2 + v^2 + w^2). Empty fields: 0.
  /// Squares are scaled as in norm_l2().
  template <RealField<Exec> A, FieldLike<A> B, FieldLike<A> C, ResultView<Exec, ScalarOf<A>> Result>
  void max_speed(Exec const& space, A const& u, B const& v, C const& w, Result const& result) {
    Of<A>::max_speed(space, workspace(), detail::field_set(u, v, w), result.data());
  }
  /// Greatest speed of a flow in space, as the return value. Fences `space`.
  template <RealField<Exec> A, FieldLike<A> B, FieldLike<A> C>
  ScalarOf<A> max_speed(Exec const& space, A const& u, B const& v, C const& w) {
    auto* const result = on_host<ScalarOf<A>>();
    Of<A>::max_speed(space, workspace(), detail::field_set(u, v, w), result);
    return fetch(space, result);
  }

  /// Sum, in the number type of the result View. Every value is converted before it is added. Empty field: 0.
  /// \par Accuracy
  /// With d values added one after the other in each accumulator (docs/reductions.md), the error is at most (d + log2
  /// n) eps sum|a| to first order.
  template <ScalarField<Exec> A, SumView<Exec, ScalarOf<A>> Result>
  void sum(Exec const& space, A const& a, Result const& result) {
    Sums<A, typename Result::value_type>::sum(space, workspace(), detail::field_set(a), result.data());
  }
  /// Sum, as the return value, in the type S as in `sum<double>(space, a)`, or in SumType. Fences `space`.
  template <class S = void, ScalarField<Exec> A>
  auto sum(Exec const& space, A const& a) {
    using Number = std::conditional_t<std::is_void_v<S>, SumType<ScalarOf<A>>, S>;
    auto* const result = on_host<Number>();
    Sums<A, Number>::sum(space, workspace(), detail::field_set(a), result);
    return fetch(space, result);
  }

  /// Sum of magnitudes, sum |a|, in the number type of the result View. Empty field: 0.
  template <ScalarField<Exec> A, SumView<Exec, RealOf<ScalarOf<A>>> Result>
  void norm_l1(Exec const& space, A const& a, Result const& result) {
    Sums<A, typename Result::value_type>::norm_l1(space, workspace(), detail::field_set(a), result.data());
  }
  /// Sum of magnitudes, as the return value, in the type S, or in RealOf. Fences `space`.
  template <class S = void, ScalarField<Exec> A>
  auto norm_l1(Exec const& space, A const& a) {
    using Number = std::conditional_t<std::is_void_v<S>, RealOf<ScalarOf<A>>, S>;
    auto* const result = on_host<Number>();
    Sums<A, Number>::norm_l1(space, workspace(), detail::field_set(a), result);
    return fetch(space, result);
  }

  /// Euclidean norm, sqrt(sum |a|^2), in the number type of the result View. Empty field: 0.
  /// Squares of very large and very small numbers are scaled.
  /// So every norm is right that the number type can hold.
  template <ScalarField<Exec> A, SumView<Exec, RealOf<ScalarOf<A>>> Result>
  void norm_l2(Exec const& space, A const& a, Result const& result) {
    Sums<A, typename Result::value_type>::norm_l2(space, workspace(), detail::field_set(a), result.data());
  }
  /// Euclidean norm, as the return value, in the type S, or in RealOf. Fences `space`.
  template <class S = void, ScalarField<Exec> A>
  auto norm_l2(Exec const& space, A const& a) {
    using Number = std::conditional_t<std::is_void_v<S>, RealOf<ScalarOf<A>>, S>;
    auto* const result = on_host<Number>();
    Sums<A, Number>::norm_l2(space, workspace(), detail::field_set(a), result);
    return fetch(space, result);
  }

  /// Field mapped to [0, 1], out = (in - min in) / (max in - min in), in two kernels. A constant field becomes 0. One
  /// NaN makes every value NaN. Differences of integers are exact.
  /// \param space instance of the kernels
  /// \param in field of finite values
  /// \param out field of float or double with the rank and extents of `in`, in any layout; may be `in`
  /// \par Synchrony
  /// Asynchronous on `space`.
  /// \throws std::invalid_argument for fields of different extents
  template <OrderedField<Exec> In, OrderedField<Exec> Out>
    requires(int(In::rank) == int(Out::rank) && std::is_floating_point_v<typename Out::value_type>)
  void rescale_to_unit(Exec const& space, In const& in, Out const& out) {
    using T = ScalarOf<In>;
    auto* const range = reinterpret_cast<MinMax<T>*>(scalars_.data());
    Of<In>::min_max(space, workspace(), detail::field_set(in), range);
    detail::rescale(space, in, out, range);
  }

  /// Bytes of the workspace in the memory of `Exec`.
  std::int64_t workspace_bytes() const {
    return static_cast<std::int64_t>(partials_.extent(0) + scalars_.extent(0) + sizeof(int));
  }

 private:
  static constexpr std::size_t max_value_bytes = 64;
  template <class A>
  using Of = detail::FieldReductions<Exec, Table, ScalarOf<A>>;
  template <class A, class S>
  using Sums = detail::FieldSums<Exec, Table, ScalarOf<A>, S>;

  detail::ReductionWorkspace workspace() const { return {tuning_, partials_.data(), arrivals_.data()}; }

  template <class Map>
  static detail::BoxSource<Map, int> box(std::array<int, 3> const& extents, Map const& map) {
    require(std::min({extents[0], extents[1], extents[2]}) >= 0, "the extents to reduce over must not be negative");
    return {map, {{extents[0], extents[1], extents[2]}}};
  }

  template <class Source, class Op, class Finish, class R>
  void launch(Exec const& space, char const* label, Source const& source, Op const& op, Finish const& finish,
              R* result) {
    detail::launch_reduction<Exec, Table>(space, label, workspace(), source, op, finish, result);
  }

  /// Memory of the host in which the last team leaves the result itself: no copy follows the kernel.
  template <class R>
  R* on_host() const {
    static_assert(sizeof(R) <= max_value_bytes);
    return reinterpret_cast<R*>(host_result_.data());
  }
  template <class R>
  R fetch(Exec const& space, R const* result) const {
    compat::fence(space, "karman::reductions::result");
    return *result;
  }

  ReductionTuning tuning_;
  Kokkos::View<unsigned char*, typename Exec::memory_space> partials_;
  Kokkos::View<unsigned char*, typename Exec::memory_space> scalars_;
  Kokkos::View<int, typename Exec::memory_space> arrivals_;
  Kokkos::View<unsigned char*, typename detail::HostReadable<Exec>::memory_space> host_result_;
};

template <ExecutionSpace Exec, class Table>
Reducer<Exec, Table>::Reducer(Exec const& space, ReductionTuning const& tuning) : tuning_(tuning) {
  require(tuning.max_teams >= 1, "a reduction needs at least one team");
  require(tuning.team_size >= 1 && tuning.team_size <= 1024, "the team size of a reduction must be from 1 to 1024");
  auto const bytes = [&](char const* label) {
    return Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label));
  };
  partials_ = decltype(partials_)(bytes("karman::reductions::partials"),
                                  static_cast<std::size_t>(tuning.max_teams) * max_value_bytes);
  scalars_ = decltype(scalars_)(bytes("karman::reductions::scalars"), max_value_bytes);
  arrivals_ = decltype(arrivals_)(bytes("karman::reductions::arrivals"));
  host_result_ = decltype(host_result_)(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string("karman::reductions::host_result")), max_value_bytes);
  Kokkos::parallel_for("karman::reductions::clear", Kokkos::RangePolicy<Exec>(space, 0, 1),
                       detail::ClearArrivals{arrivals_.data()});
  compat::fence(space, "karman::reductions::ready");
}

}  // namespace karman
