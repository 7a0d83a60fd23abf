# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Search arguments of find_package() for Kokkos Kernels, in karman_kokkos_kernels_search. For Karman's own build and,
# installed, for users of the package. It must belong to the Kokkos of this build. Versions from 4.4 on check that
# themselves. Versions before 4 do not, so that only the same prefix is searched: Debian's, for example, is built with a
# Kokkos without threads.
set(karman_kokkos_kernels_search 4.4 CONFIG)
set(karman_kokkos_prefix "")
if(Kokkos_DIR)
  get_filename_component(karman_kokkos_prefix "${Kokkos_DIR}/../../.." ABSOLUTE)
  list(APPEND karman_kokkos_kernels_search HINTS "${karman_kokkos_prefix}")
endif()
if(Kokkos_DIR AND Kokkos_VERSION VERSION_LESS 4)
  set(karman_kokkos_kernels_search 3.4 CONFIG PATHS "${karman_kokkos_prefix}" NO_DEFAULT_PATH)
endif()
