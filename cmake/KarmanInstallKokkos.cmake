# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs a copy of the build's static Kokkos for find_package(karman), in a folder of Karman's own. No distribution has
# a Kokkos with OpenMP that libkarman-dev could depend on. Sets karman_installed_kokkos, relative to the prefix, or "".
include_guard(GLOBAL)
include(GNUInstallDirs)

option(KARMAN_INSTALL_KOKKOS "Install a copy of the build's static Kokkos beside the libraries" OFF)

set(karman_installed_kokkos "")
if(NOT KARMAN_INSTALL_KOKKOS OR NOT Kokkos_DIR)
  return()
endif()
get_filename_component(kokkos_prefix "${Kokkos_DIR}/../../.." REALPATH)
if(kokkos_prefix MATCHES "^(/|/usr|/usr/local)$")
  message(STATUS "Karman: no copy of Kokkos is installed, it belongs to the system (${kokkos_prefix})")
  return()
endif()
file(GLOB kokkos_library "${kokkos_prefix}/lib*/libkokkoscore.a")
if(NOT kokkos_library OR NOT EXISTS "${kokkos_prefix}/include/Kokkos_Core.hpp")
  message(FATAL_ERROR
    "KARMAN_INSTALL_KOKKOS needs a static Kokkos in a prefix of its own; ${kokkos_prefix} has no lib/libkokkoscore.a. Pass "
    "the one of tools/install-dependencies with -DKokkos_ROOT=<prefix>, or install without it: -DKARMAN_INSTALL_KOKKOS=OFF.")
endif()

set(karman_installed_kokkos "${CMAKE_INSTALL_LIBDIR}/karman/kokkos")
get_filename_component(kokkos_libraries "${kokkos_library}" DIRECTORY)
install(DIRECTORY "${kokkos_prefix}/include" "${kokkos_libraries}" DESTINATION "${karman_installed_kokkos}" COMPONENT development)
install(DIRECTORY "${kokkos_prefix}/bin" DESTINATION "${karman_installed_kokkos}" COMPONENT development
  USE_SOURCE_PERMISSIONS FILES_MATCHING PATTERN "nvcc_wrapper" PATTERN "kokkos_launch_compiler")
