# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# AmgX of NVIDIA, which installs no CMake package, as the target karman::amgx. AmgX_ROOT (variable or environment) or
# AMGX_DIR gives a prefix. Licence: BSD.
set(karman_amgx_search HINTS "${AmgX_ROOT}" ENV AmgX_ROOT "${AMGX_DIR}" ENV AMGX_DIR)
find_path(KarmanAmgX_INCLUDE_DIR amgx_c.h ${karman_amgx_search} PATH_SUFFIXES include)
find_library(KarmanAmgX_LIBRARY amgxsh ${karman_amgx_search} PATH_SUFFIXES lib lib64)
mark_as_advanced(KarmanAmgX_INCLUDE_DIR KarmanAmgX_LIBRARY)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KarmanAmgX REQUIRED_VARS KarmanAmgX_LIBRARY KarmanAmgX_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "Pass -DAmgX_ROOT=<prefix>.")

if(KarmanAmgX_FOUND AND NOT TARGET karman::amgx)
  find_package(CUDAToolkit REQUIRED)
  add_library(karman::amgx INTERFACE IMPORTED)
  set_target_properties(karman::amgx PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${KarmanAmgX_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${KarmanAmgX_LIBRARY};CUDA::cudart")
endif()
