# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# FFTW in single and double precision with OpenMP, as the target karman::fftw. For Karman's own build and, installed,
# for users of the package. FFTW3_ROOT (variable or environment) gives a prefix. Uses FFTW's OpenMP library instead of
# its own threads: a program should have one kind of threads, and programs with Kokkos mostly have OpenMP's.
find_path(KarmanFFTW_INCLUDE_DIR fftw3.h HINTS "${FFTW3_ROOT}" ENV FFTW3_ROOT PATH_SUFFIXES include)
set(karman_fftw_libraries "")
foreach(library IN ITEMS fftw3_omp fftw3f_omp fftw3 fftw3f)
  find_library(KarmanFFTW_${library}_LIBRARY ${library} HINTS "${FFTW3_ROOT}" ENV FFTW3_ROOT PATH_SUFFIXES lib lib64)
  mark_as_advanced(KarmanFFTW_${library}_LIBRARY)
  list(APPEND karman_fftw_libraries KarmanFFTW_${library}_LIBRARY)
endforeach()
mark_as_advanced(KarmanFFTW_INCLUDE_DIR)

# 3.3.9 added the query for the planner's number of threads.
set(KarmanFFTW_RECENT FALSE)
if(KarmanFFTW_INCLUDE_DIR)
  file(STRINGS "${KarmanFFTW_INCLUDE_DIR}/fftw3.h" karman_fftw_line REGEX "planner_nthreads" LIMIT_COUNT 1)
  if(karman_fftw_line)
    set(KarmanFFTW_RECENT TRUE)
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(KarmanFFTW
  REQUIRED_VARS ${karman_fftw_libraries} KarmanFFTW_INCLUDE_DIR KarmanFFTW_RECENT
  REASON_FAILURE_MESSAGE "Karman's transforms need FFTW 3.3.9 or later in single and double precision with OpenMP. Run tools/install-dependencies, install libfftw3-dev, or pass -DFFTW3_ROOT=<prefix>.")

if(KarmanFFTW_FOUND AND NOT TARGET karman::fftw)
  # Global, so that every folder sees it, as karman::solvers in a project that builds Karman as a part of itself.
  add_library(karman::fftw INTERFACE IMPORTED GLOBAL)
  set(karman_fftw_paths "")
  foreach(variable IN LISTS karman_fftw_libraries)
    list(APPEND karman_fftw_paths "${${variable}}")
  endforeach()
  set_target_properties(karman::fftw PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${KarmanFFTW_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${karman_fftw_paths}")
endif()
