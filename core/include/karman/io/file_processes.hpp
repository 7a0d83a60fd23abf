// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Processes that write and read files together. Standard library only; karman/io/communicator_files.hpp makes them
/// from a Communicator.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace karman {

/// A number of processes, each with a rank from 0. By default this process alone.
///
/// A function that takes processes is collective: all of them make the same calls in the same order.
struct FileProcesses {
  int rank = 0;  ///< number of this process
  int size = 1;  ///< number of processes
  /// Gives the text of this process to all, and returns the texts of all in order of rank. Unused by one process.
  std::function<std::vector<std::string>(std::string const& mine)> all_gather = {};

  /// True in the process with rank 0.
  bool is_first() const { return rank == 0; }
  /// \param mine text of this process
  /// \return the texts of all processes
  std::vector<std::string> gather(std::string const& mine) const {
    return size == 1 ? std::vector<std::string>{mine} : all_gather(mine);
  }
  /// \param mine text of this process
  /// \return the text of the first process
  std::string from_first(std::string const& mine) const {
    return std::move(gather(is_first() ? mine : std::string()).front());
  }
  /// Works in every process. Where the work throws in one of them, it does so in all. The others then throw
  /// FileError with the message and the rank of the first one that failed.
  /// \param work must make no collective call
  void in_all(std::function<void()> const& work) const;
};

}  // namespace karman
