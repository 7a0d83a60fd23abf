// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A second instance, for small kernels beside a large one.
#pragma once

#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#if defined(KOKKOS_ENABLE_CUDA)
#include <cuda_runtime_api.h>
#endif

namespace karman::detail {

/// An instance of high priority: its kernels do not wait behind blocks of another one that fill the device. On a host,
/// where kernels run one after another, it is the other instance itself.
template <class Exec>
class SideInstance {
 public:
  /// An instance that begins after the work that `space` has until now. Asynchronous.
  Exec const& fork(Exec const& space) { return space; }
  /// The work that `space` gets from now on begins after that of the last fork(). Asynchronous.
  void join(Exec const& /*space*/) {}
};

#if defined(KOKKOS_ENABLE_CUDA)
template <>
class SideInstance<Kokkos::Cuda> {
 public:
  Kokkos::Cuda const& fork(Kokkos::Cuda const& space) {
    if (own_ == nullptr) own_ = std::make_unique<Own>();
    own_->order(space.cuda_stream(), own_->stream);
    return own_->space;
  }
  void join(Kokkos::Cuda const& space) { own_->order(own_->stream, space.cuda_stream()); }

 private:
  static void check(cudaError_t result, char const* call) {
    if (result != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
  }

  struct Own {
    cudaStream_t stream = new_stream();
    cudaEvent_t event = new_event();
    Kokkos::Cuda space{stream};

    Own() = default;
    Own(Own const&) = delete;
    Own& operator=(Own const&) = delete;
    ~Own() {
      space = Kokkos::Cuda();
      cudaEventDestroy(event);
      cudaStreamDestroy(stream);
    }
    void order(cudaStream_t first, cudaStream_t second) const {
      check(cudaEventRecord(event, first), "cudaEventRecord");
      check(cudaStreamWaitEvent(second, event, 0), "cudaStreamWaitEvent");
    }
    static cudaStream_t new_stream() {
      int least = 0, greatest = 0;
      check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
      cudaStream_t stream = nullptr;
      check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest), "cudaStreamCreateWithPriority");
      return stream;
    }
    static cudaEvent_t new_event() {
      cudaEvent_t event = nullptr;
      check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
      return event;
    }
  };

  std::unique_ptr<Own> own_;
};
#endif

}  // namespace karman::detail
