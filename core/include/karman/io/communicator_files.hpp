// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Files of the processes of a communicator.
#pragma once

#include <karman/core/communicator.hpp>
#include <karman/io/file_processes.hpp>

#include <span>
#include <string>
#include <vector>

namespace karman {

/// \param communicator processes, which write and read files together
/// \return the same processes
inline FileProcesses file_processes(Communicator const& communicator) {
  FileProcesses processes;
  processes.rank = communicator.rank();
  processes.size = communicator.size();
  processes.all_gather = [communicator](std::string const& mine) {
    std::vector<std::string> texts;
    for (auto const& text : communicator.all_gather_arrays(std::span<char const>(mine)))
      texts.emplace_back(text.begin(), text.end());
    return texts;
  };
  return processes;
}

}  // namespace karman
