# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Imitates a Kokkos with other backends than this machine's: enough of a package to be found, but not to build with.
add_library(Kokkos::kokkos INTERFACE IMPORTED)
set(Kokkos_DEVICES $ENV{KARMAN_FAKE_DEVICES})
