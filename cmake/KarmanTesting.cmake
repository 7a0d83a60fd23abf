# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# karman_add_test(NAME <name> SOURCES <...> LIBRARIES <...> [KOKKOS] [COMMAND] [PRIVATE_HEADERS <component>...] [LABELS <...>]
#   [ONE_THREAD <filter>...] [UNSANITIZED <filter>...] [PARTS <part>=<filter> ...]): one GoogleTest program, one entry in
# ctest. With KOKKOS the program initialises Kokkos before the first test (tests/kokkos_main.cpp). COMMAND: it starts
# `karman` as a user does (tests/apps/common/run_command.hpp), and its entry has the label `command`. ONE_THREAD: tests in
# a second entry, on one thread. UNSANITIZED: long solves and number types whose code other tests run with sanitizers.
# PARTS: further entries <name>_<part>, which run beside the others. A filter is one pattern of GoogleTest or several,
# separated by colons. A test runs in the first part that matches it, and in the entry <name> if none does.
# KARMAN_TEST_OPTIMIZATION applies to its sources; the libraries under test keep the options of the build.
include_guard(GLOBAL)
find_package(GTest REQUIRED)
include(GoogleTest)

# Most of the build time of the tests is optimisation, and the tests themselves need little of it. Programs of the
# install tests, examples, applications and karman-perf compile the same headers with the options of the build.
set(KARMAN_TEST_OPTIMIZATION "-Og" CACHE STRING "Optimisation of test programs in release builds; empty: that of the build")

set(karman_test_options "")
if(PROJECT_IS_TOP_LEVEL AND NOT KARMAN_CUDA)
  set(karman_test_options "$<$<CONFIG:Release,RelWithDebInfo>:${KARMAN_TEST_OPTIMIZATION}>")
endif()
set(karman_test_headers <gtest/gtest.h> <algorithm> <array> <cmath> <complex> <cstdint> <filesystem> <fstream> <functional> <limits>
  <map> <memory> <numbers> <random> <set> <stdexcept> <string> <utility> <vector>)
karman_precompile(test PROGRAM LIBRARIES Kokkos::kokkos GTest::gtest OPTIONS ${karman_test_options}
  HEADERS <Kokkos_Core.hpp> ${karman_test_headers})
if(TARGET karman::io)
  find_package(nlohmann_json 3.11 REQUIRED CONFIG)
  karman_precompile(host_test PROGRAM LIBRARIES nlohmann_json::nlohmann_json GTest::gtest OPTIONS ${karman_test_options}
    HEADERS <nlohmann/json.hpp> ${karman_test_headers})
endif()

# main() of the programs with KOKKOS, compiled once.
add_library(karman_kokkos_main OBJECT "${PROJECT_SOURCE_DIR}/tests/kokkos_main.cpp")
karman_compile_options(karman_kokkos_main)
target_link_libraries(karman_kokkos_main PRIVATE Kokkos::kokkos GTest::gtest)

# A filter without any test is a defect: a test was renamed.
set(karman_no_test "Running 0 tests from 0 test suites")

# Threads of a BLAS would take part in no test, but many test programs at once could start too many of them.
set(karman_test_environment OMP_PROC_BIND=false OMP_WAIT_POLICY=passive OPENBLAS_NUM_THREADS=1)

# karman_everyday_tests: the programs of the tests that tools/test runs, those without a label or with the label `command`.
# karman_unlabelled_tests: the former, which also run under sanitizers.
add_custom_target(karman_unlabelled_tests)
add_custom_target(karman_everyday_tests)
add_dependencies(karman_everyday_tests karman_unlabelled_tests)

function(karman_add_test)
  cmake_parse_arguments(arg "KOKKOS;COMMAND" "NAME" "SOURCES;LIBRARIES;PRIVATE_HEADERS;LABELS;ONE_THREAD;UNSANITIZED;PARTS" ${ARGN})
  add_executable(${arg_NAME} ${arg_SOURCES})
  list(LENGTH arg_SOURCES count)
  if(count GREATER 1)
    set_source_files_properties(${arg_SOURCES} PROPERTIES UNITY_GROUP ${arg_NAME})
  endif()
  karman_compile_options(${arg_NAME})
  target_compile_options(${arg_NAME} PRIVATE ${karman_test_options})
  if(KARMAN_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Checks by calls instead of code at every access: a quarter less time to compile. Kernels of the libraries would be slow.
    target_compile_options(${arg_NAME} PRIVATE --param=asan-instrumentation-with-call-threshold=0)
  endif()
  if(arg_KOKKOS OR arg_LIBRARIES MATCHES "karman::(core|mesh|solvers)")
    karman_use_precompiled(${arg_NAME} test)
  else()
    karman_use_precompiled(${arg_NAME} host_test)
  endif()
  target_include_directories(${arg_NAME} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  karman_private_headers(${arg_NAME} ${arg_PRIVATE_HEADERS})
  if(arg_KOKKOS)
    target_sources(${arg_NAME} PRIVATE $<TARGET_OBJECTS:karman_kokkos_main>)
    target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBRARIES} GTest::gtest)
  else()
    target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBRARIES} GTest::gtest_main)
  endif()
  set(timeout 600)
  if(KARMAN_SANITIZE)
    # Programs of many commands start hundreds of them, each several times as long with sanitizers.
    set(timeout 1200)
  endif()
  if(arg_COMMAND)
    target_sources(${arg_NAME} PRIVATE $<TARGET_OBJECTS:karman_run_command>)
    list(APPEND arg_LABELS command)
  endif()
  if("${arg_LABELS}" STREQUAL "")
    add_dependencies(karman_unlabelled_tests ${arg_NAME})
  elseif("${arg_LABELS}" STREQUAL "command")
    add_dependencies(karman_everyday_tests ${arg_NAME})
  endif()
  # One ctest entry per program: starting Kokkos for each of hundreds of small tests would cost more than the tests.
  # Thousands of kernels on a few hundred cells: with more threads they take several times longer, all of it to start
  # and to join. Other tests of the program run the same kernels with all threads.
  list(JOIN arg_ONE_THREAD ":" filter)
  if(filter)
    list(PREPEND arg_PARTS "one_thread=${filter}")
  endif()
  set(others "") # of GoogleTest: without the tests of earlier parts
  if(KARMAN_SANITIZE AND arg_UNSANITIZED)
    list(JOIN arg_UNSANITIZED ":" others)
    string(PREPEND others "-")
  endif()
  foreach(part IN LISTS arg_PARTS)
    string(REGEX MATCH "^([a-z_]+)=(.+)$" part "${part}")
    set(environment "${karman_test_environment}")
    if(CMAKE_MATCH_1 STREQUAL "one_thread")
      list(APPEND environment "OMP_NUM_THREADS=1")
    endif()
    add_test(NAME ${arg_NAME}_${CMAKE_MATCH_1} COMMAND ${arg_NAME} "--gtest_filter=${CMAKE_MATCH_2}${others}")
    set_tests_properties(${arg_NAME}_${CMAKE_MATCH_1} PROPERTIES TIMEOUT ${timeout} LABELS "${arg_LABELS}"
      ENVIRONMENT "${environment}" FAIL_REGULAR_EXPRESSION "${karman_no_test}")
    if(others)
      string(APPEND others ":${CMAKE_MATCH_2}")
    else()
      set(others "-${CMAKE_MATCH_2}")
    endif()
  endforeach()
  set(filter "")
  if(others)
    set(filter "--gtest_filter=${others}")
  endif()
  add_test(NAME ${arg_NAME} COMMAND ${arg_NAME} ${filter})
  set_tests_properties(${arg_NAME} PROPERTIES TIMEOUT ${timeout} LABELS "${arg_LABELS}"
    ENVIRONMENT "${karman_test_environment}" FAIL_REGULAR_EXPRESSION "${karman_no_test}")
endfunction()

# karman_add_distributed_test(NAME <name> SOURCES <...> LIBRARIES <...> [PRIVATE_HEADERS <component>...]
#   [PARTS <part>=<filter>...]): one GoogleTest program that runs as 1, 2, 3 and 4 processes, and nightly as 8, with the
# label `distributed`; karman_test_processes() makes the entries in ctest. Without MPI in the build there is none.
add_custom_target(karman_distributed_tests)
if(KARMAN_ENABLE_MPI)
  add_library(karman_mpi_main OBJECT "${PROJECT_SOURCE_DIR}/tests/mpi_main.cpp")
  karman_compile_options(karman_mpi_main)
  target_link_libraries(karman_mpi_main PRIVATE karman::distributed GTest::gtest)
endif()

# Of tests with several processes. Open MPI: more processes than cores, which yield where they wait; no binding to cores; the
# account of a container.
set(karman_mpi_environment OMP_NUM_THREADS=1 ${karman_test_environment} OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_btl_vader_single_copy_mechanism=none
  OMPI_MCA_mpi_yield_when_idle=1)

# An entry <name>_<processes> that runs a program with these tests.
function(karman_add_processes_entry name program processes filter timeout labels)
  add_test(NAME ${name}_${processes}
    COMMAND "${MPIEXEC_EXECUTABLE}" ${MPIEXEC_PREFLAGS} ${MPIEXEC_NUMPROC_FLAG} ${processes} $<TARGET_FILE:${program}> ${filter})
  set_tests_properties(${name}_${processes} PROPERTIES TIMEOUT ${timeout} PROCESSORS ${processes} LABELS "${labels}"
    ENVIRONMENT "${karman_mpi_environment};${ARGN}" FAIL_REGULAR_EXPRESSION "${karman_no_test}")
endfunction()

# karman_test_processes(<program> <number>... [PARTS <part>=<filter>...]): entries in ctest that run a program as so many
# processes; above 4 nightly. PARTS: tests with an entry of their own; the entry without a name has all others. On
# devices tests take few of their cases (tests/chosen_cases.hpp); nightly entries of 2 to 4 processes take all.
function(karman_test_processes program)
  cmake_parse_arguments(arg "" "" "PARTS" ${ARGN})
  set(others "")
  if(arg_PARTS)
    list(TRANSFORM arg_PARTS REPLACE "^[a-z_]+=" "" OUTPUT_VARIABLE others)
    list(JOIN others ":" others)
    set(others "--gtest_filter=-${others}")
  endif()
  foreach(processes IN LISTS arg_UNPARSED_ARGUMENTS)
    set(labels distributed)
    if(processes GREATER 4)
      list(APPEND labels nightly)
    endif()
    karman_add_processes_entry(${program} ${program} ${processes} "${others}" 300 "${labels}")
    foreach(part IN LISTS arg_PARTS)
      string(REGEX MATCH "^([a-z_]+)=(.+)$" found "${part}")
      karman_add_processes_entry(${program}_${CMAKE_MATCH_1} ${program} ${processes} "--gtest_filter=${CMAKE_MATCH_2}" 300 "${labels}")
    endforeach()
    if(KARMAN_CUDA AND processes GREATER 1 AND NOT processes GREATER 4)
      karman_add_processes_entry(${program}_all_cases ${program} ${processes} "" 3600 "distributed;nightly" KARMAN_TEST_CASES=all)
    endif()
  endforeach()
  add_dependencies(karman_distributed_tests ${program})
endfunction()

function(karman_add_distributed_test)
  if(NOT KARMAN_ENABLE_MPI)
    return()
  endif()
  cmake_parse_arguments(arg "" "NAME" "SOURCES;LIBRARIES;PRIVATE_HEADERS;PARTS" ${ARGN})
  add_executable(${arg_NAME} ${arg_SOURCES})
  karman_compile_options(${arg_NAME})
  target_compile_options(${arg_NAME} PRIVATE ${karman_test_options})
  karman_use_precompiled(${arg_NAME} test)
  target_include_directories(${arg_NAME} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  karman_private_headers(${arg_NAME} ${arg_PRIVATE_HEADERS})
  target_sources(${arg_NAME} PRIVATE $<TARGET_OBJECTS:karman_mpi_main>)
  target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBRARIES} karman::distributed GTest::gtest)
  karman_test_processes(${arg_NAME} 1 2 3 4 8 PARTS ${arg_PARTS})
endfunction()
