// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Transforms on the host, planned by rules: passes along one axis each, line by line within the caches. Independent of
/// Kokkos.
///
/// FFTW's own rules (FFTW_ESTIMATE) count operations and not cache misses. In place, or with large strides, their
/// choice takes up to ten times as long as the best one. On processors with AVX2, lines without factors above 7 go
/// through vectors, several at a time: StockhamTransform, or HalfLengthTransform for even real ones. FFTW has all
/// others, and short contiguous powers of two: for those its rules are good. A pass of FFTW over lines with a stride
/// copies neighboring ones to a buffer, where their values are contiguous. The groups do not depend on the number of
/// threads, so that every number gives the same bits.
#pragma once

#include "fftw_plan.hpp"
#include <karman/core/plan_state.hpp>

#include <cstdint>

namespace karman::detail {

/// The passes of one transform, for a number of workers that run at the same time.
template <class T>
class LinePasses {
 public:
  LinePasses(DftShape const& shape, DftKind kind, int workers);
  /// One of FFTW's own real transforms along one axis; not for dst5, dst6, dst7.
  LinePasses(DftShape const& shape, Trigonometric kind, bool forward, int workers);

  /// False for small fields, shapes without contiguous values, or a fastest axis of one value: FFTW's own plan suits
  /// them.
  static bool suits(DftShape const& shape, DftKind kind);
  static bool suits(DftShape const& shape, Trigonometric kind, bool forward);

  int workers() const;
  /// All workers end a stage before the next one begins: each reads values of the others.
  int stages() const;
  /// The part of one worker, 0 to workers() - 1. Bits do not depend on the number of workers. All kinds but
  /// real_backward keep `in`, unless it is `out`.
  void run(int stage, int worker, void const* in, void* out) const;

 private:
  /// For the least number of values from which passes are faster.
  static bool suits(DftShape const& shape, double fewest);

  struct State;
  PlanState<State> state_;
};

}  // namespace karman::detail
