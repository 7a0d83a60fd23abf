// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Needs of a run, announced and checked before anything of its size is made.
#pragma once

#include "common/case/precision.hpp"
#include <karman/core/backend_name.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace karman::app {

/// Upper bounds of the memory, disk and time of a run, and the words of its dry run about it.
struct Needs {
  std::string title;
  std::string lines;  ///< about the case: size, method and more, each with its line break
  Precision precision = Precision::f64;
  std::int64_t device_bytes = 0;    ///< in the memory of the backend
  std::int64_t host_bytes = 0;      ///< in host memory, which host backends share
  std::int64_t disk_bytes = 0;      ///< output and two checkpoints
  std::string expected_iterations;  ///< in words; empty: no line
  double seconds = 0;               ///< expected
  std::int64_t part_cells = 0;      ///< of several processes: most cells of one; 0: no line
  std::int64_t sent_bytes = 0;      ///< bytes that this one sends in an iteration or a step
  std::string sent_in = "an iteration";
  bool is_large = false;  ///< a dry run does not evaluate all values
};

/// The lines of a dry run. `processes`: number of processes, each of which has these needs of memory.
std::string needs_report(Needs const& needs, BackendInfo const& backend, int processes = 1);

/// An announced number of bytes as bytes_text() has it, rounded up: the run needs at most that.
std::string need_text(std::int64_t bytes);

/// Upper bounds of the bytes of a table of doubles: in an HDF5 file, whose tables grow by blocks, and as CSV text.
std::int64_t hdf5_table_bytes(double rows, std::size_t columns);
std::int64_t csv_bytes(double rows, std::size_t columns);

/// Upper bound of the bytes of an HDF5 file beside its datasets and its texts: names, attributes, tables of contents.
inline constexpr std::int64_t hdf5_overhead = std::int64_t{1} << 14;

}  // namespace karman::app
