# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The multigrid of AMReX (MLMG), a peer of the Poisson solvers on CUDA, in a separate program without Kokkos: AMReX needs
# CMake's language CUDA. Skipped without an AMReX with CUDA, three dimensions and linear solvers (AMReX_DIR).
if(NOT KARMAN_CUDA)
  return()
endif()
find_package(AMReX QUIET CONFIG)
if(NOT AMReX_FOUND OR NOT AMReX_CUDA OR NOT AMReX_LSOLVERS OR NOT TARGET AMReX::amrex_3d)
  return()
endif()
set(CMAKE_CUDA_ARCHITECTURES "${AMREX_CUDA_ARCHS}")
include(CheckLanguage)
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
  return()
endif()
enable_language(CUDA)

set_source_files_properties(peers/amrex_poisson.cpp PROPERTIES LANGUAGE CUDA)
add_executable(karman-perf-amrex-cuda peers/amrex_poisson.cpp)
set_property(GLOBAL APPEND PROPERTY KARMAN_PEER_PROGRAMS karman-perf-amrex-cuda)
target_compile_features(karman-perf-amrex-cuda PRIVATE cuda_std_17)
target_link_libraries(karman-perf-amrex-cuda PRIVATE AMReX::amrex_3d)
# AMReX by default leaves the link of its device code to the program.
if(AMReX_GPU_RDC)
  set_target_properties(karman-perf-amrex-cuda PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_RESOLVE_DEVICE_SYMBOLS ON)
endif()
