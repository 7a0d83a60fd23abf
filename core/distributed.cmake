# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# karman::distributed: communicators from MPI, and NCCL between GPUs. Host code without Kokkos; the only code that
# includes mpi.h and nccl.h.
find_package(MPI COMPONENTS C)
if(NOT MPI_C_FOUND)
  message(FATAL_ERROR "karman::distributed needs MPI (Debian: libopenmpi-dev or libmpich-dev). Run "
    "tools/install-dependencies, pass -DMPI_C_COMPILER=<its mpicc>, or leave it out with -DKARMAN_ENABLE_MPI=OFF.")
endif()

set(KARMAN_NCCL AUTO CACHE STRING "Send between GPUs by NCCL (AUTO: where it is found in a build with CUDA, ON, OFF)")
set_property(CACHE KARMAN_NCCL PROPERTY STRINGS AUTO ON OFF)
set(karman_nccl_sources src/communication/without_nccl.cpp)
set(karman_nccl_found FALSE)
if(KARMAN_NCCL AND (KARMAN_CUDA OR NOT KARMAN_NCCL STREQUAL "AUTO"))
  find_package(CUDAToolkit QUIET)
  find_path(NCCL_INCLUDE_DIR nccl.h)
  find_library(NCCL_LIBRARY nccl)
  if(CUDAToolkit_FOUND AND NCCL_INCLUDE_DIR AND NCCL_LIBRARY)
    set(karman_nccl_found TRUE)
    set(karman_nccl_sources src/communication/nccl.cpp)
  elseif(NOT KARMAN_NCCL STREQUAL "AUTO")
    message(FATAL_ERROR "KARMAN_NCCL=ON needs the CUDA toolkit and NCCL (package libnccl-dev of NVIDIA's repository): "
      "pass -DNCCL_INCLUDE_DIR=<folder of nccl.h> and -DNCCL_LIBRARY=<libnccl.so>, or set KARMAN_NCCL=AUTO.")
  endif()
endif()

# For the package file and for packages of Debian.
set_property(GLOBAL PROPERTY KARMAN_NCCL_FOUND ${karman_nccl_found})
set_property(GLOBAL PROPERTY KARMAN_MPI_LIBRARIES "${MPI_C_LIBRARIES}")

karman_add_library(distributed
  HEADERS
    karman/core/mpi.hpp
  SOURCES
    src/communication/mpi_channel.cpp
    src/communication/mpi_device_memory.cpp
    src/communication/mpi_group.cpp
    ${karman_nccl_sources})
target_link_libraries(karman_distributed PUBLIC karman::core MPI::MPI_C)
# The C++ bindings of MPI left the standard in 2012; their headers name symbols of another library.
target_compile_definitions(karman_distributed PUBLIC OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
if(karman_nccl_found)
  target_include_directories(karman_distributed PRIVATE "${NCCL_INCLUDE_DIR}")
  target_link_libraries(karman_distributed PRIVATE "${NCCL_LIBRARY}" CUDA::cudart)
endif()
if(PROJECT_IS_TOP_LEVEL)
  message(STATUS "NCCL: ${karman_nccl_found}")
  message(STATUS "MPI: ${MPI_C_VERSION}, ${MPIEXEC_EXECUTABLE}")
endif()
