# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Optional GDAL, 3.0 or later, for karman::io: AUTO (used where it is found), ON (the build stops where it is not) or
# OFF. Only its headers are used here: karman::io loads the library when a file needs it, so that neither programs nor
# users of the package link it. Sets karman_gdal_found, KARMAN_GDAL_INCLUDE_DIR, KARMAN_GDAL_LIBRARY (for tests that
# make files) and karman_gdal_names, the file names for the loader, in the folder that includes it.

set(KARMAN_GDAL AUTO CACHE STRING "Read shapefiles, GeoTIFF and more through GDAL, 3.0 or later (AUTO, ON, OFF)")
set_property(CACHE KARMAN_GDAL PROPERTY STRINGS AUTO ON OFF)

set(karman_gdal_found FALSE)
if(KARMAN_GDAL)
  find_path(KARMAN_GDAL_INCLUDE_DIR gdal_version.h HINTS "${GDAL_ROOT}" ENV GDAL_ROOT PATH_SUFFIXES include include/gdal gdal)
  find_library(KARMAN_GDAL_LIBRARY gdal HINTS "${GDAL_ROOT}" ENV GDAL_ROOT PATH_SUFFIXES lib lib64)
  mark_as_advanced(KARMAN_GDAL_INCLUDE_DIR KARMAN_GDAL_LIBRARY)
  if(KARMAN_GDAL_INCLUDE_DIR AND KARMAN_GDAL_LIBRARY)
    file(STRINGS "${KARMAN_GDAL_INCLUDE_DIR}/gdal_version.h" line REGEX "define GDAL_VERSION_MAJOR +[0-9]+" LIMIT_COUNT 1)
    if(line MATCHES "MAJOR +([0-9]+)" AND CMAKE_MATCH_1 GREATER_EQUAL 3)
      set(karman_gdal_found TRUE)
      # The name with the version of its interface, libgdal.so.32: the plain one belongs to the headers' package.
      get_filename_component(file "${KARMAN_GDAL_LIBRARY}" REALPATH)
      get_filename_component(name "${file}" NAME)
      if(name MATCHES "^(libgdal[.]so[.][0-9]+)")
        set(name "${CMAKE_MATCH_1}")
      endif()
      set(karman_gdal_names "\"${name}\", \"${file}\"")
    endif()
  endif()
  if(NOT karman_gdal_found AND NOT KARMAN_GDAL STREQUAL "AUTO")
    message(FATAL_ERROR "KARMAN_GDAL=ON needs GDAL 3.0 or later: none was found (Debian: libgdal-dev). Run "
      "tools/install-dependencies, pass -DGDAL_ROOT=<prefix>, or leave GDAL out with -DKARMAN_GDAL=OFF.")
  endif()
endif()
