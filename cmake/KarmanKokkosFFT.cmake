# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds kokkos-fft, or respects the one of the enclosing project. For a build with KARMAN_USE_KOKKOS_FFT and, installed,
# for users of its package. Error and fix go to karman_kokkos_fft_problem.
include_guard(DIRECTORY)

set(karman_kokkos_fft_problem "")
string(CONCAT karman_kokkos_fft_advice
  "Install kokkos-fft 1.0 or later for this Kokkos, with -DKokkosFFT_ENABLE_FFTW=ON, and pass "
  "-DKokkosFFT_ROOT=<prefix>, or switch KARMAN_USE_KOKKOS_FFT off.")
if(Kokkos_VERSION AND Kokkos_VERSION VERSION_LESS 4.6)
  string(CONCAT karman_kokkos_fft_problem
    "KARMAN_USE_KOKKOS_FFT needs Kokkos 4.6 or later, as kokkos-fft does; ${Kokkos_DIR} is ${Kokkos_VERSION}. "
    "Pass another with -DKokkos_ROOT=<prefix>, or switch KARMAN_USE_KOKKOS_FFT off.")
  return()
endif()
if(NOT TARGET KokkosFFT::fft)
  # Global, so that every folder sees it, as karman::solvers in a project that builds Karman as a part of itself.
  set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
  find_package(KokkosFFT QUIET CONFIG)
  unset(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL)
  if(NOT KokkosFFT_FOUND)
    set(karman_kokkos_fft_problem "KARMAN_USE_KOKKOS_FFT needs kokkos-fft: none was found. ${karman_kokkos_fft_advice}")
    return()
  endif()
endif()

# 1.0 added plans with workspace from the caller.
if(KokkosFFT_VERSION AND KokkosFFT_VERSION VERSION_LESS 1.0)
  set(karman_kokkos_fft_problem
    "The kokkos-fft in ${KokkosFFT_DIR} is ${KokkosFFT_VERSION}, too old. ${karman_kokkos_fft_advice}")
  return()
endif()

# With CUDA its default excludes FFTW; Karman needs the host's backends beside CUDA.
get_target_property(karman_kokkos_fft_libraries KokkosFFT::fft INTERFACE_LINK_LIBRARIES)
if(NOT karman_kokkos_fft_libraries MATCHES "FFTW::Double")
  set(karman_kokkos_fft_problem
    "The kokkos-fft in ${KokkosFFT_DIR} was built without FFTW. ${karman_kokkos_fft_advice}")
endif()
