// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checked calls of MPI.
#pragma once

#include <mpi.h>

#include <stdexcept>
#include <string>

namespace karman::detail {

/// Throws std::runtime_error with MPI's text unless `code` is MPI_SUCCESS.
/// \param code result of the call
/// \param call its name
inline void check_mpi(int code, char const* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw std::runtime_error(std::string(call) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

/// True between MPI_Init() and MPI_Finalize().
inline bool mpi_runs() {
  int initialised = 0, finalised = 0;
  MPI_Initialized(&initialised);
  MPI_Finalized(&finalised);
  return initialised != 0 && finalised == 0;
}

}  // namespace karman::detail
