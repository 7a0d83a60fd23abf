// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// HDF5 files behind one class: every return code checked, written whole or not at all, read with suspicion.
#pragma once

#include <karman/io/array.hpp>
#include <karman/io/atomic_file.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace karman {

/// How a dataset is laid out in the file.
struct DatasetOptions {
  ArrayExtents chunk{};  ///< extents of a chunk, as many as the array has; none: contiguous, or chosen when compressing
  int deflate = 0;       ///< zlib level 0 (off) to 9, with byte shuffling
};

/// What a dataset holds.
struct DatasetInfo {
  ScalarType type = ScalarType::float64;
  ArrayExtents extents;
  bool chunked = false;
  bool compressed = false;
};

/// One member of a group.
struct Hdf5Entry {
  enum class Kind { group, dataset, other };
  std::string name;  ///< within the group
  Kind kind = Kind::other;
};

/// A table that was read: named columns of doubles of one length.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> values;  ///< values[column][row]

  /// The column of that name; std::out_of_range when there is none.
  std::vector<double> const& column(std::string_view name) const;
};

/// An HDF5 file. Names are absolute paths inside it ("/velocity/u"); groups on the way are created by the write.
///
/// A new file is written under a temporary name beside its own and appears under `path` at commit(), complete and
/// durable (flushed, closed, fsync'ed, renamed); without commit() nothing remains, and a previous file stays as it
/// was. On a full disk the write or the flush that meets it throws; the object is then only good for destruction.
///
/// Reading takes nothing from the file on trust: type, rank and extents are compared with what the caller asks for,
/// stored sizes with the size of the file, links that lead out of the file, unusual filters and datasets with chunks
/// that were never written are refused.
///
/// Data are row-major in host memory. Bytes moved: the size of the data, once. Not thread-safe. Errors: FileError on
/// one line with path, operation and reason (HDF5's own error stack is silenced and folded into it);
/// std::invalid_argument for a misuse by the caller (bad name, write to a file opened for reading).
class Hdf5File {
 public:
  static Hdf5File create(std::filesystem::path const& path, Overwrite overwrite = Overwrite::no);
  static Hdf5File open(std::filesystem::path const& path);

  Hdf5File(Hdf5File&&) noexcept;
  Hdf5File& operator=(Hdf5File&&) noexcept;
  ~Hdf5File();

  /// The final path.
  std::filesystem::path const& path() const;

  /// Flushes, closes and publishes a file that was created. Nothing else may be called afterwards.
  void commit();
  /// Closes it under its temporary name without publishing, and hands that name over: for a caller that adds to the
  /// bytes of the file and commits itself.
  StagedPath finish();

  // --- writing ---------------------------------------------------------------------------------------------------

  void make_group(std::string_view name);
  /// A new dataset; one that exists is an error.
  void write(std::string_view name, ConstArray const& array, DatasetOptions const& options = {});
  template <FileScalar T>
  void write(std::string_view name, T const* data, ArrayExtents const& extents, DatasetOptions const& options = {}) {
    write(name, ConstArray(data, extents), options);
  }
  /// A string of any length as a scalar dataset of UTF-8 text.
  void write_text(std::string_view name, std::string_view text);
  /// Strings, each of any length, as a dataset of rank 1 of variable-length UTF-8 text.
  void write_texts(std::string_view name, std::span<std::string const> texts);
  /// Makes `scale`, a dataset of rank 1, a dimension scale of one axis of `dataset` (HDF5 Dimension Scale
  /// Specification), counted from 0, the slowest first. Its length is the extent there. Netcdf-4 readers such as xarray
  /// take it as the coordinates of that axis. A dataset can be the scale of many.
  void attach_scale(std::string_view dataset, std::size_t axis, std::string_view scale);

  /// Attributes of a group ("/" for the file's own) or dataset that exists. At most 64 KiB of text, use write_text
  /// for more.
  void write_attribute(std::string_view object, std::string_view name, double value);
  void write_attribute(std::string_view object, std::string_view name, std::int64_t value);
  void write_attribute(std::string_view object, std::string_view name, std::uint64_t value);
  void write_attribute(std::string_view object, std::string_view name, int value) {
    write_attribute(object, name, std::int64_t{value});
  }
  void write_attribute(std::string_view object, std::string_view name, std::string_view value);
  void write_attribute(std::string_view object, std::string_view name, char const* value) {
    write_attribute(object, name, std::string_view(value));
  }
  void write_attribute(std::string_view object, std::string_view name, std::span<double const> values);

  /// An empty table with the named columns of doubles: one HDF5 compound dataset that grows by rows.
  void create_table(std::string_view name, std::vector<std::string> const& columns);
  /// One row, one value a column. Rows are gathered and reach the file in blocks, the last with commit().
  void append_row(std::string_view table, std::span<double const> row);

  // --- reading ---------------------------------------------------------------------------------------------------

  bool exists(std::string_view name) const;
  /// Members of a group by name, in alphabetical order.
  std::vector<Hdf5Entry> list(std::string_view group = "/") const;
  DatasetInfo info(std::string_view dataset) const;
  /// Into the caller's memory; the type and the extents in the file must be exactly these (byte order is converted).
  void read(std::string_view name, MutableArray const& array) const;
  template <FileScalar T>
  void read(std::string_view name, T* data, ArrayExtents const& extents) const {
    read(name, MutableArray(data, extents));
  }
  /// As a new vector, whatever its extents, when it has no more than `max_count` values.
  template <FileScalar T>
  std::vector<T> read_vector(std::string_view name, std::size_t max_count = std::size_t{1} << 31) const {
    std::vector<T> values(checked_count(name, scalar_type_of<T>(), max_count));
    read(name, MutableArray(values.data(), info(name).extents));
    return values;
  }
  std::string read_text(std::string_view name, std::size_t max_bytes = std::size_t{64} << 20) const;
  /// Strings of variable or of one fixed length.
  std::vector<std::string> read_texts(std::string_view name, std::size_t max_bytes = std::size_t{64} << 20) const;

  bool has_attribute(std::string_view object, std::string_view name) const;
  double read_double(std::string_view object, std::string_view attribute) const;
  std::int64_t read_integer(std::string_view object, std::string_view attribute) const;
  std::uint64_t read_unsigned(std::string_view object, std::string_view attribute) const;
  std::string read_string(std::string_view object, std::string_view attribute) const;
  std::vector<double> read_doubles(std::string_view object, std::string_view attribute) const;

  Table read_table(std::string_view name, std::size_t max_rows = std::size_t{1} << 28) const;

 private:
  struct State;
  explicit Hdf5File(std::unique_ptr<State> state);
  std::size_t checked_count(std::string_view name, ScalarType type, std::size_t max_count) const;
  std::unique_ptr<State> state_;
};

/// "1.10.8": of the library in use.
std::string hdf5_library_version();

}  // namespace karman
