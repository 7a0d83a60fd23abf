// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan.hpp"

namespace karman {

std::string_view name(KrylovMethod method) {
  switch (method) {
    case KrylovMethod::cocg: return "COCG";
    case KrylovMethod::bicgstab: return "BiCGStab";
    case KrylovMethod::gmres: return "GMRES";
  }
  return "unknown";
}

#define KARMAN_INSTANTIATE(Exec)             \
  template class GeneralKrylov<Exec, float>; \
  template class GeneralKrylov<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
