# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# hypre, a peer of the Poisson solvers, in a separate program without Kokkos. Skipped where MPI or hypre is missing: the
# comparison then has no such rows.
find_package(MPI QUIET COMPONENTS C)
find_path(KARMAN_HYPRE_INCLUDE HYPRE_struct_ls.h PATH_SUFFIXES hypre)
find_library(KARMAN_HYPRE_LIBRARY HYPRE)
mark_as_advanced(KARMAN_HYPRE_INCLUDE KARMAN_HYPRE_LIBRARY)
if(MPI_C_FOUND AND MPIEXEC_EXECUTABLE AND KARMAN_HYPRE_INCLUDE AND KARMAN_HYPRE_LIBRARY)
  add_library(karman_perf_hypre_object OBJECT peers/hypre_poisson.cpp)
  karman_compile_options(karman_perf_hypre_object)
  target_include_directories(karman_perf_hypre_object SYSTEM PRIVATE "${KARMAN_HYPRE_INCLUDE}")
  target_link_libraries(karman_perf_hypre_object PRIVATE MPI::MPI_C)
  # Only the C interface is linked; without this, mpi.h would add the old C++ one.
  target_compile_definitions(karman_perf_hypre_object PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  add_executable(karman-perf-hypre $<TARGET_OBJECTS:karman_perf_hypre_object>)
  set_target_properties(karman-perf-hypre PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(karman-perf-hypre PRIVATE "${KARMAN_HYPRE_LIBRARY}" MPI::MPI_C)
  set_source_files_properties(peers/hypre_rows.cpp PROPERTIES COMPILE_DEFINITIONS
    "KARMAN_PERF_MPIEXEC=\"${MPIEXEC_EXECUTABLE}\";KARMAN_PERF_MPIEXEC_PROCESSES=\"${MPIEXEC_NUMPROC_FLAG}\"")
endif()
