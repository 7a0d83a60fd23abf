// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/core/backend.hpp>
#include <karman/core/detail/reductions_named.hpp>

namespace karman::detail {

#define KARMAN_INSTANTIATE(Exec)                                       \
  template struct FieldReductions<Exec, ReductionTable<Exec>, float>;  \
  template struct FieldSums<Exec, ReductionTable<Exec>, float, float>; \
  template struct FieldSums<Exec, ReductionTable<Exec>, float, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
