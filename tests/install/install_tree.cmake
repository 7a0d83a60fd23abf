# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DBUILD=... -DSOURCE=... -DPREFIX=... -P ...: installs into a new folder; no file that others read afterwards may
# name the folders of the build.
file(REMOVE_RECURSE "${PREFIX}")
execute_process(COMMAND "${CMAKE_COMMAND}" --install "${BUILD}" --prefix "${PREFIX}"
  COMMAND_ERROR_IS_FATAL ANY OUTPUT_QUIET)
file(GLOB_RECURSE texts "${PREFIX}/*.cmake" "${PREFIX}/*.hpp")
list(LENGTH texts count)
if(count LESS 10)
  message(FATAL_ERROR "Only ${count} headers and package files in ${PREFIX}")
endif()
foreach(file IN LISTS texts)
  file(READ "${file}" content)
  foreach(folder IN ITEMS "${BUILD}" "${SOURCE}" "${PREFIX}")
    string(FIND "${content}" "${folder}" position)
    if(NOT position EQUAL -1)
      message(FATAL_ERROR "${file} names ${folder}: the installation could not be moved")
    endif()
  endforeach()
endforeach()
file(GLOB_RECURSE unwanted "${PREFIX}/*gtest*" "${PREFIX}/*valijson*" "${PREFIX}/*.cpp")
if(unwanted)
  message(FATAL_ERROR "Installed without need: ${unwanted}")
endif()
