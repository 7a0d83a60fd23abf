# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# hypre, a peer of the Poisson solvers and of algebraic multigrid, in separate programs without Kokkos. Two of them may be
# there: one for processors, as Debian ships it, and one with CUDA (HYPRE_DIR). Programs are skipped where MPI or their
# hypre is missing: the comparison then has no such rows.
find_package(MPI QUIET COMPONENTS C)

set(karman_hypre_cuda OFF)
set(karman_hypre_search "")
if(KARMAN_CUDA AND MPI_C_FOUND)
  find_package(HYPRE QUIET CONFIG)
  if(HYPRE_FOUND AND HYPRE_ENABLE_CUDA AND HYPRE_ENABLE_MPI)
    set(karman_hypre_cuda ON)
    # The other one is not in the prefix of this one.
    set(karman_hypre_search NO_CMAKE_PATH NO_CMAKE_ENVIRONMENT_PATH)
  endif()
endif()
find_path(KARMAN_HYPRE_INCLUDE HYPRE_struct_ls.h PATH_SUFFIXES hypre ${karman_hypre_search})
find_library(KARMAN_HYPRE_LIBRARY HYPRE ${karman_hypre_search})
mark_as_advanced(KARMAN_HYPRE_INCLUDE KARMAN_HYPRE_LIBRARY)

if(MPI_C_FOUND AND MPIEXEC_EXECUTABLE)
  # Only the C interface is linked; without this, mpi.h would add the old C++ one.
  add_library(karman_hypre_mpi INTERFACE)
  target_compile_definitions(karman_hypre_mpi INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_link_libraries(karman_hypre_mpi INTERFACE MPI::MPI_C)
  if(KARMAN_HYPRE_INCLUDE AND KARMAN_HYPRE_LIBRARY)
    add_library(karman_hypre INTERFACE IMPORTED)
    target_include_directories(karman_hypre INTERFACE "${KARMAN_HYPRE_INCLUDE}")
    target_link_libraries(karman_hypre INTERFACE "${KARMAN_HYPRE_LIBRARY}")
    karman_peer_program(karman-perf-hypre peers/hypre_poisson.cpp karman_hypre karman_hypre_mpi)
    karman_peer_program(karman-perf-hypre-amg peers/hypre_amg.cpp karman_hypre karman_hypre_mpi)
  endif()
  if(karman_hypre_cuda)
    karman_peer_program(karman-perf-hypre-cuda peers/hypre_poisson.cpp HYPRE::HYPRE karman_hypre_mpi)
    karman_peer_program(karman-perf-hypre-amg-cuda peers/hypre_amg.cpp HYPRE::HYPRE karman_hypre_mpi)
  endif()
  set_source_files_properties(peers/hypre_rows.cpp PROPERTIES COMPILE_DEFINITIONS
    "KARMAN_PERF_MPIEXEC=\"${MPIEXEC_EXECUTABLE}\";KARMAN_PERF_MPIEXEC_PROCESSES=\"${MPIEXEC_NUMPROC_FLAG}\"")
endif()
