// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hierarchy.hpp"

namespace karman::detail {

#define KARMAN_INSTANTIATE(Exec) template class MultigridHierarchy<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
