# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds Kokkos, or respects the one of the enclosing project. For Karman's own build and, installed, for users of the
# package. Error and fix go to karman_kokkos_problem: the build stops with it, or the package is not found. Also sets
# karman_kokkos_backends.
#
# Imported targets are visible in a folder and below it, and so are the results of this file.
include_guard(DIRECTORY)

set(karman_kokkos_problem "")
if(NOT TARGET Kokkos::kokkos)
  # The package file suggests the Kokkos of its build; Kokkos_ROOT, Kokkos_DIR and CMAKE_PREFIX_PATH come before it.
  find_package(Kokkos 3.4 QUIET CONFIG HINTS ${karman_kokkos_hints})
  if(NOT Kokkos_FOUND)
    set(found "none was found")
    if(Kokkos_CONSIDERED_VERSIONS)
      set(found "found only ${Kokkos_CONSIDERED_VERSIONS}, too old")
    endif()
    if(karman_built_with_kokkos)
      string(CONCAT karman_kokkos_problem
        "Karman needs ${karman_built_with_kokkos}: ${found}. Pass its prefix with -DKokkos_ROOT=<prefix>.")
    else()
      string(CONCAT karman_kokkos_problem
        "Karman needs Kokkos 3.4.01 or later: ${found}. "
        "Run tools/install-dependencies, or pass -DKokkos_ROOT=<prefix of an installed Kokkos>.")
    endif()
    return()
  endif()
endif()

# Debian 12's own package has a missing include folder in its target; the right one is in Kokkos_INCLUDE_DIRS.
get_target_property(karman_kokkos_imported Kokkos::kokkos IMPORTED)
if(karman_kokkos_imported AND Kokkos_VERSION VERSION_LESS 3.5)
  get_target_property(karman_kokkos_includes Kokkos::kokkos INTERFACE_INCLUDE_DIRECTORIES)
  if(karman_kokkos_includes AND NOT EXISTS "${karman_kokkos_includes}" AND Kokkos_INCLUDE_DIRS)
    set_target_properties(Kokkos::kokkos PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Kokkos_INCLUDE_DIRS}")
  endif()
endif()

# A package lists its backends in Kokkos_DEVICES, a Kokkos in the same build in cache variables. Where the target came
# from a sibling folder neither is visible, but the configuration header is.
set(karman_kokkos_backends "")
set(karman_kokkos_header "")
if(NOT DEFINED Kokkos_DEVICES AND NOT DEFINED Kokkos_ENABLE_SERIAL)
  foreach(target IN ITEMS Kokkos::kokkos Kokkos::kokkoscore)
    if(TARGET ${target})
      get_target_property(karman_kokkos_includes ${target} INTERFACE_INCLUDE_DIRECTORIES)
      foreach(folder IN LISTS karman_kokkos_includes)
        if(EXISTS "${folder}/KokkosCore_config.h")
          file(READ "${folder}/KokkosCore_config.h" karman_kokkos_header)
        endif()
      endforeach()
    endif()
  endforeach()
endif()
foreach(backend IN ITEMS SERIAL OPENMP THREADS CUDA)
  if(backend IN_LIST Kokkos_DEVICES OR Kokkos_ENABLE_${backend}
     OR karman_kokkos_header MATCHES "\n *#define KOKKOS_ENABLE_${backend}[ \r\n]")
    list(APPEND karman_kokkos_backends ${backend})
  endif()
endforeach()

# Some versions of g++ 12 fill an empty View of Kokkos 4.5 and 4.6 with zero bytes; its destructor then crashes
# (kokkos/kokkos#8187; Kokkos 4.7 works around it). A run tests this pair.
if(karman_kokkos_imported AND NOT "CUDA" IN_LIST karman_kokkos_backends AND NOT CMAKE_CROSSCOMPILING
   AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12
   AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  if(NOT DEFINED KARMAN_VIEWS_WORK)
    file(WRITE "${CMAKE_BINARY_DIR}/karman_views_test/views.cpp" [[
#include <Kokkos_Core.hpp>
int main() {
  Kokkos::View<double*> const view;
  return static_cast<int>(view.label().size());
}
]])
    try_run(karman_views_run karman_views_compiled
      "${CMAKE_BINARY_DIR}/karman_views_test" "${CMAKE_BINARY_DIR}/karman_views_test/views.cpp"
      COMPILE_DEFINITIONS -O2 LINK_LIBRARIES Kokkos::kokkos CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
    # Compile errors here appear again later, with their own message.
    if(karman_views_compiled AND NOT karman_views_run EQUAL 0)
      set(KARMAN_VIEWS_WORK OFF CACHE INTERNAL "An empty View of this Kokkos is sound with this compiler")
    else()
      set(KARMAN_VIEWS_WORK ON CACHE INTERNAL "An empty View of this Kokkos is sound with this compiler")
    endif()
  endif()
  if(NOT KARMAN_VIEWS_WORK)
    string(CONCAT karman_kokkos_problem
      "g++ ${CMAKE_CXX_COMPILER_VERSION} compiles the Views of Kokkos ${Kokkos_VERSION} (${Kokkos_DIR}) wrongly: programs "
      "crash (kokkos/kokkos#8187). Use Kokkos 4.7 or later, 4.4 or earlier, or g++ 13 or later.")
    return()
  endif()
endif()

set(KARMAN_CUDA OFF)
if("CUDA" IN_LIST karman_kokkos_backends)
  set(KARMAN_CUDA ON)
  if(Kokkos_VERSION AND Kokkos_VERSION VERSION_LESS 4.6)
    set(karman_kokkos_problem
      "Karman's CUDA backend needs Kokkos 4.6 or later; ${Kokkos_DIR} is ${Kokkos_VERSION}.")
    return()
  endif()
  include("${CMAKE_CURRENT_LIST_DIR}/KarmanCuda.cmake")
endif()
