# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Optional libraries of karman::solvers: direct solvers and Kokkos Kernels. Each is AUTO (used where it is found), ON
# (the build stops where it is not) or OFF. karman_sparse_libraries lists the ones found.
include_guard(GLOBAL)

set(KARMAN_MUMPS AUTO CACHE STRING "Link MUMPS, the sequential one, a direct solver under CeCILL-C, and METIS (AUTO, ON, OFF)")
set(KARMAN_UMFPACK AUTO CACHE STRING
  "Link SuiteSparse UMFPACK, the direct solver (AUTO, ON, OFF). It is under the GPL, version 2 or later: distributed programs with it fall under those terms")
set(KARMAN_SUPERLU AUTO CACHE STRING "Link SuperLU, a direct solver under a BSD licence (AUTO, ON, OFF)")
set(KARMAN_KOKKOS_KERNELS AUTO CACHE STRING "Offer the kernels of Kokkos Kernels, 4.4 or later or that of Kokkos 3.4 (AUTO, ON, OFF)")
set_property(CACHE KARMAN_MUMPS KARMAN_UMFPACK KARMAN_SUPERLU KARMAN_KOKKOS_KERNELS PROPERTY STRINGS AUTO ON OFF)

# karman_sparse_library(<option> <package> [<version>...]): finds a package according to its option.
macro(karman_sparse_library option package)
  set(${package}_FOUND FALSE)
  if(${option} STREQUAL "AUTO")
    find_package(${package} ${ARGN} QUIET)
  elseif(${option})
    find_package(${package} ${ARGN} REQUIRED)
  endif()
endmacro()

set(karman_sparse_libraries "")
karman_sparse_library(KARMAN_MUMPS KarmanMUMPS)
if(KarmanMUMPS_FOUND)
  list(APPEND karman_sparse_libraries MUMPS)
endif()
karman_sparse_library(KARMAN_UMFPACK KarmanUMFPACK)
if(KarmanUMFPACK_FOUND)
  list(APPEND karman_sparse_libraries UMFPACK)
endif()
karman_sparse_library(KARMAN_SUPERLU KarmanSuperLU)
if(KarmanSuperLU_FOUND)
  list(APPEND karman_sparse_libraries SuperLU)
endif()
include(KarmanKokkosKernels)
karman_sparse_library(KARMAN_KOKKOS_KERNELS KokkosKernels ${karman_kokkos_kernels_search})
if(KokkosKernels_FOUND AND TARGET Kokkos::kokkoskernels)
  list(APPEND karman_sparse_libraries KokkosKernels)
endif()
# For the package file, which is configured elsewhere.
set_property(GLOBAL PROPERTY KARMAN_SPARSE_LIBRARIES "${karman_sparse_libraries}")
if(PROJECT_IS_TOP_LEVEL)
  message(STATUS "Sparse libraries: ${karman_sparse_libraries}")
  if("UMFPACK" IN_LIST karman_sparse_libraries)
    message(STATUS "UMFPACK is under the GPL: distributed programs with it fall under its terms (exclude it with -DKARMAN_UMFPACK=OFF)")
  endif()
endif()
