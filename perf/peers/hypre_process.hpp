// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Parts that the programs with hypre share: processes, clock, requests.
#pragma once

#include <HYPRE_utilities.h>
#include <mpi.h>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

namespace karman::perf {

inline void require_success(HYPRE_Int code, char const* what) {
  // No convergence within one check interval is no failure here; every other error is.
  if ((code & ~HYPRE_ERROR_CONV) != 0) throw std::runtime_error(std::string("hypre failed in ") + what);
  HYPRE_ClearAllErrors();
}

inline int process() {
  int value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &value);
  return value;
}
inline int processes() {
  int value = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &value);
  return value;
}

/// After all processes have come.
inline double seconds_now() {
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

/// True for a line of input, which the first process reads for all.
inline bool another_one_is_asked() {
  int asked = 0;
  if (process() == 0) {
    int letter = std::getchar();
    asked = letter != EOF;
    while (letter != EOF && letter != '\n') letter = std::getchar();
  }
  MPI_Bcast(&asked, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return asked != 0;
}

/// Writes the time of the set-up, the iterations and the residual.
inline void report_ready(double seconds, int iterations, double residual) {
  if (process() != 0) return;
  std::printf("ready %.6e %d %.3e\n", seconds, iterations, residual);
  std::fflush(stdout);
}

/// Answers each request by the seconds that `operation` returns.
template <class Operation>
void answer_requests(Operation const& operation) {
  while (another_one_is_asked()) {
    double const seconds = operation();
    if (process() != 0) continue;
    std::printf("%.6e\n", seconds);
    std::fflush(stdout);
  }
}

/// Runs a program between the initialisation of hypre and its end. Returns the exit code.
template <class Body>
int with_hypre(int& argc, char**& argv, char const* program, Body const& body) {
  MPI_Init(&argc, &argv);
  HYPRE_Init();
  int status = 0;
  try {
    body();
  } catch (std::exception const& error) {
    if (process() == 0) std::fprintf(stderr, "%s: %s\n", program, error.what());
    status = 1;
  }
  HYPRE_Finalize();
  MPI_Finalize();
  return status;
}

}  // namespace karman::perf
