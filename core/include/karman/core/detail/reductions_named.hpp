// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The named reductions, once per backend and scalar type. The library contains the reductions of float and double;
/// others are compiled where they are used.
#pragma once

#include <karman/core/detail/reductions_launch.hpp>
#include <karman/core/detail/reductions_maps.hpp>
#include <karman/core/detail/reductions_squares.hpp>

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// Sums in a number type chosen by the caller.
template <class Exec, class Table, class T, class S>
struct FieldSums {
  static void sum(Exec const& space, ReductionWorkspace const& workspace, FieldSet<T, 1> const& fields, S* result);
  static void norm_l1(Exec const& space, ReductionWorkspace const& workspace, FieldSet<T, 1> const& fields, S* result);
  static void norm_l2(Exec const& space, ReductionWorkspace const& workspace, FieldSet<T, 1> const& fields, S* result);
};

/// All others.
template <class Exec, class Table, class T>
struct FieldReductions {
  static void max(Exec const& space, ReductionWorkspace const& workspace, FieldSet<T, 1> const& fields, T* result);
  static void min(Exec const& space, ReductionWorkspace const& workspace, FieldSet<T, 1> const& fields, T* result);
  static void min_max(Exec const& space, ReductionWorkspace const& workspace, FieldSet<T, 1> const& fields,
                      MinMax<T>* result);
  static void min_max_sum(Exec const& space, ReductionWorkspace const& workspace, FieldSet<T, 1> const& fields,
                          MinMaxSum<T, SumType<T>>* result);
  static void max_abs(Exec const& space, ReductionWorkspace const& workspace, FieldSet<T, 1> const& fields,
                      Magnitude<T>* result);
  static void max_abs_difference(Exec const& space, ReductionWorkspace const& workspace, FieldSet<T, 2> const& fields,
                                 Magnitude<T>* result);
  static void relative_difference(Exec const& space, ReductionWorkspace const& workspace, FieldSet<T, 2> const& fields,
                                  RealOf<T>* result);
  static void relative_difference_l1(Exec const& space, ReductionWorkspace const& workspace,
                                     FieldSet<T, 2> const& fields, RealOf<T>* result);
  static void relative_difference_l2(Exec const& space, ReductionWorkspace const& workspace,
                                     FieldSet<T, 2> const& fields, RealOf<T>* result);
  static void max_speed(Exec const& space, ReductionWorkspace const& workspace, FieldSet<T, 2> const& fields,
                        T* result);
  static void max_speed(Exec const& space, ReductionWorkspace const& workspace, FieldSet<T, 3> const& fields,
                        T* result);
};

// Defined out of class. Definitions inside the class are inline, and would be compiled again wherever they are used.

template <class Exec, class Table, class T, class S>
void FieldSums<Exec, Table, T, S>::sum(Exec const& space, ReductionWorkspace const& workspace,
                                       FieldSet<T, 1> const& fields, S* result) {
  reduce_fields<Exec, Table>(space, "karman::reductions::sum", workspace, fields, ConvertTo<S>{}, SumOf<S>{}, AsItIs{},
                             result);
}

template <class Exec, class Table, class T, class S>
void FieldSums<Exec, Table, T, S>::norm_l1(Exec const& space, ReductionWorkspace const& workspace,
                                           FieldSet<T, 1> const& fields, S* result) {
  reduce_fields<Exec, Table>(space, "karman::reductions::norm_l1", workspace, fields, MagnitudeAs<S>{}, SumOf<S>{},
                             AsItIs{}, result);
}

template <class Exec, class Table, class T, class S>
void FieldSums<Exec, Table, T, S>::norm_l2(Exec const& space, ReductionWorkspace const& workspace,
                                           FieldSet<T, 1> const& fields, S* result) {
  if constexpr (scales_squares<T, S>) {
    reduce_fields<Exec, Table>(space, "karman::reductions::norm_l2", workspace, fields, ComponentsAs<S>{},
                               SumOfSquares<S>{}, OwnFinish<SumOfSquares<S>>{}, result);
  } else {
    reduce_fields<Exec, Table>(space, "karman::reductions::norm_l2", workspace, fields, SquareAs<S>{}, SumOf<S>{},
                               RootOf{}, result);
  }
}

template <class Exec, class Table, class T>
void FieldReductions<Exec, Table, T>::max(Exec const& space, ReductionWorkspace const& workspace,
                                          FieldSet<T, 1> const& fields, T* result) {
  reduce_fields<Exec, Table>(space, "karman::reductions::max", workspace, fields, AsItIs{}, MaxOf<T>{}, AsItIs{},
                             result);
}

template <class Exec, class Table, class T>
void FieldReductions<Exec, Table, T>::min(Exec const& space, ReductionWorkspace const& workspace,
                                          FieldSet<T, 1> const& fields, T* result) {
  reduce_fields<Exec, Table>(space, "karman::reductions::min", workspace, fields, AsItIs{}, MinOf<T>{}, AsItIs{},
                             result);
}

template <class Exec, class Table, class T>
void FieldReductions<Exec, Table, T>::min_max(Exec const& space, ReductionWorkspace const& workspace,
                                              FieldSet<T, 1> const& fields, MinMax<T>* result) {
  reduce_fields<Exec, Table>(space, "karman::reductions::min_max", workspace, fields, AsItIs{}, MinMaxOf<T>{}, AsItIs{},
                             result);
}

template <class Exec, class Table, class T>
void FieldReductions<Exec, Table, T>::min_max_sum(Exec const& space, ReductionWorkspace const& workspace,
                                                  FieldSet<T, 1> const& fields, MinMaxSum<T, SumType<T>>* result) {
  reduce_fields<Exec, Table>(space, "karman::reductions::min_max_sum", workspace, fields, AsItIs{},
                             MinMaxSumOf<T, SumType<T>>{}, AsItIs{}, result);
}

template <class Exec, class Table, class T>
void FieldReductions<Exec, Table, T>::max_abs(Exec const& space, ReductionWorkspace const& workspace,
                                              FieldSet<T, 1> const& fields, Magnitude<T>* result) {
  reduce_fields<Exec, Table>(space, "karman::reductions::max_abs", workspace, fields, MagnitudeOf{},
                             MaxOf<Magnitude<T>>{}, AtLeastZero{}, result);
}

template <class Exec, class Table, class T>
void FieldReductions<Exec, Table, T>::max_abs_difference(Exec const& space, ReductionWorkspace const& workspace,
                                                         FieldSet<T, 2> const& fields, Magnitude<T>* result) {
  reduce_fields<Exec, Table>(space, "karman::reductions::max_abs_difference", workspace, fields, DistanceOf{},
                             MaxOf<Magnitude<T>>{}, AtLeastZero{}, result);
}

template <class Exec, class Table, class T>
void FieldReductions<Exec, Table, T>::relative_difference(Exec const& space, ReductionWorkspace const& workspace,
                                                          FieldSet<T, 2> const& fields, RealOf<T>* result) {
  reduce_fields<Exec, Table>(space, "karman::reductions::relative_difference", workspace, fields,
                             DifferenceAndReference<RealOf<T>, MagnitudeOf>{},
                             BothOf<MaxOf<RealOf<T>>, MaxOf<RealOf<T>>>{}, QuotientOf<AtLeastZero>{}, result);
}

template <class Exec, class Table, class T>
void FieldReductions<Exec, Table, T>::relative_difference_l1(Exec const& space, ReductionWorkspace const& workspace,
                                                             FieldSet<T, 2> const& fields, RealOf<T>* result) {
  reduce_fields<Exec, Table>(space, "karman::reductions::relative_difference_l1", workspace, fields,
                             DifferenceAndReference<RealOf<T>, MagnitudeOf>{},
                             BothOf<SumOf<RealOf<T>>, SumOf<RealOf<T>>>{}, QuotientOf<AsItIs>{}, result);
}

template <class Exec, class Table, class T>
void FieldReductions<Exec, Table, T>::relative_difference_l2(Exec const& space, ReductionWorkspace const& workspace,
                                                             FieldSet<T, 2> const& fields, RealOf<T>* result) {
  using S = RealOf<T>;
  if constexpr (scales_squares<T, S>) {
    reduce_fields<Exec, Table>(space, "karman::reductions::relative_difference_l2", workspace, fields,
                               DifferenceAndReferenceAs<S>{}, BothOf<SumOfSquares<S>, SumOfSquares<S>>{},
                               QuotientOf<OwnFinish<SumOfSquares<S>>>{}, result);
  } else {
    reduce_fields<Exec, Table>(space, "karman::reductions::relative_difference_l2", workspace, fields,
                               DifferenceAndReference<S, SquareAs<S>>{}, BothOf<SumOf<S>, SumOf<S>>{},
                               QuotientOf<RootOf>{}, result);
  }
}

/// Greatest size of a vector.
template <class Exec, class Table, class T, int count>
void max_size(Exec const& space, ReductionWorkspace const& workspace, FieldSet<T, count> const& fields, T* result) {
  if constexpr (scales_squares<T, T>) {
    reduce_fields<Exec, Table>(space, "karman::reductions::max_speed", workspace, fields, VectorOf{}, MaxOfSquares<T>{},
                               OwnFinish<MaxOfSquares<T>>{}, result);
  } else {
    reduce_fields<Exec, Table>(space, "karman::reductions::max_speed", workspace, fields, SpeedSquared{}, MaxOf<T>{},
                               RootOf{}, result);
  }
}

template <class Exec, class Table, class T>
void FieldReductions<Exec, Table, T>::max_speed(Exec const& space, ReductionWorkspace const& workspace,
                                                FieldSet<T, 2> const& fields, T* result) {
  max_size<Exec, Table>(space, workspace, fields, result);
}

template <class Exec, class Table, class T>
void FieldReductions<Exec, Table, T>::max_speed(Exec const& space, ReductionWorkspace const& workspace,
                                                FieldSet<T, 3> const& fields, T* result) {
  max_size<Exec, Table>(space, workspace, fields, result);
}

#define KARMAN_EXTERN_REDUCTIONS(Exec)                                         \
  extern template struct FieldReductions<Exec, ReductionTable<Exec>, float>;   \
  extern template struct FieldReductions<Exec, ReductionTable<Exec>, double>;  \
  extern template struct FieldSums<Exec, ReductionTable<Exec>, float, float>;  \
  extern template struct FieldSums<Exec, ReductionTable<Exec>, float, double>; \
  extern template struct FieldSums<Exec, ReductionTable<Exec>, double, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN_REDUCTIONS)
#undef KARMAN_EXTERN_REDUCTIONS

}  // namespace karman::detail
