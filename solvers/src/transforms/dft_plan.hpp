// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One interface to the plans of FFTW, cuFFT and kokkos-fft: strided transforms over up to three axes, batched over up
/// to two.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/solvers/fft.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
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

/// Locks FFTW's planner, which has one state for the whole program, and sets its number of threads. Restores the number
/// of the rest of the program at the end.
template <class T>
class FftwPlanner {
 public:
  explicit FftwPlanner(int threads);
  ~FftwPlanner();
  FftwPlanner(FftwPlanner const&) = delete;
  FftwPlanner& operator=(FftwPlanner const&) = delete;

 private:
  std::lock_guard<std::mutex> lock_;
  int before_ = 1;
};

/// True if an address suits the processor's vector instructions. A plan of FFTW holds for addresses that equal those of
/// its planning in this respect.
template <class T>
bool fftw_aligned(void const* address);

/// A plan of FFTW for `threads` threads. Independent of Kokkos.
template <class T>
class FftwPlan {
 public:
  FftwPlan(DftShape const& shape, DftKind kind, bool in_place, FftPlanning planning, int threads);
  /// One of FFTW's own real transforms along one axis; not for dst5, dst6, dst7.
  FftwPlan(DftShape const& shape, Trigonometric kind, bool forward, bool in_place, FftPlanning planning, int threads);
  FftwPlan(FftwPlan&&) noexcept;
  FftwPlan& operator=(FftwPlan&&) noexcept;
  ~FftwPlan();

  /// Returns when the transform is done. All kinds but real_backward keep `in`, unless it is `out`. May run in several
  /// threads at a time.
  void execute(void const* in, void* out) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A plan of cuFFT without memory of its own.
template <class T>
class CufftPlan {
 public:
  CufftPlan(DftShape const& shape, DftKind kind);
  CufftPlan(CufftPlan&&) noexcept;
  CufftPlan& operator=(CufftPlan&&) noexcept;
  ~CufftPlan();

  std::int64_t work_bytes() const;
  /// The same before the plan is made, as cuFFT predicts it.
  static std::int64_t work_bytes(DftShape const& shape, DftKind kind);
  void set_work(void* work);
  /// `stream` is a cudaStream_t. Returns at once.
  void execute(void* stream, void const* in, void* out) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Threads that FFTW may use for an instance.
template <ExecutionSpace Exec>
int fftw_threads(Exec const& space) {
#if defined(KOKKOS_ENABLE_SERIAL)
  if constexpr (std::is_same_v<Exec, Kokkos::Serial>) return 1;
#endif
  return static_cast<int>(space.concurrency());
}

/// The plan of FFTW or of cuFFT, depending on the execution space.
template <ExecutionSpace Exec, Real T>
class LibraryPlan {
 public:
  LibraryPlan(Exec const& space, DftShape const& shape, DftKind kind, bool in_place, FftPlanning planning)
      : plan_(make(space, shape, kind, in_place, planning)) {}

  void execute(Exec const& space, void const* in, void* out) const {
    if constexpr (runs_on_host<Exec>) {
      (void)space;
      plan_.execute(in, out);
    } else {
      plan_.execute(space.cuda_stream(), in, out);
    }
  }

  std::int64_t work_bytes() const {
    if constexpr (runs_on_host<Exec>) {
      return 0;
    } else {
      return plan_.work_bytes();
    }
  }

  void set_work(void* work) {
    if constexpr (!runs_on_host<Exec>) {
      plan_.set_work(work);
    } else {
      (void)work;
    }
  }

 private:
  using Plan = std::conditional_t<runs_on_host<Exec>, FftwPlan<T>, CufftPlan<T>>;

  static Plan make(Exec const& space, DftShape const& shape, DftKind kind, bool in_place, FftPlanning planning) {
    if constexpr (runs_on_host<Exec>) {
      return Plan(shape, kind, in_place, planning, fftw_threads(space));
    } else {
      return Plan(shape, kind);
    }
  }

  Plan plan_;
};

/// Memory that a LibraryPlan needs to work in, before it is made.
template <ExecutionSpace Exec, Real T>
std::int64_t library_work_bytes(DftShape const& shape, DftKind kind) {
  if constexpr (runs_on_host<Exec>) {
    (void)shape, (void)kind;
    return 0;
  } else {
    return CufftPlan<T>::work_bytes(shape, kind);
  }
}

/// A plan on the memory and the instance of an execution space. On the host, execute() returns after the work, as
/// kernels there do. On a device the plan needs a work area, see share_work(). The build chooses the library: a
/// LibraryPlan (library_plan.cpp), or kokkos-fft for the transforms that it has (kokkos_fft_plan.cpp).
template <ExecutionSpace Exec, Real T>
class DftPlan {
 public:
  DftPlan(Exec const& space, DftShape const& shape, DftKind kind, bool in_place, FftPlanning planning);
  DftPlan(DftPlan&&) noexcept;
  DftPlan& operator=(DftPlan&&) noexcept;
  ~DftPlan();

  void execute(Exec const& space, void const* in, void* out) const;
  std::int64_t work_bytes() const;
  /// At least work_bytes() on the device; unused on the host.
  void set_work(void* work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

#define KARMAN_EXTERN(Exec)                   \
  extern template class DftPlan<Exec, float>; \
  extern template class DftPlan<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

/// Memory of any content in the memory space of `Exec`.
template <ExecutionSpace Exec>
using RawMemory = Kokkos::View<char*, typename Exec::memory_space>;

template <ExecutionSpace Exec>
RawMemory<Exec> raw_memory(Exec const& space, std::int64_t bytes, char const* label) {
  // Kokkos allocates a header even for no values; cuFFT takes no null pointer.
  if (bytes == 0 && runs_on_host<Exec>) return RawMemory<Exec>();
  return RawMemory<Exec>(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)),
                         static_cast<std::size_t>(bytes));
}

/// Gives plans that never run at the same time one shared workspace; the caller keeps it.
template <ExecutionSpace Exec, Real T>
RawMemory<Exec> share_work(Exec const& space, std::vector<DftPlan<Exec, T>*> const& plans) {
  std::int64_t bytes = 0;
  for (auto const* plan : plans) bytes = std::max(bytes, plan->work_bytes());
  auto const work = raw_memory(space, bytes, "karman::fft::work");
  for (auto* plan : plans) plan->set_work(work.data());
  return work;
}

}  // namespace karman::detail
