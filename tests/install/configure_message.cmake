# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DSOURCE=... -DBINARY=... -DGENERATOR=... -DKOKKOS=<prefix> -DDEFINITIONS=<-D...> -DEXPECT=<regular expressions> -P ...
# A configuration that must fail, in one message that matches every expression. Line breaks count as spaces.
file(REMOVE_RECURSE "${BINARY}")
file(MAKE_DIRECTORY "${BINARY}/empty")
if(NOT KOKKOS)
  set(KOKKOS "${BINARY}/empty")
endif()
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${BINARY}/build" -G "${GENERATOR}" "-DKokkos_ROOT=${KOKKOS}"
    "-DCMAKE_PROJECT_INCLUDE=${CMAKE_CURRENT_LIST_DIR}/find_nothing_else.cmake" ${DEFINITIONS}
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
string(REGEX REPLACE "[ \r\n]+" " " line "${output}")
if(result EQUAL 0)
  message(FATAL_ERROR "The configuration should have failed:\n${output}")
endif()
string(REGEX MATCHALL "CMake Error" errors "${line}")
list(LENGTH errors count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "${count} errors instead of one:\n${output}")
endif()
foreach(expression IN LISTS EXPECT)
  if(NOT line MATCHES "${expression}")
    message(FATAL_ERROR "Nothing matches '${expression}' in:\n${output}")
  endif()
endforeach()
