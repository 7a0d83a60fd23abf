# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Optional PROJ, 7.0 or later, for karman::io: AUTO (used where it is found), ON (the build stops where it is not) or
# OFF. Only its header is used here: karman::io loads the library when a case needs it, so that neither programs nor
# users of the package link it. Sets karman_proj_found, KARMAN_PROJ_INCLUDE_DIR and karman_proj_names, the file names for
# the loader, in the folder that includes it.

set(KARMAN_PROJ AUTO CACHE STRING "Coordinate systems of maps through PROJ, 7.0 or later (AUTO, ON, OFF)")
set_property(CACHE KARMAN_PROJ PROPERTY STRINGS AUTO ON OFF)

set(karman_proj_found FALSE)
if(KARMAN_PROJ)
  find_path(KARMAN_PROJ_INCLUDE_DIR proj.h HINTS "${PROJ_ROOT}" ENV PROJ_ROOT PATH_SUFFIXES include)
  find_library(KARMAN_PROJ_LIBRARY proj HINTS "${PROJ_ROOT}" ENV PROJ_ROOT PATH_SUFFIXES lib lib64)
  mark_as_advanced(KARMAN_PROJ_INCLUDE_DIR KARMAN_PROJ_LIBRARY)
  if(KARMAN_PROJ_INCLUDE_DIR AND KARMAN_PROJ_LIBRARY)
    file(STRINGS "${KARMAN_PROJ_INCLUDE_DIR}/proj.h" line REGEX "define PROJ_VERSION_MAJOR +[0-9]+" LIMIT_COUNT 1)
    if(line MATCHES "MAJOR +([0-9]+)" AND CMAKE_MATCH_1 GREATER_EQUAL 7)
      set(karman_proj_found TRUE)
      # The name with the version of its interface, libproj.so.25: the plain one belongs to the header's package.
      get_filename_component(file "${KARMAN_PROJ_LIBRARY}" REALPATH)
      get_filename_component(name "${file}" NAME)
      if(name MATCHES "^(libproj[.]so[.][0-9]+)")
        set(name "${CMAKE_MATCH_1}")
      endif()
      set(karman_proj_names "\"${name}\", \"${file}\"")
    endif()
  endif()
  if(NOT karman_proj_found AND NOT KARMAN_PROJ STREQUAL "AUTO")
    message(FATAL_ERROR "KARMAN_PROJ=ON needs PROJ 7.0 or later: none was found (Debian: libproj-dev). Run "
      "tools/install-dependencies, pass -DPROJ_ROOT=<prefix>, or leave PROJ out with -DKARMAN_PROJ=OFF.")
  endif()
endif()
