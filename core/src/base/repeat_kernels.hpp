// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The same kernels many times. On small fields launches take longer than kernels.
#pragma once

#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string>
#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_runtime_api.h>
#endif

namespace karman::detail {

/// Repeats kernels. On a device it keeps the graph of a call for the next one.
template <ExecutionSpace Exec>
class RepeatedKernels {
 public:
  /// Calls kernels() `times` times. It launches the same kernels with the same arguments each time, and waits for
  /// nothing; by the second call it allocates nothing. Arguments may change from one run() to the next.
  template <class Kernels>
  void run(Exec const& /*space*/, int times, Kernels const& kernels) {
    for (int n = 0; n < times; ++n) kernels();
  }
};

/// Pointers that determine the arguments of kernels.
using KernelArguments = std::array<void const*, 3>;

/// Kernels of calls that come back with the same arguments. On a device it keeps graphs of the last calls.
template <ExecutionSpace Exec>
class ReplayedKernels {
 public:
  /// Calls kernels(), which launches the same kernels for the same arguments, and waits for nothing. From its second
  /// call on it allocates nothing.
  template <class Kernels>
  void run(Exec const& /*space*/, KernelArguments const& /*arguments*/, Kernels const& kernels) {
    kernels();
  }
};

#if defined(KOKKOS_ENABLE_CUDA)

/// Kernels of a stream, recorded in place of their launch.
class RecordedKernels {
 public:
  RecordedKernels() = default;
  RecordedKernels(RecordedKernels const&) = delete;
  RecordedKernels& operator=(RecordedKernels const&) = delete;
  /// Kernels that still run end first.
  ~RecordedKernels() { clear(); }

  /// Replaces the kernels by `times` calls. Where only arguments differ the graph remains, which is several times
  /// faster than a new one.
  template <class Kernels>
  void record(cudaStream_t stream, int times, Kernels const& kernels) {
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    cudaGraph_t found = nullptr;
    try {
      for (int n = 0; n < times; ++n) kernels();
    } catch (...) {
      if (cudaStreamEndCapture(stream, &found) == cudaSuccess) cudaGraphDestroy(found);
      throw;
    }
    check(cudaStreamEndCapture(stream, &found), "cudaStreamEndCapture");
    cudaError_t made = cudaSuccess;
    if (!update(found)) {
      clear();
      made = cudaGraphInstantiateWithFlags(&graph_, found, 0);
    }
    cudaGraphDestroy(found);
    check(made, "cudaGraphInstantiateWithFlags");
  }

  /// The legacy stream cannot be recorded, and tools see and measure kernels at their launch. Within another recording
  /// kernels become a part of that.
  static bool can_record(cudaStream_t stream) {
    if (stream == nullptr || Kokkos::Profiling::profileLibraryLoaded()) return false;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing");
    return status == cudaStreamCaptureStatusNone;
  }

  void launch(cudaStream_t stream) const { check(cudaGraphLaunch(graph_, stream), "cudaGraphLaunch"); }

 private:
  static void check(cudaError_t result, char const* call) {
    if (result != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
  }

  /// Gives the present graph the arguments of another one. False for other kernels.
  bool update(cudaGraph_t found) {
    if (graph_ == nullptr) return false;
#if CUDART_VERSION >= 12000
    cudaGraphExecUpdateResultInfo info{};
    bool const updated = cudaGraphExecUpdate(graph_, found, &info) == cudaSuccess;
#else
    cudaGraphNode_t node = nullptr;
    cudaGraphExecUpdateResult info{};
    bool const updated = cudaGraphExecUpdate(graph_, found, &node, &info) == cudaSuccess;
#endif
    if (!updated) cudaGetLastError();  // no error of a later call
    return updated;
  }

  void clear() {
    if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
    graph_ = nullptr;
  }

  cudaGraphExec_t graph_ = nullptr;
};

template <>
class RepeatedKernels<Kokkos::Cuda> {
 public:
  template <class Kernels>
  void run(Kokkos::Cuda const& space, int times, Kernels const& kernels) {
    // A graph has several repetitions, as its own launch takes time. It is recorded while the device works on the first
    // ones. They are launched alone, since the first launch of a kernel may do more than that.
    constexpr int together = 4, before = 3, fewest = 4 * together;
    cudaStream_t const stream = space.cuda_stream();
    bool const recorded = times >= fewest && RecordedKernels::can_record(stream);
    int const alone = recorded ? before + (times - before) % together : times;
    for (int n = 0; n < alone; ++n) kernels();
    if (!recorded) return;
    graph_.record(stream, together, kernels);
    for (int done = alone; done < times; done += together) graph_.launch(stream);
  }

 private:
  RecordedKernels graph_;
};

template <>
class ReplayedKernels<Kokkos::Cuda> {
 public:
  template <class Kernels>
  void run(Kokkos::Cuda const& space, KernelArguments const& arguments, Kernels const& kernels) {
    // The first launch of a kernel may do more than that, and a graph costs as much as some calls.
    constexpr int before = 2;
    cudaStream_t const stream = space.cuda_stream();
    if (!RecordedKernels::can_record(stream)) {
      kernels();
      return;
    }
    Call& call = call_of(stream, arguments);
    if (call.count == before) call.graph.record(stream, 1, kernels);
    if (call.count <= before) ++call.count;
    if (call.count <= before) kernels();
    else call.graph.launch(stream);
  }

 private:
  struct Call {
    cudaStream_t stream = nullptr;
    KernelArguments arguments{};
    int count = 0;
    RecordedKernels graph;
  };

  /// The call of before, or a new one in place of the oldest.
  Call& call_of(cudaStream_t stream, KernelArguments const& arguments) {
    for (Call& call : calls_)
      if (call.stream == stream && call.arguments == arguments) return call;
    Call& call = calls_[next_];
    next_ = (next_ + 1) % calls_.size();
    call.stream = stream;
    call.arguments = arguments;
    call.count = 0;
    return call;
  }

  std::array<Call, 4> calls_;  ///< solvers apply a preconditioner to one or two vectors per iteration
  std::size_t next_ = 0;
};

#endif

}  // namespace karman::detail
