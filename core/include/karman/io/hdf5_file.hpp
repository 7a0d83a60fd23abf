// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// HDF5 files: every return code checked, written completely or not at all, untrusted when read.
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

/// Storage layout of a dataset.
struct DatasetOptions {
  ArrayExtents chunk{};  ///< extents of a chunk; none: contiguous, or chosen for compression
  int deflate = 0;       ///< zlib level 0 (off) to 9, with byte shuffling
};

/// Type, extents and storage of a dataset.
struct DatasetInfo {
  ScalarType type = ScalarType::float64;  ///< number type
  ArrayExtents extents;                   ///< extents
  bool chunked = false;                   ///< stored in chunks
  bool compressed = false;                ///< stored with a filter
  bool in_parts = false;                  ///< stored in the parts of a SharedHdf5File
};

/// Dataset of another file in the same folder, with the name of the virtual dataset that shows it.
struct Hdf5Source {
  std::string file;      ///< name without folder
  ArrayExtents begin;    ///< place in the virtual dataset
  ArrayExtents extents;  ///< extents of the source
};

/// Member of a group.
struct Hdf5Entry {
  /// Kind of a member.
  enum class Kind { group, dataset, other };
  std::string name;         ///< name within the group
  Kind kind = Kind::other;  ///< kind
};

/// Table in memory: named columns of doubles of one length.
struct Table {
  std::vector<std::string> columns;         ///< names
  std::vector<std::vector<double>> values;  ///< values[column][row]

  /// Column of that name.
  /// \throws std::out_of_range for a missing column
  std::vector<double> const& column(std::string_view name) const;
};

/// HDF5 file. Names are absolute paths inside it ("/velocity/u"); a write creates the groups of its path.
///
/// A new file is written under a temporary name beside its own. commit() flushes, closes and fsyncs it, then renames it
/// to `path`. Without commit() nothing remains, and a previous file stays unchanged. On a full disk the write or flush
/// throws; the object is then only good for destruction.
///
/// Files are untrusted when read. Type, rank and extents are compared with the request, stored sizes with the size of
/// the file. Refused: all but regular files, links, virtual datasets, data in other files, unusual filters, missing
/// chunks. Also chunks of more than twice their dataset, where they have more than 16 MiB, and all of more than 1 GiB.
///
/// The arrays of a SharedHdf5File are read from its parts. A part that is missing, damaged, or of another file is an
/// error. (The HDF5 library itself gives NaN in its place, and the largest value of an integer type.)
///
/// Data are row-major in host memory. Not thread-safe.
/// \par Cost
/// Moves the bytes of the data once.
/// \throws FileError on one line with path, operation and reason, which includes the error stack of HDF5
/// \throws std::invalid_argument for misuse: a bad name, a write to a file opened for reading
class Hdf5File {
 public:
  /// Creates a file.
  /// \param path final path
  /// \param overwrite permission to replace an existing file
  /// \param links treatment of a symbolic link at `path`
  /// \return the file, open for writing
  static Hdf5File create(std::filesystem::path const& path, Overwrite overwrite = Overwrite::no,
                         Links links = Links::follow);
  /// Creates a file that exists in memory alone, and ends with the object. Nothing reaches a disk.
  /// \param path path in messages
  /// \return the file, open for writing
  static Hdf5File create_in_memory(std::filesystem::path const& path);
  /// Opens a file for reading.
  static Hdf5File open(std::filesystem::path const& path);

  Hdf5File(Hdf5File&&) noexcept;
  Hdf5File& operator=(Hdf5File&&) noexcept;
  ~Hdf5File();

  /// Final path.
  std::filesystem::path const& path() const;

  /// Flushes, closes and publishes a created file. No other call may follow.
  void commit();
  /// From here on finish() and commit() throw the errors of the disk, and no write before. For files of which another
  /// process has a copy that writes the same.
  void defer_disk_errors();
  /// Closes the file under its temporary name without publishing it. The caller adds to the bytes of the file and
  /// commits the returned path.
  StagedPath finish();

  // --- writing ---------------------------------------------------------------------------------------------------

  /// Creates a group.
  void make_group(std::string_view name);
  /// Writes a new dataset.
  /// \param name path inside the file; an existing one is an error
  /// \param array values
  /// \param options storage layout
  void write(std::string_view name, ConstArray const& array, DatasetOptions const& options = {});
  /// Writes a new dataset.
  /// \param name path inside the file; an existing one is an error
  /// \param data values
  /// \param extents extents
  /// \param options storage layout
  template <FileScalar T>
  void write(std::string_view name, T const* data, ArrayExtents const& extents, DatasetOptions const& options = {}) {
    write(name, ConstArray(data, extents), options);
  }
  /// Makes a new dataset that shows datasets of the same name in other files (a virtual dataset of HDF5 1.10).
  /// \param name path inside the file; an existing one is an error
  /// \param type number type, also of the sources
  /// \param extents extents
  /// \param sources the sources, within these extents
  void write_virtual(std::string_view name, ScalarType type, ArrayExtents const& extents,
                     std::span<Hdf5Source const> sources);
  /// Writes a string of any length as a scalar dataset of UTF-8 text.
  void write_text(std::string_view name, std::string_view text);
  /// Writes strings of any length as a dataset of rank 1 of variable-length UTF-8 text.
  void write_texts(std::string_view name, std::span<std::string const> texts);
  /// Gives each plane of a dataset, along its first axis, a name: GROUP/0 and so on. These are virtual datasets, which
  /// hold no values (HDF5 1.10). Programs that read whole datasets only, such as the XDMF readers, then have a plane.
  /// \param dataset dataset of rank 2 or more
  /// \param group new group
  void name_planes(std::string_view dataset, std::string_view group);
  /// Makes a dataset of rank 1 the dimension scale of one axis of another dataset (HDF5 Dimension Scale Specification).
  /// Netcdf-4 readers such as xarray use it as the coordinates of that axis. One dataset can be the scale of many.
  /// \param dataset dataset with the axis
  /// \param axis number of the axis, the slowest is 0
  /// \param scale dataset of rank 1 whose length is the extent of the axis
  void attach_scale(std::string_view dataset, std::size_t axis, std::string_view scale);

  /// Gives an object of the file a second name (a hard link). Both names are equal afterwards.
  /// \param existing path of the object
  /// \param name second path; an existing one is an error
  void link(std::string_view existing, std::string_view name);

  /// Writes an attribute of an existing dataset or group ("/" for the file). At most 64 KiB of text; use write_text()
  /// for more.
  void write_attribute(std::string_view object, std::string_view name, double value);
  /// Writes an attribute.
  void write_attribute(std::string_view object, std::string_view name, std::int64_t value);
  /// Writes an attribute.
  void write_attribute(std::string_view object, std::string_view name, std::uint64_t value);
  /// Writes an attribute.
  void write_attribute(std::string_view object, std::string_view name, int value) {
    write_attribute(object, name, std::int64_t{value});
  }
  /// Writes an attribute.
  void write_attribute(std::string_view object, std::string_view name, std::string_view value);
  /// Writes an attribute.
  void write_attribute(std::string_view object, std::string_view name, char const* value) {
    write_attribute(object, name, std::string_view(value));
  }
  /// Writes an attribute.
  void write_attribute(std::string_view object, std::string_view name, std::span<double const> values);
  /// Writes an attribute.
  void write_attribute(std::string_view object, std::string_view name, std::span<float const> values);
  /// Writes an attribute.
  void write_attribute(std::string_view object, std::string_view name, std::span<std::uint8_t const> values);

  /// Creates an empty table with named columns of doubles: one HDF5 compound dataset that grows by rows.
  void create_table(std::string_view name, std::vector<std::string> const& columns);
  /// Appends a row, one value per column. Rows reach the file in blocks, the last one with commit().
  void append_row(std::string_view table, std::span<double const> row);

  // --- reading ---------------------------------------------------------------------------------------------------

  /// True for an existing dataset or group.
  bool exists(std::string_view name) const;
  /// Members of a group in alphabetical order.
  std::vector<Hdf5Entry> list(std::string_view group = "/") const;
  /// Type, extents and storage of a dataset.
  DatasetInfo info(std::string_view dataset) const;
  /// Reads a dataset into memory of the caller.
  /// \param name path inside the file
  /// \param array memory of exactly the stored type and extents; the byte order is converted
  void read(std::string_view name, MutableArray const& array) const;
  /// Reads a dataset into memory of the caller.
  /// \param name path inside the file
  /// \param data memory for the values, of exactly the stored type
  /// \param extents extents, exactly those stored
  template <FileScalar T>
  void read(std::string_view name, T* data, ArrayExtents const& extents) const {
    read(name, MutableArray(data, extents));
  }
  /// Reads a box of a dataset into memory of the caller.
  /// \param name path inside the file
  /// \param array memory of exactly the stored type, with the extents of the box
  /// \param begin first index of the box along each axis
  void read_box(std::string_view name, MutableArray const& array, ArrayExtents const& begin) const;
  /// Reads a dataset of any extents as a new vector.
  /// \param name path inside the file
  /// \param max_count greatest number of values
  /// \return the values, row-major
  template <FileScalar T>
  std::vector<T> read_vector(std::string_view name, std::size_t max_count = std::size_t{1} << 31) const {
    std::vector<T> values(checked_count(name, scalar_type_of<T>(), max_count));
    read(name, MutableArray(values.data(), info(name).extents));
    return values;
  }
  /// Reads a string.
  std::string read_text(std::string_view name, std::size_t max_bytes = std::size_t{64} << 20) const;
  /// Reads strings of variable or of one fixed length.
  std::vector<std::string> read_texts(std::string_view name, std::size_t max_bytes = std::size_t{64} << 20) const;

  /// True for an existing attribute.
  bool has_attribute(std::string_view object, std::string_view name) const;
  /// Reads an attribute.
  double read_double(std::string_view object, std::string_view attribute) const;
  /// Reads an attribute.
  std::int64_t read_integer(std::string_view object, std::string_view attribute) const;
  /// Reads an attribute.
  std::uint64_t read_unsigned(std::string_view object, std::string_view attribute) const;
  /// Reads an attribute.
  std::string read_string(std::string_view object, std::string_view attribute) const;
  /// Reads an attribute.
  std::vector<double> read_doubles(std::string_view object, std::string_view attribute) const;

  /// Reads a table.
  Table read_table(std::string_view name, std::size_t max_rows = std::size_t{1} << 28) const;

 private:
  struct State;
  explicit Hdf5File(std::unique_ptr<State> state);
  std::size_t checked_count(std::string_view name, ScalarType type, std::size_t max_count) const;
  std::unique_ptr<State> state_;
};

/// Keeps HDF5 from loading plugins into this program (filters, drivers, connectors), whatever the environment names. To
/// be called once at the start of a program; Hdf5File itself loads none in any case.
/// \pre No function of HDF5 was called, and no thread started.
void forbid_hdf5_plugins() noexcept;

/// Version of the HDF5 library, such as "1.10.8".
std::string hdf5_library_version();

}  // namespace karman
