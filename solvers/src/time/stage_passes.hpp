// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Passes over vectors in a step of a TimeIntegrator, as bodies of vector_pass(). A step of no length keeps the bits.
#pragma once

#include "common/team_results.hpp"
#include "step_clock.hpp"
#include <karman/solvers/time/time_integrators_options.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>

namespace karman::detail {

/// Common parts of a body: no results and no work besides the elements.
template <class T, int inputs_, int outputs_, int results_ = 0>
struct TimePass {
  using real = T;
  static constexpr int inputs = inputs_, outputs = outputs_, results = results_;
  T const* in[inputs];
  T* out[outputs > 0 ? outputs : 1];
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::maximum; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
};

/// to = base_weight base + from_weight from + factor dt k. `mixes`: from_weight is not 0.
template <class T, bool mixes, bool local>
struct StagePass : TimePass<T, 2 + int(mixes) + int(local), 1> {
  using Base = TimePass<T, 2 + int(mixes) + int(local), 1>;  ///< inputs: base, k, from if mixes, dt if local
  using Base::inputs;
  T base_weight, from_weight;
  double factor;
  double const* dt;  ///< null for 1, and for local steps
  T scale;
  KOKKOS_INLINE_FUNCTION StagePass prepared() const {
    StagePass copy = *this;
    copy.scale = static_cast<T>(dt != nullptr ? factor * *dt : factor);
    return copy;
  }
  KOKKOS_INLINE_FUNCTION void operator()(T const (&a)[inputs], T (&b)[1], double, double (&)[1]) const {
    T step = scale;
    if constexpr (local) step *= a[inputs - 1];
    T start = a[0];
    if constexpr (mixes) start = base_weight * a[0] + from_weight * a[2];
    b[0] = step == 0 ? a[0] : start + step * a[1];
  }
};

/// d <- keep d + dt k, u <- u + add d. `first`: keep is 0, and d is not read.
template <class T, bool first, bool local>
struct LowStoragePass : TimePass<T, 2 + int(!first) + int(local), 2> {
  using Base = TimePass<T, 2 + int(!first) + int(local), 2>;  ///< inputs: u, k, d if not first, dt if local
  using Base::inputs;
  T keep, add;
  double const* dt;  ///< null for local steps
  T step;
  KOKKOS_INLINE_FUNCTION LowStoragePass prepared() const {
    LowStoragePass copy = *this;
    if constexpr (!local) copy.step = static_cast<T>(*dt);
    return copy;
  }
  KOKKOS_INLINE_FUNCTION void operator()(T const (&a)[inputs], T (&b)[2], double, double (&)[1]) const {
    T h = step;
    if constexpr (local) h = a[inputs - 1];
    T d = h * a[1];
    if constexpr (!first) d += keep * a[2];
    b[0] = d;
    b[1] = h == 0 ? a[0] : a[0] + add * d;
  }
};

/// u += sum over j of w_j k_j.
template <class T, int nodes>
struct AdamsPass : TimePass<T, 1 + nodes, 1> {  ///< inputs: u, the derivatives from the newest to the oldest
  double const* weights;
  T weight[nodes];
  KOKKOS_INLINE_FUNCTION AdamsPass prepared() const {
    AdamsPass copy = *this;
    for (int j = 0; j < nodes; ++j) copy.weight[j] = static_cast<T>(weights[j]);
    return copy;
  }
  KOKKOS_INLINE_FUNCTION void operator()(T const (&a)[1 + nodes], T (&b)[1], double, double (&)[1]) const {
    T sum = 0;
    for (int j = 0; j < nodes; ++j) sum += weight[j] * a[1 + j];
    b[0] = weight[0] == 0 ? a[0] : a[0] + sum;
  }
};

/// Largest rate, infinite where one is negative or not a number. Then the clock, which needs it.
template <class T>
struct LargestRate : TimePass<T, 1, 0, 1> {
  StepClock clock;
  KOKKOS_INLINE_FUNCTION LargestRate prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void operator()(T const (&a)[1], T (&)[1], double, double (&found)[1]) const {
    double const rate = static_cast<double>(a[0]);
    found[0] = rate >= 0 ? rate : HUGE_VAL;
  }
  KOKKOS_INLINE_FUNCTION void last_thread() const { clock(0); }
};

/// dt of each number from its rate; inputs: rate, dt of the step before.
template <class T>
struct LocalSteps : TimePass<T, 2, 1> {
  StepControl control;
  double const* numbers;
  bool first;       ///< there is no dt of a step before
  double smallest;  ///< dt of the largest rate
  KOKKOS_INLINE_FUNCTION LocalSteps prepared() const {
    LocalSteps copy = *this;
    copy.smallest = numbers[ClockNumbers::dt];
    return copy;
  }
  KOKKOS_INLINE_FUNCTION void operator()(T const (&a)[2], T (&b)[1], double, double (&)[1]) const {
    double const rate = static_cast<double>(a[0]);
    double const before = static_cast<double>(a[1]);
    double dt = control.local_ratio * smallest;
    // A product of rates and steps, not a quotient: a rate may be 0.
    if (dt * rate > control.cfl) dt = control.cfl / rate;
    if (control.dt_max > 0 && dt > control.dt_max) dt = control.dt_max;
    if (!first && dt > control.growth * before) dt = control.growth * before;
    b[0] = static_cast<T>(smallest > 0 ? dt : 0.0);
  }
};

/// 1 where a value is not finite.
template <class T>
struct NotFinite : TimePass<T, 1, 0, 1> {
  KOKKOS_INLINE_FUNCTION NotFinite prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void operator()(T const (&a)[1], T (&)[1], double, double (&found)[1]) const {
    found[0] = a[0] - a[0] == 0 ? 0.0 : 1.0;
  }
};

}  // namespace karman::detail
