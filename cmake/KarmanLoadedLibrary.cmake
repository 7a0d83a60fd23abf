# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Optional library for karman::io: AUTO (used where it is found), ON (the build stops where it is not) or OFF. Only its
# headers are used here: karman::io loads the library when an input needs it, so that neither programs nor users of the
# package link it.
include_guard(GLOBAL)

# karman_loaded_library(NAME 7 "purpose" LIBRARY library VERSION_HEADER header VERSION_MACRO macro PACKAGE debian)
# Caches KARMAN_NAME. In the folder of the call: karman_name_found, KARMAN_NAME_INCLUDE_DIR, KARMAN_NAME_LIBRARY (for tests
# that make files) and karman_name_names, the file names for the loader.
macro(karman_loaded_library name major purpose)
  cmake_parse_arguments(loaded "" "LIBRARY;VERSION_HEADER;VERSION_MACRO;PACKAGE" "" ${ARGN})
  string(TOLOWER ${name} loaded_lower)
  set(KARMAN_${name} AUTO CACHE STRING "${purpose} through ${name}, ${major}.0 or later (AUTO, ON, OFF)")
  set_property(CACHE KARMAN_${name} PROPERTY STRINGS AUTO ON OFF)

  set(karman_${loaded_lower}_found FALSE)
  if(KARMAN_${name})
    find_path(KARMAN_${name}_INCLUDE_DIR ${loaded_VERSION_HEADER} HINTS "${${name}_ROOT}" ENV ${name}_ROOT
      PATH_SUFFIXES include include/${loaded_LIBRARY} ${loaded_LIBRARY})
    find_library(KARMAN_${name}_LIBRARY ${loaded_LIBRARY} HINTS "${${name}_ROOT}" ENV ${name}_ROOT PATH_SUFFIXES lib lib64)
    mark_as_advanced(KARMAN_${name}_INCLUDE_DIR KARMAN_${name}_LIBRARY)
    if(KARMAN_${name}_INCLUDE_DIR AND KARMAN_${name}_LIBRARY)
      file(STRINGS "${KARMAN_${name}_INCLUDE_DIR}/${loaded_VERSION_HEADER}" loaded_line
        REGEX "define ${loaded_VERSION_MACRO} +[0-9]+" LIMIT_COUNT 1)
      if(loaded_line MATCHES "MAJOR +([0-9]+)" AND CMAKE_MATCH_1 GREATER_EQUAL ${major})
        set(karman_${loaded_lower}_found TRUE)
        # The name with the version of its interface, libgdal.so.32: the plain one belongs to the headers' package.
        get_filename_component(loaded_file "${KARMAN_${name}_LIBRARY}" REALPATH)
        get_filename_component(loaded_name "${loaded_file}" NAME)
        if(loaded_name MATCHES "^(lib${loaded_LIBRARY}[.]so[.][0-9]+)")
          set(loaded_name "${CMAKE_MATCH_1}")
        endif()
        set(karman_${loaded_lower}_names "\"${loaded_name}\", \"${loaded_file}\"")
      endif()
    endif()
    if(NOT karman_${loaded_lower}_found AND NOT KARMAN_${name} STREQUAL "AUTO")
      message(FATAL_ERROR "KARMAN_${name}=ON needs ${name} ${major}.0 or later: none was found (Debian: ${loaded_PACKAGE}). "
        "Run tools/install-dependencies, pass -D${name}_ROOT=<prefix>, or leave ${name} out with -DKARMAN_${name}=OFF.")
    endif()
  endif()
endmacro()
