# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Debian packages by `cpack -G DEB` in the build folder: karman (commands, cases, documentation), karman-perf (the
# comparison with its peers) and libkarman-dev (libraries, headers, package files). dpkg-shlibdeps finds the libraries
# of the programs.
include_guard(GLOBAL)

set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_PACKAGE_NAME karman)
set(CPACK_PACKAGE_CONTACT "The Karman developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL development)
if(TARGET karman)
  list(APPEND CPACK_COMPONENTS_ALL commands)
endif()
if(TARGET karman-perf)
  list(APPEND CPACK_COMPONENTS_ALL performance)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

set(CPACK_DEBIAN_COMMANDS_PACKAGE_NAME karman)
string(CONCAT CPACK_COMPONENT_COMMANDS_DESCRIPTION
  "The command karman computes wind around buildings, harbour waves and Poisson's equation from case files. With its "
  "cases, examples, documentation, and karman-plot, which draws results.")
set(CPACK_DEBIAN_COMMANDS_PACKAGE_RECOMMENDS "python3, python3-h5py, python3-matplotlib")
# Loaded when a file needs it, so that dpkg-shlibdeps does not see it.
get_property(karman_gdal_names GLOBAL PROPERTY KARMAN_GDAL_NAMES)
if(karman_gdal_names MATCHES "libgdal[.]so[.]([0-9]+)")
  set(CPACK_DEBIAN_COMMANDS_PACKAGE_SUGGESTS "libgdal${CMAKE_MATCH_1}")
endif()

set(CPACK_DEBIAN_PERFORMANCE_PACKAGE_NAME karman-perf)
string(CONCAT CPACK_COMPONENT_PERFORMANCE_DESCRIPTION
  "karman-perf measures every kernel beside the libraries that do the same work. karman-report turns the result into a page.")
set(CPACK_DEBIAN_PERFORMANCE_PACKAGE_DEPENDS "karman (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PERFORMANCE_PACKAGE_RECOMMENDS "python3")
if(TARGET karman-perf-hypre)
  string(APPEND CPACK_DEBIAN_PERFORMANCE_PACKAGE_RECOMMENDS ", mpi-default-bin")
endif()

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libkarman-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
string(CONCAT CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
  "Libraries, headers and CMake package files. They need the Kokkos of their build: its version and its backends.")
if(karman_installed_kokkos)
  string(APPEND CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION " A static copy of it is in lib/karman/kokkos; CMake finds it there.")
endif()
set(karman_needs "libfftw3-dev")
get_property(karman_sparse_libraries GLOBAL PROPERTY KARMAN_SPARSE_LIBRARIES)
if("MUMPS" IN_LIST karman_sparse_libraries)
  string(APPEND karman_needs ", libmumps-seq-dev, libmetis-dev")
endif()
if("UMFPACK" IN_LIST karman_sparse_libraries)
  string(APPEND karman_needs ", libsuitesparse-dev")
endif()
if("SuperLU" IN_LIST karman_sparse_libraries)
  string(APPEND karman_needs ", libsuperlu-dev")
endif()
if(TARGET karman_io)
  string(APPEND karman_needs ", libhdf5-dev, libpugixml-dev, nlohmann-json3-dev")
endif()
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${karman_needs}")
if(TARGET karman)
  # It contains the licence and the documentation.
  string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ", karman (= ${PROJECT_VERSION})")
endif()

# Debian's policy asks for this file in the documentation of every package.
set(karman_gpl_libraries "")
if("UMFPACK" IN_LIST karman_sparse_libraries)
  set(karman_gpl_libraries " and UMFPACK")
endif()
# The licence of Kokkos 3 asks for its notice beside programs that hold it.
set(karman_kokkos_notice " (see its source)")
get_filename_component(header "${Kokkos_DIR}/../../../include/Kokkos_Core.hpp" ABSOLUTE)
if(Kokkos_DIR AND EXISTS "${header}")
  file(READ "${header}" text LIMIT 8192)
  if(text MATCHES "//@HEADER(.*)//@HEADER")
    string(REGEX REPLACE "[^\n]*[*][*][*][^\n]*\n" "" notice "${CMAKE_MATCH_1}")
    string(REGEX REPLACE "\n// *" "\n " notice "${notice}")
    string(REGEX REPLACE "\n *\n" "\n .\n" notice "${notice}")
    string(REGEX REPLACE "^[\n .]+|[\n .]+$" "" notice "${notice}")
    set(karman_kokkos_notice " ${notice}")
  endif()
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/debian/copyright.in" "${PROJECT_BINARY_DIR}/generated/debian/copyright" @ONLY)
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER "${component}" name)
  install(FILES "${PROJECT_BINARY_DIR}/generated/debian/copyright" COMPONENT ${component}
    DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${CPACK_DEBIAN_${name}_PACKAGE_NAME}")
endforeach()

include(CPack)
