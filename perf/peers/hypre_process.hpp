// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Parts that the programs with hypre share: processes, clock, requests.
#pragma once

#include "program_answers.hpp"

#include <HYPRE_utilities.h>
#include <mpi.h>

#if defined(HYPRE_USING_CUDA)
#include "cuda_check.hpp"
#endif

#include <cstdio>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace karman::perf {

/// True for a hypre whose matrices and vectors are in the memory of a CUDA device.
#if defined(HYPRE_USING_CUDA)
inline constexpr bool hypre_on_device = true;
#else
inline constexpr bool hypre_on_device = false;
#endif

/// Until the device has done everything; nothing for a hypre without CUDA.
inline void wait_for_device() {
#if defined(HYPRE_USING_CUDA)
  cuda_check(cudaDeviceSynchronize());
#endif
}

/// Values in the memory from which hypre takes them: the device's with CUDA.
template <class T>
class HypreValues {
 public:
  explicit HypreValues(std::vector<T> values) : values_(std::move(values)) {
#if defined(HYPRE_USING_CUDA)
    cuda_check(cudaMalloc(&data_, bytes()));
    cuda_check(cudaMemcpy(data_, values_.data(), bytes(), cudaMemcpyHostToDevice));
#else
    data_ = values_.data();
#endif
  }
  ~HypreValues() {
#if defined(HYPRE_USING_CUDA)
    cudaFree(data_);
#endif
  }
  HypreValues(HypreValues const&) = delete;
  HypreValues& operator=(HypreValues const&) = delete;

  T* data() { return data_; }

  /// The values that hypre has written.
  std::vector<T>& fetch() {
#if defined(HYPRE_USING_CUDA)
    wait_for_device();
    cuda_check(cudaMemcpy(values_.data(), data_, bytes(), cudaMemcpyDeviceToHost));
#endif
    return values_;
  }

 private:
  std::size_t bytes() const { return values_.size() * sizeof(T); }

  std::vector<T> values_;
  T* data_ = nullptr;
};

inline void require_success(HYPRE_Int code, char const* what) {
  // No convergence within one check interval is no failure here; every other error is.
  if ((code & ~HYPRE_ERROR_CONV) != 0) throw std::runtime_error(std::string("hypre failed in ") + what);
  HYPRE_ClearAllErrors();
}

inline int process() {
  int value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &value);
  return value;
}
inline int processes() {
  int value = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &value);
  return value;
}

/// After the device and all processes have come.
inline double seconds_now() {
  wait_for_device();
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

/// True for a line of input, which the first process reads for all.
inline bool another_one_is_asked() {
  int asked = process() == 0 && another_line();
  MPI_Bcast(&asked, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return asked != 0;
}

/// The name of a program, with "-cuda" for the one on the device.
inline std::string program_name(std::string const& name) { return name + (hypre_on_device ? "-cuda" : ""); }

/// Everything on the device. Products of sparse matrices by hypre's own kernels, as its manual recommends.
inline void choose_device() {
#if defined(HYPRE_USING_CUDA)
  HYPRE_SetMemoryLocation(HYPRE_MEMORY_DEVICE);
  HYPRE_SetExecutionPolicy(HYPRE_EXEC_DEVICE);
  HYPRE_SetSpGemmUseVendor(0);
  HYPRE_SetUseGpuRand(1);
#endif
}

/// Runs a program between the initialisation of hypre and its end. Returns the exit code.
template <class Body>
int with_hypre(int& argc, char**& argv, std::string const& program, Body const& body) {
  MPI_Init(&argc, &argv);
  HYPRE_Init();
  choose_device();
  // All processes answer, the first is heard.
  if (process() != 0 && !std::freopen("/dev/null", "w", stdout)) return 1;
  int const status = exit_code(program, body, process() == 0);
  HYPRE_Finalize();
  MPI_Finalize();
  return status;
}

}  // namespace karman::perf
