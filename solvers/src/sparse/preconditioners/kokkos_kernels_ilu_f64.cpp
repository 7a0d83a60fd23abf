// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kokkos_kernels_ilu.hpp"

namespace karman::detail {

#define KARMAN_INSTANTIATE(Exec)                                                                        \
  template std::unique_ptr<IluFactors<Exec, double>> make_kokkos_kernels_ilu<Exec, double>(Exec const&, \
                                                                                           Graph<Exec> const&, int);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
