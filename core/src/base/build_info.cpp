// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/core/backend_name.hpp>
#include <karman/core/compat.hpp>
#include <karman/core/detail/build_commit.hpp>

namespace karman {

BuildInfo build_info() {
  BuildInfo info;
  info.karman_version = KARMAN_VERSION_STRING;
  info.commit = detail::build_commit;
  info.kokkos_version = compat::kokkos_version();
#if defined(__clang__)
  info.compiler = "clang " + std::to_string(__clang_major__) + '.' + std::to_string(__clang_minor__);
#elif defined(__GNUC__)
  info.compiler = "g++ " + std::to_string(__GNUC__) + '.' + std::to_string(__GNUC_MINOR__);
#else
  info.compiler = "unknown";
#endif
#if defined(KOKKOS_ENABLE_CUDA)
  info.cuda_version = std::to_string(CUDART_VERSION / 1000) + '.' + std::to_string(CUDART_VERSION % 1000 / 10);
#endif
  return info;
}

}  // namespace karman
