# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Stops the build, in one message, when the Kokkos found by KarmanKokkos.cmake is unusable.
include_guard(GLOBAL)

set(KARMAN_REQUIRE_BACKEND "" CACHE STRING "Kokkos backend that must be present (OPENMP, CUDA, SERIAL, ...); empty: any parallel one")

if(karman_kokkos_problem)
  message(FATAL_ERROR "${karman_kokkos_problem}")
endif()
if(KARMAN_REQUIRE_BACKEND STREQUAL "")
  if(NOT karman_kokkos_backends MATCHES "OPENMP|THREADS|CUDA")
    message(FATAL_ERROR
      "The Kokkos in ${Kokkos_DIR} has no parallel backend for Karman, only: ${karman_kokkos_backends}. "
      "Build Kokkos with OpenMP, Threads or CUDA (tools/install-dependencies does it for OpenMP), pass it with "
      "-DKokkos_ROOT, or select the serial reference with -DKARMAN_REQUIRE_BACKEND=SERIAL.")
  endif()
elseif(NOT KARMAN_REQUIRE_BACKEND IN_LIST karman_kokkos_backends)
  message(FATAL_ERROR
    "This configuration needs Kokkos with ${KARMAN_REQUIRE_BACKEND}; the one in ${Kokkos_DIR} has: ${karman_kokkos_backends}. "
    "Pass another with -DKokkos_ROOT (tools/install-dependencies builds OpenMP, and with --kokkos-serial also Serial).")
endif()
message(STATUS "Karman: Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR}, backends ${karman_kokkos_backends}")
