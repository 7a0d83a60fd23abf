# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds Kokkos, or respects the one that the enclosing project already has, and says in one message what to do
# when it will not serve.
include_guard(GLOBAL)

set(KARMAN_REQUIRE_BACKEND "" CACHE STRING "Kokkos backend that must be present (OPENMP, CUDA, SERIAL, ...); empty: any parallel one")

if(NOT TARGET Kokkos::kokkos)
  find_package(Kokkos 3.4 QUIET CONFIG)
  if(NOT Kokkos_FOUND)
    set(found "none was found")
    if(Kokkos_CONSIDERED_VERSIONS)
      set(found "found only ${Kokkos_CONSIDERED_VERSIONS}, which is too old")
    endif()
    message(FATAL_ERROR
      "Karman needs Kokkos 3.4.01 or later: ${found}. "
      "Run tools/install-dependencies, or pass -DKokkos_ROOT=<prefix of an installed Kokkos>.")
  endif()
endif()

# Debian 12's own package names an include folder that does not exist; the real one is in Kokkos_INCLUDE_DIRS.
get_target_property(karman_kokkos_imported Kokkos::kokkos IMPORTED)
if(karman_kokkos_imported AND Kokkos_VERSION VERSION_LESS 3.5)
  get_target_property(karman_kokkos_includes Kokkos::kokkos INTERFACE_INCLUDE_DIRECTORIES)
  if(karman_kokkos_includes AND NOT EXISTS "${karman_kokkos_includes}" AND Kokkos_INCLUDE_DIRS)
    set_target_properties(Kokkos::kokkos PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Kokkos_INCLUDE_DIRS}")
  endif()
endif()

set(karman_parallel_backends OPENMP THREADS CUDA)
set(karman_has_parallel OFF)
foreach(backend IN LISTS karman_parallel_backends)
  if(backend IN_LIST Kokkos_DEVICES OR Kokkos_ENABLE_${backend})
    set(karman_has_parallel ON)
  endif()
endforeach()
if(KARMAN_REQUIRE_BACKEND STREQUAL "")
  if(NOT karman_has_parallel)
    message(FATAL_ERROR
      "The Kokkos in ${Kokkos_DIR} has no parallel backend that Karman uses (it has: ${Kokkos_DEVICES}). "
      "Build Kokkos with OpenMP, Threads or CUDA (tools/install-dependencies does it for OpenMP), pass it with "
      "-DKokkos_ROOT, or ask for the serial reference with -DKARMAN_REQUIRE_BACKEND=SERIAL.")
  endif()
elseif(NOT (KARMAN_REQUIRE_BACKEND IN_LIST Kokkos_DEVICES OR Kokkos_ENABLE_${KARMAN_REQUIRE_BACKEND}))
  message(FATAL_ERROR
    "This configuration needs Kokkos with ${KARMAN_REQUIRE_BACKEND}; the one in ${Kokkos_DIR} has: ${Kokkos_DEVICES}. "
    "Pass one that has it with -DKokkos_ROOT (tools/install-dependencies builds OpenMP and Serial).")
endif()

set(KARMAN_CUDA OFF)
if("CUDA" IN_LIST Kokkos_DEVICES OR Kokkos_ENABLE_CUDA)
  set(KARMAN_CUDA ON)
  if(Kokkos_VERSION AND Kokkos_VERSION VERSION_LESS 4.6)
    message(FATAL_ERROR "Karman's CUDA backend needs Kokkos 4.6 or later; ${Kokkos_DIR} is ${Kokkos_VERSION}.")
  endif()
  include(KarmanCuda)
endif()
message(STATUS "Karman: Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR}, backends ${Kokkos_DEVICES}")
