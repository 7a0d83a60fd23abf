// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The same kernels many times. On small fields launches take longer than kernels.
#pragma once

#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <stdexcept>
#include <string>
#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_runtime_api.h>
#endif

namespace karman::detail {

/// Calls kernels() `times` times. It launches the same kernels with the same arguments each time, and waits for
/// nothing; by the second call it allocates nothing.
template <ExecutionSpace Exec, class Kernels>
void repeat_kernels(Exec const& /*space*/, int times, Kernels const& kernels) {
  for (int n = 0; n < times; ++n) kernels();
}

#if defined(KOKKOS_ENABLE_CUDA)

/// Kernels of a stream, recorded in place of their launch.
class RecordedKernels {
 public:
  template <class Kernels>
  RecordedKernels(cudaStream_t stream, int times, Kernels const& kernels) {
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
    cudaGraph_t graph = nullptr;
    try {
      for (int n = 0; n < times; ++n) kernels();
    } catch (...) {
      if (cudaStreamEndCapture(stream, &graph) == cudaSuccess) cudaGraphDestroy(graph);
      throw;
    }
    check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    cudaError_t const made = cudaGraphInstantiateWithFlags(&graph_, graph, 0);
    cudaGraphDestroy(graph);
    check(made, "cudaGraphInstantiateWithFlags");
  }
  RecordedKernels(RecordedKernels const&) = delete;
  RecordedKernels& operator=(RecordedKernels const&) = delete;
  /// Kernels that still run end first.
  ~RecordedKernels() { cudaGraphExecDestroy(graph_); }

  void launch(cudaStream_t stream) const { check(cudaGraphLaunch(graph_, stream), "cudaGraphLaunch"); }

 private:
  static void check(cudaError_t result, char const* call) {
    if (result != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
  }

  cudaGraphExec_t graph_ = nullptr;
};

/// Each call records again, since arguments may have changed. That takes as long as a few repetitions.
template <class Kernels>
void repeat_kernels(Kokkos::Cuda const& space, int times, Kernels const& kernels) {
  // A graph has several repetitions, as its own launch takes time.
  constexpr int together = 4, fewest = 4 * together;
  cudaStream_t const stream = space.cuda_stream();
  // The legacy stream cannot be recorded, and tools see and measure kernels at their launch.
  bool const recorded = times >= fewest && stream != nullptr && !Kokkos::Profiling::profileLibraryLoaded();
  int done = 0;
  if (recorded) {
    kernels();  // the first launch of a kernel may do more than launch it
    RecordedKernels const graph(stream, together, kernels);
    for (done = 1; done + together <= times; done += together) graph.launch(stream);
  }
  for (; done < times; ++done) kernels();
}

#endif

}  // namespace karman::detail
