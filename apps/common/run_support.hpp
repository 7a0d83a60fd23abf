// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Shared parts of every application's run: clocks, provenance of its output, memory checks.
#pragma once

#include "precision.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/io/atomic_file.hpp>
#include <karman/io/hdf5_file.hpp>

#include <nlohmann/json_fwd.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace karman {
class Case;
class UniformGrid;
}  // namespace karman

namespace karman::app {

using Clock = std::chrono::steady_clock;

/// Seconds since a moment.
inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// printf into a string of at most 400 characters.
template <class... Values>
std::string formatted(char const* format, Values... values) {
  char text[401];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

/// A measured time with three digits: "12.3 us", "4.56 ms", "1.23 s"; minutes and more as duration_text() has them.
std::string measured_time_text(double seconds);

/// The message of an error on one line, without the source location that require() prepends.
std::string reason_of(std::exception const& error);

/// Provenance of an output file.
struct Provenance {
  std::string format;  ///< "karman.wind"
  int format_version = 1;
  std::string title;
  BackendInfo backend;
  Precision precision = Precision::f64;
  std::string case_text;  ///< the resolved case
};

/// Attributes of "/": format, title, versions, commit, compiler, backend, device, precision; and the dataset /case.
void write_provenance(Hdf5File& file, Provenance const& provenance);

/// /grid/x, /grid/y, /grid/z: positions of the faces of the cells, with their units.
void write_grid_lines(Hdf5File& file, UniformGrid const& grid, char const* units);

/// Throws FileError when one of the files is in the folder and may not be overwritten.
void require_no_files(std::filesystem::path const& folder, std::span<char const* const> names, Overwrite overwrite);

/// Throws CannotRun with needed and free memory, in one line, if memory is too small. `device_bytes`: in the memory of
/// the backend. `host_bytes`: in host memory, which is the same memory for host backends. Throws std::runtime_error
/// where a limit of the address space is too small.
void require_memory(std::int64_t device_bytes, std::int64_t host_bytes, BackendInfo const& backend,
                    BackendInfo const& host);

/// Whether require_memory() passes.
bool fits_memory(std::int64_t device_bytes, std::int64_t host_bytes, BackendInfo const& backend,
                 BackendInfo const& host);

/// Line of a dry run that has not evaluated all values of a large case.
inline constexpr char const* sampled_values_line =
    "values      not all checked: the case is large; its run checks them\n";

/// As require_memory() for the least host memory of a case, before anything of its size is computed. `of_what`:
/// "6.9e+07 nodes". Needs no Kokkos.
void require_host_memory(double bytes, std::string const& of_what);

/// Throws std::runtime_error in one line if a limit of the address space leaves no room for the libraries of a run.
void require_program_memory();

/// Memory of the smallest cases beside that of the libraries.
inline constexpr std::int64_t least_case_bytes = std::int64_t{32} << 20;

/// An announced number of bytes as bytes_text() has it, rounded up: the run needs at most that.
std::string need_text(std::int64_t bytes);

/// Upper bounds of the bytes of a table of doubles: in an HDF5 file, whose tables grow by blocks, and as CSV text.
std::int64_t hdf5_table_bytes(double rows, std::size_t columns);
std::int64_t csv_bytes(double rows, std::size_t columns);

/// Upper bound of the bytes of an HDF5 file beside its datasets and its texts: names, attributes, tables of contents.
inline constexpr std::int64_t hdf5_overhead = std::int64_t{1} << 14;

/// Throws CaseError with the first difference when two cases differ: `then` from the checkpoint `file`, `now` from the
/// present run. Both exclude the entries that may change between runs.
void require_same_case(nlohmann::json const& then, nlohmann::json const& now, Case const& input,
                       std::filesystem::path const& file);

}  // namespace karman::app
