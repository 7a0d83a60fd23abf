# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# SuperLU (the serial one, 5 or later) as the target karman::superlu. For Karman's own build and, installed, for users
# of the package. SUPERLU_ROOT (variable or environment) gives a prefix.
find_path(KarmanSuperLU_INCLUDE_DIR slu_zdefs.h HINTS "${SUPERLU_ROOT}" ENV SUPERLU_ROOT
  PATH_SUFFIXES include include/superlu superlu)
find_library(KarmanSuperLU_LIBRARY superlu HINTS "${SUPERLU_ROOT}" ENV SUPERLU_ROOT PATH_SUFFIXES lib lib64)
mark_as_advanced(KarmanSuperLU_INCLUDE_DIR KarmanSuperLU_LIBRARY)

# 5.0 added GlobalLU_t, which stores the state of a factorisation with its owner.
set(KarmanSuperLU_RECENT FALSE)
if(KarmanSuperLU_INCLUDE_DIR)
  file(STRINGS "${KarmanSuperLU_INCLUDE_DIR}/slu_zdefs.h" karman_superlu_line REGEX "GlobalLU_t" LIMIT_COUNT 1)
  if(karman_superlu_line)
    set(KarmanSuperLU_RECENT TRUE)
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KarmanSuperLU
  REQUIRED_VARS KarmanSuperLU_LIBRARY KarmanSuperLU_INCLUDE_DIR KarmanSuperLU_RECENT
  REASON_FAILURE_MESSAGE "Run tools/install-dependencies, install libsuperlu-dev, pass -DSUPERLU_ROOT=<prefix>, or exclude it with -DKARMAN_SUPERLU=OFF.")

if(KarmanSuperLU_FOUND AND NOT TARGET karman::superlu)
  # Global, so that every folder sees it, as karman::solvers in a project that builds Karman as a part of itself.
  add_library(karman::superlu INTERFACE IMPORTED GLOBAL)
  set_target_properties(karman::superlu PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${KarmanSuperLU_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${KarmanSuperLU_LIBRARY}")
endif()
