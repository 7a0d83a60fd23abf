// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hdf5_driver.hpp"
#include "hdf5_state.hpp"
#include "io/files/input_file.hpp"
#include "io/files/plain_text.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

namespace karman {
namespace detail {
namespace {

struct Reason {
  std::string innermost;
  std::string system;
};

herr_t collect(unsigned position, H5E_error2_t const* error, void* data) {
  auto& reason = *static_cast<Reason*>(data);
  std::string const text = error->desc != nullptr ? error->desc : "";
  if (position == 0) reason.innermost = text;
  // The virtual file driver includes the system's error number in its message, "errno = 28".
  constexpr std::string_view mark = "errno = ";
  if (auto const found = text.find(mark); found != std::string::npos && reason.system.empty()) {
    int number = 0;
    std::from_chars(text.data() + found + mark.size(), text.data() + text.size(), number);
    if (number > 0) reason.system = std::generic_category().message(number);
  }
  return 0;
}

}  // namespace

std::string hdf5_reason() {
  // HDF5 1.10 loses memory when it cannot open a damaged file. It then prints an error when the program ends, unless
  // its printing is off by then. (This handler was registered after the library's own, so it runs first.)
  static bool const silent_at_exit =
      std::atexit([] { static_cast<void>(H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr)); }) == 0;
  static_cast<void>(silent_at_exit);
  Reason reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &reason);
  std::string text = !reason.system.empty()      ? reason.system
                     : !reason.innermost.empty() ? reason.innermost
                                                 : "HDF5 reports no reason";
  // Messages are one line of plain text, even when a damaged file supplied a part of them.
  for (char& c : text) {
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
  }
  return text;
}

Hdf5Types hdf5_types(ScalarType type) {
  switch (type) {
    case ScalarType::float32: return {H5T_IEEE_F32LE, H5T_IEEE_F32BE, H5T_NATIVE_FLOAT};
    case ScalarType::float64: return {H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_NATIVE_DOUBLE};
    case ScalarType::int8: return {H5T_STD_I8LE, H5T_STD_I8BE, H5T_NATIVE_INT8};
    case ScalarType::int16: return {H5T_STD_I16LE, H5T_STD_I16BE, H5T_NATIVE_INT16};
    case ScalarType::int32: return {H5T_STD_I32LE, H5T_STD_I32BE, H5T_NATIVE_INT32};
    case ScalarType::int64: return {H5T_STD_I64LE, H5T_STD_I64BE, H5T_NATIVE_INT64};
    case ScalarType::uint8: return {H5T_STD_U8LE, H5T_STD_U8BE, H5T_NATIVE_UINT8};
    case ScalarType::uint16: return {H5T_STD_U16LE, H5T_STD_U16BE, H5T_NATIVE_UINT16};
    case ScalarType::uint32: return {H5T_STD_U32LE, H5T_STD_U32BE, H5T_NATIVE_UINT32};
    case ScalarType::uint64: return {H5T_STD_U64LE, H5T_STD_U64BE, H5T_NATIVE_UINT64};
  }
  throw std::invalid_argument("invalid ScalarType");
}

void check_hdf5_name(std::string_view name, bool root_allowed) {
  if (!(name == "/" ? root_allowed : is_hdf5_name(name)))
    throw std::invalid_argument("expected an absolute HDF5 name, found \"" + std::string(name) + '"');
}

std::string attribute_label(std::string_view object, std::string_view name) {
  return "attribute " + std::string(name) + " of " + std::string(object);
}

Hdf5Handle hdf5_space(Hdf5Context const& context, ArrayExtents const& extents) {
  if (extents.rank() == 0) return context.own(H5Screate(H5S_SCALAR), H5Sclose);
  std::array<hsize_t, ArrayExtents::max_rank> dimensions{};
  std::copy(extents.begin(), extents.end(), dimensions.begin());
  return context.own(H5Screate_simple(static_cast<int>(extents.rank()), dimensions.data(), nullptr), H5Sclose);
}

}  // namespace detail

Hdf5File::State::~State() {
  detail::QuietHdf5 const quiet;
  file.close();
}

detail::Hdf5Context Hdf5File::State::context(std::string operation, std::string_view name) const {
  if (!name.empty()) operation += ' ' + std::string(name) + " in";
  return {path.string(), std::move(operation), defers_disk_errors ? nullptr : &disk_error};
}

void Hdf5File::State::require_open() const {
  if (file.get() < 0) throw std::logic_error("the HDF5 file " + path.string() + " is closed");
}

void Hdf5File::State::require_writable() const {
  require_open();
  if (!is_writable()) throw std::invalid_argument("the HDF5 file " + path.string() + " is open for reading only");
}

Hdf5File::Hdf5File(std::unique_ptr<State> state) : state_(std::move(state)) {}
Hdf5File::Hdf5File(Hdf5File&&) noexcept = default;
Hdf5File& Hdf5File::operator=(Hdf5File&&) noexcept = default;
Hdf5File::~Hdf5File() = default;

std::filesystem::path const& Hdf5File::path() const { return state_->path; }

Hdf5File Hdf5File::create(std::filesystem::path const& path, Overwrite overwrite, Links links) {
  detail::QuietHdf5 const quiet;
  auto state = std::make_unique<State>();
  state->path = path;
  state->staged.emplace(path, overwrite, links);
  auto const context = state->context("create");
  auto const access = context.own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  auto const creation = context.own(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  // The format of HDF5 1.8 has checksums on its metadata and long attributes. Every reader in use supports it.
  context.check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_LATEST));
  context.check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG));
  context.check(detail::use_checked_driver(access.get(), &state->disk_error));
  // No time stamps, so that equal content gives equal bytes.
  context.check(H5Pset_obj_track_times(creation.get(), false));
  state->file =
      context.own(H5Fcreate(state->staged->temporary().c_str(), H5F_ACC_EXCL, creation.get(), access.get()), H5Fclose);
  return Hdf5File(std::move(state));
}

void Hdf5File::defer_disk_errors() { state_->defers_disk_errors = true; }

Hdf5File Hdf5File::create_in_memory(std::filesystem::path const& path) {
  detail::QuietHdf5 const quiet;
  auto state = std::make_unique<State>();
  state->path = path;
  state->in_memory = true;
  auto const context = state->context("create");
  auto const access = context.own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  auto const creation = context.own(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  context.check(H5Pset_obj_track_times(creation.get(), false));
  constexpr std::size_t increment = std::size_t{64} << 10;
  context.check(H5Pset_fapl_core(access.get(), increment, 0));
  context.check(H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_LATEST));
  context.check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG));
  // The library looks for a file of this name, and needs another name for each that is open.
  static std::atomic<unsigned> number{0};
  std::string const name = path.string() + ".memory-" + std::to_string(number++);
  state->file = context.own(H5Fcreate(name.c_str(), H5F_ACC_EXCL, creation.get(), access.get()), H5Fclose);
  return Hdf5File(std::move(state));
}

Hdf5File Hdf5File::open(std::filesystem::path const& path) {
  detail::QuietHdf5 const quiet;
  auto state = std::make_unique<State>();
  state->path = path;
  auto const context = state->context("open");
  state->bytes = detail::regular_file_size(path, "open");
  auto const access = context.own(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // The default driver is one that the environment names.
  context.check(H5Pset_fapl_sec2(access.get()));
  context.check(H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG));
  hid_t const file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get());
  if (file < 0) {
    std::string const reason = detail::hdf5_reason();
    context.fail(H5Fis_hdf5(path.c_str()) == 0 ? "not an HDF5 file" : reason);
  }
  state->file = {file, H5Fclose};
  Hdf5File opened(std::move(state));
  opened.state_->parts = detail::read_part_names(opened);
  return opened;
}

StagedPath Hdf5File::finish() {
  detail::QuietHdf5 const quiet;
  state_->require_writable();
  state_->defers_disk_errors = false;
  if (!state_->staged) throw std::invalid_argument("the HDF5 file " + path().string() + " exists in memory alone");
  for (auto& [name, table] : state_->tables) state_->write_pending_rows(name, table);
  auto const context = state_->context("write");
  context.check(H5Fflush(state_->file.get(), H5F_SCOPE_LOCAL));
  context.check(state_->file.close());
  context.check_disk();
  // The disk may have stored less than was written. Opening compares the size on disk with the one noted in the file.
  // (The size that the library reports before closing includes space that closing releases.)
  context.own(H5Fopen(state_->staged->temporary().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  StagedPath staged = std::move(*state_->staged);
  state_->staged.reset();
  return staged;
}

void Hdf5File::commit() {
  if (!state_->in_memory) return finish().commit();
  state_->require_open();
  state_->file.close();
}

void forbid_hdf5_plugins() noexcept { ::setenv("HDF5_PLUGIN_PRELOAD", "::", 1); }

std::string hdf5_library_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned patch = 0;
  H5get_libversion(&major, &minor, &patch);
  return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
}

}  // namespace karman
