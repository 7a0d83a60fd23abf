// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// HDF5 file that several processes write together.
#pragma once

#include <karman/io/array.hpp>
#include <karman/io/atomic_file.hpp>
#include <karman/io/file_processes.hpp>
#include <karman/io/hdf5_file.hpp>

#include <filesystem>
#include <memory>
#include <string_view>

namespace karman {

namespace detail {
class PartsWriter;
}

/// Place of the values of a process in an array of all.
struct ArrayPart {
  ArrayExtents whole;  ///< extents of the array of all processes
  ArrayExtents begin;  ///< first index of this process along each axis
};

/// HDF5 file of several processes: a file with all names and attributes, and one serial file of array values for each
/// process. The first shows each array as one (virtual datasets of HDF5 1.10), to Hdf5File and to every HDF5 tool.
/// With one process it is an ordinary file with the same content.
///
/// The parts of `result.h5` lie beside it: `result.part-1-0000.h5` and so on. 1 is the number of the writing, so that
/// the parts of a file and of its successor have different names. All names within are relative: a folder can be moved
/// with its files.
///
/// commit() gives the parts their names after all processes have completed theirs. The file with the names of the
/// parts follows last, and then the parts of its predecessor are removed. A reader sees the former file with its
/// parts or the new one with its own. Without commit() nothing remains. A process that is killed while it publishes
/// may leave parts without a file; nothing refers to them.
///
/// All calls are collective. An error in one process throws in all, see FileProcesses::in_all().
/// \par Cost
/// Each process moves its own bytes. Each write() gathers the places of all; commit() waits three times.
/// \throws FileError as Hdf5File
class SharedHdf5File {
 public:
  /// Creates a file.
  /// \param processes the processes
  /// \param path final path; with several processes a symbolic link is replaced
  /// \param overwrite permission to replace an existing file
  /// \return the file, open for writing
  static SharedHdf5File create(FileProcesses const& processes, std::filesystem::path const& path,
                               Overwrite overwrite = Overwrite::no);

  SharedHdf5File(SharedHdf5File&&) noexcept;
  SharedHdf5File& operator=(SharedHdf5File&&) noexcept;
  ~SharedHdf5File();

  /// Content that the processes share: attributes, texts, tables, small arrays, scales. All make the same calls with
  /// the same values, which the first process stores. The others keep a copy in memory until the end.
  /// A full disk of the first process is reported by commit(), in all.
  Hdf5File& shared();

  /// Writes a new dataset of which each process has a part. The parts fill it without overlap.
  /// \param name path inside the file; an existing one is an error
  /// \param mine values of this process; may be empty
  /// \param part place of these values
  /// \param options storage layout of each part
  /// \throws std::invalid_argument in all processes, for parts that leave a gap, overlap, or exceed the array
  void write(std::string_view name, ConstArray const& mine, ArrayPart const& part, DatasetOptions const& options = {});

  /// Publishes the file and its parts. No other call may follow.
  void commit();

 private:
  explicit SharedHdf5File(std::unique_ptr<detail::PartsWriter> writer);
  std::unique_ptr<detail::PartsWriter> writer_;
};

}  // namespace karman
