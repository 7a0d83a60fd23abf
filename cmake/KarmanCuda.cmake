# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A Kokkos with CUDA fails late and with obscure messages when its CUDA, the compiler and the toolkit disagree. One
# small compilation at configure time reports it early. Kokkos' launch compiler sends only the sources that use Kokkos
# to nvcc; the host compiler takes the others. Errors go to karman_kokkos_problem.
include_guard(DIRECTORY)

if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  get_property(karman_launcher GLOBAL PROPERTY RULE_LAUNCH_COMPILE)
  if(NOT karman_launcher AND COMMAND kokkos_compilation)
    kokkos_compilation(GLOBAL)
    get_property(karman_launcher GLOBAL PROPERTY RULE_LAUNCH_COMPILE)
  endif()
  if(NOT karman_launcher AND NOT CMAKE_CXX_COMPILER MATCHES "nvcc_wrapper")
    string(CONCAT karman_kokkos_problem
      "The Kokkos in ${Kokkos_DIR} has CUDA, but neither its launch compiler nor nvcc_wrapper. "
      "Pass -DCMAKE_CXX_COMPILER=<that Kokkos>/bin/nvcc_wrapper.")
    return()
  endif()
endif()

if(NOT KARMAN_CUDA_COMPILES)
  file(WRITE "${CMAKE_BINARY_DIR}/karman_cuda_test/kernel.cpp" [[
#include <Kokkos_Core.hpp>
#include <concepts>
void run(Kokkos::Cuda const& space, Kokkos::View<double*, Kokkos::Cuda> values) {
  Kokkos::parallel_for("karman::configure::test", Kokkos::RangePolicy<Kokkos::Cuda>(space, 0, values.extent(0)),
                       KOKKOS_LAMBDA(int i) { values(i) = i; });
}
static_assert(std::integral<int>);
]])
  get_target_property(includes Kokkos::kokkos INTERFACE_INCLUDE_DIRECTORIES)
  if(NOT includes)
    get_target_property(includes Kokkos::kokkoscore INTERFACE_INCLUDE_DIRECTORIES)
  endif()
  list(TRANSFORM includes PREPEND "-I")
  separate_arguments(launcher UNIX_COMMAND "${karman_launcher}")
  get_target_property(options Kokkos::kokkoscore INTERFACE_COMPILE_OPTIONS)
  if(NOT options)
    set(options "")
  endif()
  # The options are in generator expressions, which have no meaning outside of a target.
  string(REGEX MATCHALL "-[A-Za-z][^;<>]*" options "${options}")
  execute_process(
    COMMAND ${launcher} ${CMAKE_CXX_COMPILER} -DKOKKOS_DEPENDENCE ${options} -std=c++20 -fopenmp ${includes}
      -c kernel.cpp -o kernel.o
    WORKING_DIRECTORY "${CMAKE_BINARY_DIR}/karman_cuda_test"
    RESULT_VARIABLE failed OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(failed)
    string(CONCAT karman_kokkos_problem
      "The Kokkos in ${Kokkos_DIR} (${Kokkos_VERSION}) has CUDA, but this compiler and toolkit cannot compile a C++20 "
      "kernel with it. Use the CUDA toolkit and host compiler that Kokkos was built with; CUDA 13 needs Kokkos 4.7.02 "
      "or later. Compiler output:\n${output}")
    return()
  endif()
  set(KARMAN_CUDA_COMPILES TRUE CACHE INTERNAL "A kernel compiles with this Kokkos and this CUDA")
endif()
