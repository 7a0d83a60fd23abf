// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The processes that a launcher of MPI has started, for rows that several processes measure together. Needs neither
/// Kokkos nor mpi.h.
#pragma once

#include "../row.hpp"
#include <karman/core/communicator.hpp>

#include <string>
#include <vector>

namespace karman::perf {

/// MPI for the lifetime of the program. Begins before Kokkos, which takes the device by the number of the process, and
/// ends after it.
class Processes {
 public:
  Processes();
  ~Processes();
  Processes(Processes const&) = delete;
  Processes& operator=(Processes const&) = delete;

  /// All processes; each call makes new ones.
  /// \param transport fastest way between devices, as karman::name(Transport); empty: any
  /// \throws UsageError for another word
  Communicator communicator(std::string const& transport) const;
};

/// False where a launcher has started several processes and this is not the first one.
bool is_first_process();

/// Number of processes that a launcher has started, by its environment; 1 without one.
int launched_processes();

/// Ends all processes after an error in one of them, for which the others may wait.
[[noreturn]] void abandon(int exit_code);

/// Prepares a row so that the first process leads: whatever it does with the work of the row, the others do in
/// follow().
/// \param row row that all processes have under the same number
/// \param number its place in the list of follow()
/// \param processes all processes
void lead(Row& row, int number, Communicator const& processes);

/// Calls of the first process on rows, made in this one until the first process calls release().
void follow(std::vector<Row> const& rows, Communicator const& processes);

/// Ends follow() in the other processes.
void release(Communicator const& processes);

}  // namespace karman::perf
