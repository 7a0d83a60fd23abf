# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# karman_add_test(NAME <name> SOURCES <...> LIBRARIES <...> [KOKKOS] [PRIVATE_HEADERS <component>...] [LABELS <...>]): one
# GoogleTest program, one entry in ctest. With KOKKOS the program initialises Kokkos before the first test (tests/kokkos_main.cpp).
# KARMAN_TEST_OPTIMIZATION applies to its sources; the libraries under test keep the options of the build.
include_guard(GLOBAL)
find_package(GTest REQUIRED)
include(GoogleTest)

# Most of the build time of the tests is optimisation, and the tests themselves need little of it. Programs of the
# install tests, examples, applications and karman-perf compile the same headers with the options of the build.
set(KARMAN_TEST_OPTIMIZATION "-O1" CACHE STRING "Optimisation of test programs in release builds; empty: that of the build")

function(karman_add_test)
  cmake_parse_arguments(arg "KOKKOS" "NAME" "SOURCES;LIBRARIES;PRIVATE_HEADERS;LABELS" ${ARGN})
  add_executable(${arg_NAME} ${arg_SOURCES})
  karman_compile_options(${arg_NAME})
  if(PROJECT_IS_TOP_LEVEL AND NOT KARMAN_CUDA)
    target_compile_options(${arg_NAME} PRIVATE "$<$<CONFIG:Release,RelWithDebInfo>:${KARMAN_TEST_OPTIMIZATION}>")
  endif()
  target_include_directories(${arg_NAME} PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  karman_private_headers(${arg_NAME} ${arg_PRIVATE_HEADERS})
  if(arg_KOKKOS)
    target_sources(${arg_NAME} PRIVATE "${PROJECT_SOURCE_DIR}/tests/kokkos_main.cpp")
    target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBRARIES} GTest::gtest)
  else()
    target_link_libraries(${arg_NAME} PRIVATE ${arg_LIBRARIES} GTest::gtest_main)
  endif()
  set(labels "")
  if(arg_LABELS)
    set(labels LABELS "${arg_LABELS}")
  endif()
  # One ctest entry per program: starting Kokkos for each of hundreds of small tests would cost more than the tests.
  add_test(NAME ${arg_NAME} COMMAND ${arg_NAME})
  set_tests_properties(${arg_NAME} PROPERTIES TIMEOUT 600 ENVIRONMENT "OMP_PROC_BIND=false" ${labels})
endfunction()
