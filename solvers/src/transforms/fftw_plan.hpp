// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Shapes of transforms, and plans of FFTW for them. Independent of Kokkos.
#pragma once

#include <karman/core/plan_state.hpp>
#include <karman/solvers/transforms/fft_options.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace karman::detail {

/// Real numbers are the input of `real_forward` and the output of `real_backward`; all other sides are complex.
enum class DftKind { complex_forward, complex_backward, real_forward, real_backward };

/// A loop over `n` values; strides in elements of the array that they belong to. For a halved axis, n is the extent of
/// the real array.
struct DftDimension {
  std::int64_t n, in_stride, out_stride;
};

/// Both lists from the slowest dimension to the fastest.
struct DftShape {
  std::vector<DftDimension> transformed;
  std::vector<DftDimension> batched;
};

/// Locks FFTW's planner, which has one state for the whole program, and sets its number of threads. By rules it plans
/// without the wisdom of earlier measurements, which would change the choice. Restores the number of threads and the
/// wisdom of the rest of the program at the end.
template <class T>
class FftwPlanner {
 public:
  explicit FftwPlanner(int threads, FftPlanning planning = FftPlanning::measure);
  ~FftwPlanner();
  FftwPlanner(FftwPlanner const&) = delete;
  FftwPlanner& operator=(FftwPlanner const&) = delete;

 private:
  std::lock_guard<std::mutex> lock_;
  int before_ = 1;
  std::unique_ptr<char, void (*)(void*)> wisdom_;
};

/// True if an address suits the processor's vector instructions. A plan of FFTW holds for addresses that equal the
/// addresses of its planning in this respect.
template <class T>
bool fftw_aligned(void const* address);

/// A plan of FFTW for the whole transform and `threads` threads.
template <class T>
class FftwPlan {
 public:
  FftwPlan(DftShape const& shape, DftKind kind, bool in_place, FftPlanning planning, int threads);
  /// One of FFTW's own real transforms along one axis; not for dst5, dst6, dst7.
  FftwPlan(DftShape const& shape, Trigonometric kind, bool forward, bool in_place, FftPlanning planning, int threads);

  /// Returns when the transform is done. All kinds but real_backward keep `in`, unless it is `out`. May run in several
  /// threads at a time.
  void execute(void const* in, void* out) const;

 private:
  struct State;
  PlanState<State> state_;
};

}  // namespace karman::detail
