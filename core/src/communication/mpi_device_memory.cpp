// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_messages.hpp"

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

namespace karman::detail {

bool mpi_takes_device_memory() {
#if defined(OPEN_MPI) && defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#elif defined(MPICH_VERSION) && defined(MPIX_GPU_SUPPORT_CUDA)
  int supported = 0;
  return MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &supported) == MPI_SUCCESS && supported != 0;
#else
  return false;
#endif
}

}  // namespace karman::detail
