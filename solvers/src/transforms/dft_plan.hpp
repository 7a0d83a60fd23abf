// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One interface to the plans of FFTW, cuFFT and kokkos-fft: strided transforms over up to three axes, batched over up
/// to two.
#pragma once

#include "fftw_plan.hpp"
#include "line_passes.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/solvers/transforms/fft.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace karman::detail {

/// A plan of cuFFT without memory of its own.
template <class T>
class CufftPlan {
 public:
  CufftPlan(DftShape const& shape, DftKind kind);

  std::int64_t work_bytes() const;
  /// The same before the plan is made, as cuFFT predicts it.
  static std::int64_t work_bytes(DftShape const& shape, DftKind kind);
  void set_work(void* work);
  /// `stream` is a cudaStream_t. Returns at once.
  void execute(void* stream, void const* in, void* out) const;

 private:
  struct State;
  PlanState<State> state_;
};

/// Threads that FFTW may use for an instance.
template <ExecutionSpace Exec>
int fftw_threads(Exec const& space) {
#if defined(KOKKOS_ENABLE_SERIAL)
  if constexpr (std::is_same_v<Exec, Kokkos::Serial>) return 1;
#endif
  return static_cast<int>(space.concurrency());
}

/// A plan of FFTW on the host: by passes along lines where rules choose, otherwise as a whole.
template <ExecutionSpace Exec, Real T>
class HostPlan {
 public:
  HostPlan(Exec const& space, DftShape const& shape, DftKind kind, bool in_place, FftPlanning planning) {
    if (planning == FftPlanning::estimate && LinePasses<T>::suits(shape, kind)) {
      passes_.emplace(shape, kind, fftw_threads(space));
    } else {
      whole_.emplace(shape, kind, in_place, planning, whole_threads(space, planning));
    }
  }
  /// One of FFTW's own real transforms along one axis; not for dst5, dst6, dst7.
  HostPlan(Exec const& space, DftShape const& shape, Trigonometric kind, bool forward, bool in_place,
           FftPlanning planning) {
    if (planning == FftPlanning::estimate && LinePasses<T>::suits(shape, kind, forward)) {
      passes_.emplace(shape, kind, forward, fftw_threads(space));
    } else {
      whole_.emplace(shape, kind, forward, in_place, planning, whole_threads(space, planning));
    }
  }

  /// Returns when the transform is done. All kinds but real_backward keep `in`, unless it is `out`.
  void execute(Exec const& space, void const* in, void* out) const {
    if (whole_) return whole_->execute(in, out);
    for (int stage = 0; stage < passes_->stages(); ++stage) {
      Part const part{&*passes_, stage, in, out};
      if (passes_->workers() == 1) {
        part(0);
      } else {
        Kokkos::parallel_for("karman::fft::lines", Kokkos::RangePolicy<Exec>(space, 0, passes_->workers()), part);
      }
    }
  }

 private:
  /// By rules, only small fields have a plan for the whole. On one thread it gives the same bits everywhere.
  static int whole_threads(Exec const& space, FftPlanning planning) {
    return planning == FftPlanning::estimate ? 1 : fftw_threads(space);
  }

  /// The work of one thread. FFTW is called on the host alone, so that this is no KOKKOS_FUNCTION.
  struct Part {
    LinePasses<T> const* passes;
    int stage;
    void const* in;
    void* out;

    void operator()(int worker) const { passes->run(stage, worker, in, out); }
  };

  std::optional<LinePasses<T>> passes_;
  std::optional<FftwPlan<T>> whole_;
};

/// The plan of FFTW or of cuFFT, depending on the execution space.
template <ExecutionSpace Exec, Real T>
class LibraryPlan {
 public:
  LibraryPlan(Exec const& space, DftShape const& shape, DftKind kind, bool in_place, FftPlanning planning)
      : plan_(make(space, shape, kind, in_place, planning)) {}

  void execute(Exec const& space, void const* in, void* out) const {
    if constexpr (runs_on_host<Exec>) {
      plan_.execute(space, in, out);
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
  using Plan = std::conditional_t<runs_on_host<Exec>, HostPlan<Exec, T>, CufftPlan<T>>;

  static Plan make(Exec const& space, DftShape const& shape, DftKind kind, bool in_place, FftPlanning planning) {
    if constexpr (runs_on_host<Exec>) {
      return Plan(space, shape, kind, in_place, planning);
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

  void execute(Exec const& space, void const* in, void* out) const;
  std::int64_t work_bytes() const;
  /// At least work_bytes() on the device; unused on the host.
  void set_work(void* work);

 private:
  struct State;
  PlanState<State> state_;
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
