// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan.hpp"

namespace karman {

#define KARMAN_INSTANTIATE(Exec)                                  \
  template class AmgPreconditioner<Exec, Kokkos::complex<float>>; \
  template class AmgPreconditioner<Exec, Kokkos::complex<double>>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
