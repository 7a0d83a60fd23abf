# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds LAPACKE, the C interface of LAPACK, with the LAPACK and BLAS behind it: target karman::lapacke. Debian's
# liblapacke-dev has no CMake package. -DLAPACKE_ROOT=<prefix> selects another place.
include(FindPackageHandleStandardArgs)

find_path(KarmanLAPACKE_INCLUDE_DIR lapacke.h HINTS ENV LAPACKE_ROOT PATHS "${LAPACKE_ROOT}"
  PATH_SUFFIXES include include/lapacke)
find_library(KarmanLAPACKE_LIBRARY lapacke HINTS ENV LAPACKE_ROOT PATHS "${LAPACKE_ROOT}" PATH_SUFFIXES lib lib64)
find_library(KarmanLAPACKE_LAPACK lapack HINTS ENV LAPACKE_ROOT PATHS "${LAPACKE_ROOT}" PATH_SUFFIXES lib lib64)
find_library(KarmanLAPACKE_BLAS NAMES blas openblas HINTS ENV LAPACKE_ROOT PATHS "${LAPACKE_ROOT}" PATH_SUFFIXES lib lib64)
mark_as_advanced(KarmanLAPACKE_INCLUDE_DIR KarmanLAPACKE_LIBRARY KarmanLAPACKE_LAPACK KarmanLAPACKE_BLAS)

find_package_handle_standard_args(KarmanLAPACKE
  REQUIRED_VARS KarmanLAPACKE_LIBRARY KarmanLAPACKE_INCLUDE_DIR KarmanLAPACKE_LAPACK KarmanLAPACKE_BLAS
  REASON_FAILURE_MESSAGE "Run tools/install-dependencies, or install liblapacke-dev.")

if(KarmanLAPACKE_FOUND AND NOT TARGET karman::lapacke)
  add_library(karman::lapacke INTERFACE IMPORTED GLOBAL)
  set_target_properties(karman::lapacke PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${KarmanLAPACKE_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${KarmanLAPACKE_LIBRARY};${KarmanLAPACKE_LAPACK};${KarmanLAPACKE_BLAS}")
endif()
