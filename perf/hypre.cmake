# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# hypre, a peer of the Poisson solvers and of algebraic multigrid, in separate programs without Kokkos. Skipped where MPI
# or hypre is missing: the comparison then has no such rows.
find_package(MPI QUIET COMPONENTS C)
find_path(KARMAN_HYPRE_INCLUDE HYPRE_struct_ls.h PATH_SUFFIXES hypre)
find_library(KARMAN_HYPRE_LIBRARY HYPRE)
mark_as_advanced(KARMAN_HYPRE_INCLUDE KARMAN_HYPRE_LIBRARY)

# karman_hypre_program(<name> <file>)
function(karman_hypre_program name file)
  string(REPLACE "-" "_" object ${name}_object)
  add_library(${object} OBJECT ${file})
  karman_compile_options(${object})
  target_include_directories(${object} SYSTEM PRIVATE "${KARMAN_HYPRE_INCLUDE}")
  target_link_libraries(${object} PRIVATE MPI::MPI_C)
  # Only the C interface is linked; without this, mpi.h would add the old C++ one.
  target_compile_definitions(${object} PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  add_executable(${name} $<TARGET_OBJECTS:${object}>)
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${name} PRIVATE "${KARMAN_HYPRE_LIBRARY}" MPI::MPI_C)
endfunction()

if(MPI_C_FOUND AND MPIEXEC_EXECUTABLE AND KARMAN_HYPRE_INCLUDE AND KARMAN_HYPRE_LIBRARY)
  karman_hypre_program(karman-perf-hypre peers/hypre_poisson.cpp)
  karman_hypre_program(karman-perf-hypre-amg peers/hypre_amg.cpp)
  set_source_files_properties(peers/hypre_rows.cpp PROPERTIES COMPILE_DEFINITIONS
    "KARMAN_PERF_MPIEXEC=\"${MPIEXEC_EXECUTABLE}\";KARMAN_PERF_MPIEXEC_PROCESSES=\"${MPIEXEC_NUMPROC_FLAG}\"")
endif()
