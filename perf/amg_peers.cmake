# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Peers of algebraic multigrid besides hypre, in separate programs without Kokkos and MPI. Each is skipped where its
# library is missing: AmgX on CUDA (AmgX_ROOT), Ginkgo on processors and, if it is built for that, on CUDA (Ginkgo_DIR).
if(KARMAN_CUDA)
  find_package(KarmanAmgX QUIET)
  if(KarmanAmgX_FOUND)
    karman_peer_program(karman-perf-amgx peers/amgx_amg.cpp karman::amgx)
  endif()
endif()

find_package(Ginkgo QUIET CONFIG)
if(Ginkgo_FOUND)
  karman_peer_program(karman-perf-ginkgo peers/ginkgo_amg.cpp Ginkgo::ginkgo $<TARGET_NAME_IF_EXISTS:OpenMP::OpenMP_CXX>)
  if(KARMAN_CUDA AND GINKGO_BUILD_CUDA)
    # The same program. By its name the comparison finds that it has the device.
    karman_peer_program(karman-perf-ginkgo-cuda peers/ginkgo_amg.cpp Ginkgo::ginkgo $<TARGET_NAME_IF_EXISTS:OpenMP::OpenMP_CXX>)
  endif()
endif()
