# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# MUMPS without MPI, 5.2 or later, and METIS, as the target karman::mumps. For Karman's own build and, installed, for
# users of the package. MUMPS_ROOT and METIS_ROOT (variables or environment) give prefixes. Licences: CeCILL-C,
# Apache-2.0.
set(karman_mumps_search HINTS "${MUMPS_ROOT}" ENV MUMPS_ROOT)
find_path(KarmanMUMPS_INCLUDE_DIR zmumps_c.h ${karman_mumps_search} PATH_SUFFIXES include include/mumps mumps)
# Debian's names end with _seq. Upstream's are the names of the parallel library too: there libmpiseq distinguishes them.
find_library(KarmanMUMPS_COMPLEX_LIBRARY zmumps_seq ${karman_mumps_search} PATH_SUFFIXES lib lib64)
find_library(KarmanMUMPS_REAL_LIBRARY dmumps_seq ${karman_mumps_search} PATH_SUFFIXES lib lib64)
mark_as_advanced(KarmanMUMPS_INCLUDE_DIR KarmanMUMPS_COMPLEX_LIBRARY KarmanMUMPS_REAL_LIBRARY)
set(karman_mumps_others "")
if(NOT KarmanMUMPS_COMPLEX_LIBRARY)
  find_library(KarmanMUMPS_MPI_LIBRARY mpiseq ${karman_mumps_search} PATH_SUFFIXES lib lib64)
  mark_as_advanced(KarmanMUMPS_MPI_LIBRARY)
  if(KarmanMUMPS_MPI_LIBRARY)
    get_filename_component(karman_mumps_folder "${KarmanMUMPS_MPI_LIBRARY}" DIRECTORY)
    find_library(KarmanMUMPS_COMPLEX_LIBRARY zmumps PATHS "${karman_mumps_folder}" NO_DEFAULT_PATH)
    find_library(KarmanMUMPS_REAL_LIBRARY dmumps PATHS "${karman_mumps_folder}" NO_DEFAULT_PATH)
    foreach(part IN ITEMS mumps_common pord)
      find_library(KarmanMUMPS_${part}_LIBRARY ${part} PATHS "${karman_mumps_folder}" NO_DEFAULT_PATH)
      mark_as_advanced(KarmanMUMPS_${part}_LIBRARY)
      if(KarmanMUMPS_${part}_LIBRARY)
        list(APPEND karman_mumps_others "${KarmanMUMPS_${part}_LIBRARY}")
      endif()
    endforeach()
    list(APPEND karman_mumps_others "${KarmanMUMPS_MPI_LIBRARY}")
  endif()
endif()
find_path(KarmanMUMPS_METIS_INCLUDE_DIR metis.h HINTS "${METIS_ROOT}" ENV METIS_ROOT PATH_SUFFIXES include)
find_library(KarmanMUMPS_METIS_LIBRARY metis HINTS "${METIS_ROOT}" ENV METIS_ROOT PATH_SUFFIXES lib lib64)
mark_as_advanced(KarmanMUMPS_METIS_INCLUDE_DIR KarmanMUMPS_METIS_LIBRARY)

# 5.2 has the extrema of the pivots.
set(KarmanMUMPS_RECENT FALSE)
if(KarmanMUMPS_INCLUDE_DIR)
  file(STRINGS "${KarmanMUMPS_INCLUDE_DIR}/zmumps_c.h" karman_mumps_line REGEX "define MUMPS_VERSION " LIMIT_COUNT 1)
  if(karman_mumps_line MATCHES "\"([0-9.]+)\"" AND CMAKE_MATCH_1 VERSION_GREATER_EQUAL 5.2)
    set(KarmanMUMPS_RECENT TRUE)
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KarmanMUMPS
  REQUIRED_VARS KarmanMUMPS_COMPLEX_LIBRARY KarmanMUMPS_REAL_LIBRARY KarmanMUMPS_INCLUDE_DIR KarmanMUMPS_RECENT
    KarmanMUMPS_METIS_LIBRARY KarmanMUMPS_METIS_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Run tools/install-dependencies, install libmumps-seq-dev and libmetis-dev, pass -DMUMPS_ROOT=<prefix> and -DMETIS_ROOT=<prefix>, or exclude it with -DKARMAN_MUMPS=OFF.")

if(KarmanMUMPS_FOUND AND NOT TARGET karman::mumps)
  # Global, so that every folder sees it, as karman::solvers in a project that builds Karman as a part of itself.
  add_library(karman::mumps INTERFACE IMPORTED GLOBAL)
  set_target_properties(karman::mumps PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${KarmanMUMPS_INCLUDE_DIR};${KarmanMUMPS_METIS_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES
      "${KarmanMUMPS_COMPLEX_LIBRARY};${KarmanMUMPS_REAL_LIBRARY};${karman_mumps_others};${KarmanMUMPS_METIS_LIBRARY}")
endif()
