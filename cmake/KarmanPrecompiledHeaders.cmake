# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Precompiled headers: external headers that most sources include, parsed once per set of compile options.
#
#   kokkos      libraries on Kokkos
#   host        libraries without Kokkos
#   test        test programs on Kokkos (cmake/KarmanTesting.cmake)
#   host_test   test programs without Kokkos
#
# Every source still includes all that it uses: builds for CUDA compile it without precompiled headers.
include_guard(GLOBAL)

option(KARMAN_PRECOMPILED_HEADERS "Precompile Kokkos, GoogleTest and JSON headers in Karman's own builds" ON)

# Reasons against them. nvcc has none of its own, and its host compiler sees another source than the one here.
set(karman_no_precompiled_headers "")
if(NOT PROJECT_IS_TOP_LEVEL)
  set(karman_no_precompiled_headers "another project builds Karman")
elseif(NOT KARMAN_PRECOMPILED_HEADERS OR CMAKE_DISABLE_PRECOMPILE_HEADERS)
  set(karman_no_precompiled_headers "switched off")
elseif(KARMAN_CUDA)
  set(karman_no_precompiled_headers "this Kokkos has CUDA")
elseif(NOT CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  set(karman_no_precompiled_headers "only g++ and clang are known to take them")
elseif(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache")
  # Without these two ccache calls the compiler for every such source, each time. Found once per build folder: another
  # answer in a later shell would compile everything again.
  if(NOT DEFINED KARMAN_CCACHE_SLOPPINESS)
    list(GET CMAKE_CXX_COMPILER_LAUNCHER 0 karman_ccache)
    execute_process(COMMAND "${karman_ccache}" --get-config sloppiness
      OUTPUT_VARIABLE karman_sloppiness OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    set(KARMAN_CCACHE_SLOPPINESS "${karman_sloppiness}" CACHE STRING "Sloppiness of ccache at the first configuration")
    mark_as_advanced(KARMAN_CCACHE_SLOPPINESS)
  endif()
  if(NOT KARMAN_CCACHE_SLOPPINESS MATCHES "pch_defines" OR NOT KARMAN_CCACHE_SLOPPINESS MATCHES "time_macros")
    set(karman_no_precompiled_headers
      "ccache would cache nothing; set CCACHE_SLOPPINESS=pch_defines,time_macros here and in the build of a new folder")
  endif()
endif()
if(karman_no_precompiled_headers)
  message(STATUS "Karman: no precompiled headers (${karman_no_precompiled_headers})")
endif()

# karman_precompile(<set> HEADERS <...> [LIBRARIES <...>] [OPTIONS <...>] [PROGRAM]): the object library
# karman_<set>_headers, which holds the precompiled headers. PROGRAM: for sources of programs, else of libraries.
function(karman_precompile set)
  if(karman_no_precompiled_headers)
    return()
  endif()
  cmake_parse_arguments(arg "PROGRAM" "" "HEADERS;LIBRARIES;OPTIONS" ${ARGN})
  set(target karman_${set}_headers)
  set(source "${PROJECT_BINARY_DIR}/generated/precompiled/${set}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "// CMake precompiles headers for a target that has a source.\n")
  add_library(${target} OBJECT "${source}")
  karman_compile_options(${target})
  target_compile_options(${target} PRIVATE ${arg_OPTIONS})
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES})
  if(arg_PROGRAM)
    # As CMake compiles the sources of a program: a precompiled header fits only the same kind of code.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE ${CMAKE_CXX_COMPILE_OPTIONS_PIE})
  endif()
  target_precompile_headers(${target} PRIVATE ${arg_HEADERS})
  karman_precompiled_options(${target})
endfunction()

# karman_use_precompiled(<target> <set>): for a target with the compile options of the set.
function(karman_use_precompiled target set)
  if(TARGET karman_${set}_headers)
    target_precompile_headers(${target} REUSE_FROM karman_${set}_headers)
    karman_precompiled_options(${target})
  endif()
endfunction()

# ccache reads preprocessed sources of g++ only with this option.
function(karman_precompiled_options target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  endif()
endfunction()
