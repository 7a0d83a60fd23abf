// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Shared parts of Hdf5File: handles that close themselves, return codes that are always checked.
#pragma once

#include "hdf5_parts.hpp"
#include <karman/io/error.hpp>
#include <karman/io/hdf5_file.hpp>

#include <hdf5.h>

#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace karman::detail {

/// Disables HDF5's printing and its plugins during its lifetime; the error stack itself remains readable. A file may
/// ask for any filter, also in the storage of its groups. The environment names the folder of the plugins.
class QuietHdf5 {
 public:
  QuietHdf5() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5PLget_loading_state(&plugins_);
    H5PLset_loading_state(0);
  }
  ~QuietHdf5() {
    H5PLset_loading_state(plugins_);
    H5Eset_auto2(H5E_DEFAULT, function_, data_);
  }
  QuietHdf5(QuietHdf5 const&) = delete;
  QuietHdf5& operator=(QuietHdf5 const&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
  unsigned plugins_ = 0;
};

/// An HDF5 identifier and the function that closes its kind.
class Hdf5Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Hdf5Handle() = default;
  Hdf5Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Hdf5Handle() { close(); }

  hid_t get() const { return id_; }
  /// The return code of closing.
  herr_t close() { return id_ >= 0 ? close_(std::exchange(id_, -1)) : 0; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

/// The reason on HDF5's error stack in a few words: the system's message if there is one, else the innermost one.
std::string hdf5_reason();

/// Context of a return code, for the message.
struct Hdf5Context {
  std::string path;
  std::string operation;
  int const* disk_error = nullptr;  ///< of the write driver, see use_checked_driver()

  [[noreturn]] void fail(std::string const& reason) const { throw FileError(path, operation, reason); }
  /// Throws when the disk refused a write, now or earlier.
  void check_disk() const {
    if (disk_error != nullptr && *disk_error != 0) fail(std::generic_category().message(*disk_error));
  }
  /// Returns a return code that reports success; throws otherwise.
  template <class Code>
  Code check(Code code) const {
    check_disk();
    if (code < 0) fail(hdf5_reason());
    return code;
  }
  /// Takes over an identifier.
  Hdf5Handle own(hid_t id, Hdf5Handle::Close close) const {
    Hdf5Handle handle(id, close);
    check(id);
    return handle;
  }
};

/// HDF5's names for a number type: in files of Karman, in foreign files, and in memory.
struct Hdf5Types {
  hid_t little_endian, big_endian, memory;
};
Hdf5Types hdf5_types(ScalarType type);

/// Throws std::invalid_argument unless `name` is absolute with plain components.
void check_hdf5_name(std::string_view name, bool root_allowed);

/// "attribute dx of /velocity/u".
std::string attribute_label(std::string_view object, std::string_view name);

/// The data space of an array.
Hdf5Handle hdf5_space(Hdf5Context const& context, ArrayExtents const& extents);

}  // namespace karman::detail

namespace karman {

struct Hdf5File::State {
  struct OpenTable {
    std::size_t columns = 0;
    std::size_t rows_in_file = 0;
    std::vector<double> pending;  ///< rows not yet in the file
  };

  std::filesystem::path path;
  std::optional<StagedPath> staged;  ///< of a file that is being created
  std::map<std::string, OpenTable, std::less<>> tables;
  std::uint64_t bytes = 0;  ///< size of a file that was opened
  bool in_memory = false;   ///< created in memory
  bool defers_disk_errors = false;
  std::optional<detail::PartNames> parts;
  int disk_error = 0;       ///< error number of a write that the disk refused
  detail::Hdf5Handle file;  ///< last member: closed before the temporary file is removed

  ~State();
  detail::Hdf5Context context(std::string operation, std::string_view name = {}) const;
  /// Throws unless the file is open for writing (or open at all).
  void require_writable() const;
  void require_open() const;
  bool is_writable() const { return staged || in_memory; }
  void write_pending_rows(std::string const& name, OpenTable& table);
  /// Opens an object for reading, refusing links that could lead out of the file.
  detail::Hdf5Handle open_object(detail::Hdf5Context const& context, std::string_view name) const;
  /// Reads an attribute that is one number of exactly this type.
  template <class T>
  T read_number(std::string_view object, std::string_view name) const;
  /// Opens a dataset, refusing those with data outside of the file.
  detail::Hdf5Handle open_dataset(detail::Hdf5Context const& context, std::string_view name) const;
  struct TypedDataset {
    detail::Hdf5Handle dataset, type, space;
  };
  /// The parts of a virtual dataset, which fill it; none for other datasets.
  std::vector<detail::PlacedPart> placed_parts(detail::Hdf5Context const& context, hid_t dataset,
                                               std::string_view name) const;
  TypedDataset open_typed(detail::Hdf5Context const& context, std::string_view name) const;
};

}  // namespace karman
