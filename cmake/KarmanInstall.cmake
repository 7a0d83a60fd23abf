# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Installs the libraries and the package files for find_package(karman COMPONENTS ...).
include_guard(GLOBAL)
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(KARMAN_INSTALL_CMAKEDIR "${CMAKE_INSTALL_LIBDIR}/cmake/karman" CACHE STRING "Where the package files go")
get_property(karman_components GLOBAL PROPERTY KARMAN_COMPONENTS)

# One export per component, so that a program with core alone needs no HDF5.
foreach(component IN LISTS karman_components)
  install(TARGETS karman_${component} EXPORT karman_${component}
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development)
  install(EXPORT karman_${component} NAMESPACE karman:: FILE karman-${component}-targets.cmake
    DESTINATION "${KARMAN_INSTALL_CMAKEDIR}" COMPONENT development)
endforeach()

get_property(karman_nccl_found GLOBAL PROPERTY KARMAN_NCCL_FOUND)
get_property(karman_sparse_libraries GLOBAL PROPERTY KARMAN_SPARSE_LIBRARIES)
include(KarmanInstallKokkos)
set(karman_version_of_kokkos "${Kokkos_VERSION}")
# Where a copy comes along, the place of the original is of no use on other machines.
set(karman_place_of_kokkos "${Kokkos_DIR}")
if(karman_installed_kokkos)
  set(karman_place_of_kokkos "")
endif()
configure_package_config_file(cmake/karman-config.cmake.in "${PROJECT_BINARY_DIR}/karman-config.cmake"
  INSTALL_DESTINATION "${KARMAN_INSTALL_CMAKEDIR}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/karman-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/karman-config.cmake" "${PROJECT_BINARY_DIR}/karman-config-version.cmake"
  cmake/KarmanKokkos.cmake cmake/KarmanCuda.cmake cmake/KarmanKokkosFFT.cmake
  cmake/KarmanKokkosKernels.cmake cmake/FindKarmanFFTW.cmake
  cmake/FindKarmanMUMPS.cmake cmake/FindKarmanUMFPACK.cmake cmake/FindKarmanSuperLU.cmake
  DESTINATION "${KARMAN_INSTALL_CMAKEDIR}" COMPONENT development)
