# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A kernel that calls a host-only function, constexpr or not, gets only a warning from nvcc, and its result is silently
# wrong. Here it is an error. -Werror=cross-execution-space-call is not enough: as of CUDA 13 it admits constexpr
# functions. The options apply to nvcc alone, also behind nvcc_wrapper, which receives only sources that include Kokkos.
# They are attached to karman::core inside this build, and not passed on to users of Karman.
include_guard(GLOBAL)

# With GNU compilers the launcher or nvcc_wrapper send kernels to nvcc (KarmanCuda.cmake); clang compiles them itself.
set(KARMAN_NVCC OFF)
if(KARMAN_CUDA AND (CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR CMAKE_CXX_COMPILER MATCHES "nvcc_wrapper"))
  set(KARMAN_NVCC ON)
endif()

# Kokkos' launch compiler replaces the compiler where the command begins with it. After another launcher, such as ccache,
# g++ would get the options of nvcc.
if(karman_launcher AND CMAKE_CXX_COMPILER_LAUNCHER)
  message(STATUS "Karman: ${CMAKE_CXX_COMPILER_LAUNCHER} is not used, because Kokkos' launch compiler starts nvcc")
  set(CMAKE_CXX_COMPILER_LAUNCHER "")
endif()

# karman_forbid_host_calls(<target>): for the target and all that links it within this build.
function(karman_forbid_host_calls target)
  if(NOT KARMAN_NVCC OR NOT PROJECT_IS_TOP_LEVEL)
    return()
  endif()
  # 20011, 20014: a host function from a function for both, or for the device; 20013, 20015: a constexpr one.
  foreach(number IN ITEMS 20011 20013 20014 20015)
    target_compile_options(${target} PUBLIC "$<BUILD_INTERFACE:SHELL:-Xcudafe --diag_error=${number}>")
  endforeach()
endfunction()
