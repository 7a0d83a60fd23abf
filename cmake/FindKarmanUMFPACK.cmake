# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SuiteSparse UMFPACK as the target karman::umfpack. For Karman's own build and, installed, for users of the package.
# UMFPACK_ROOT (variable or environment) gives a prefix. UMFPACK is under the GPL, version 2 or later.
find_path(KarmanUMFPACK_INCLUDE_DIR umfpack.h HINTS "${UMFPACK_ROOT}" ENV UMFPACK_ROOT
  PATH_SUFFIXES include include/suitesparse suitesparse)
find_library(KarmanUMFPACK_LIBRARY umfpack HINTS "${UMFPACK_ROOT}" ENV UMFPACK_ROOT PATH_SUFFIXES lib lib64)
mark_as_advanced(KarmanUMFPACK_INCLUDE_DIR KarmanUMFPACK_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KarmanUMFPACK
  REQUIRED_VARS KarmanUMFPACK_LIBRARY KarmanUMFPACK_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Run tools/install-dependencies, install libsuitesparse-dev, pass -DUMFPACK_ROOT=<prefix>, or exclude it with -DKARMAN_UMFPACK=OFF.")

if(KarmanUMFPACK_FOUND AND NOT TARGET karman::umfpack)
  # Global, so that every folder sees it, as karman::solvers in a project that builds Karman as a part of itself.
  add_library(karman::umfpack INTERFACE IMPORTED GLOBAL)
  set_target_properties(karman::umfpack PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${KarmanUMFPACK_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${KarmanUMFPACK_LIBRARY}")
endif()
