// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/free_memory.hpp"
#include "hdf5_state.hpp"
#include "io/files/input_file.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace karman {
namespace {

using detail::Hdf5Context;
using detail::Hdf5Handle;

constexpr std::array all_types{ScalarType::float32, ScalarType::float64, ScalarType::int8,  ScalarType::int16,
                               ScalarType::int32,   ScalarType::int64,   ScalarType::uint8, ScalarType::uint16,
                               ScalarType::uint32,  ScalarType::uint64};

bool equal(Hdf5Context const& context, hid_t a, hid_t b) { return context.check(H5Tequal(a, b)) > 0; }

ScalarType scalar_type(Hdf5Context const& context, hid_t stored) {
  for (ScalarType type : all_types) {
    detail::Hdf5Types const types = detail::hdf5_types(type);
    if (equal(context, stored, types.little_endian) || equal(context, stored, types.big_endian)) return type;
  }
  context.fail("expected integers or IEEE numbers of 1 to 8 bytes");
}

ArrayExtents space_extents(Hdf5Context const& context, hid_t space) {
  if (H5Sget_simple_extent_type(space) == H5S_SCALAR) return {};
  int const rank = context.check(H5Sget_simple_extent_ndims(space));
  if (H5Sget_simple_extent_type(space) != H5S_SIMPLE || rank < 1 || rank > static_cast<int>(ArrayExtents::max_rank)) {
    context.fail("expected an array of one to four extents");
  }
  std::array<hsize_t, ArrayExtents::max_rank> dimensions{};
  context.check(H5Sget_simple_extent_dims(space, dimensions.data(), nullptr));
  ArrayExtents extents;
  try {
    for (int axis = 0; axis < rank; ++axis) extents.append(dimensions[static_cast<std::size_t>(axis)]);
  } catch (std::invalid_argument const& error) {
    context.fail(error.what());
  }
  return extents;
}

struct DatasetStorage {
  bool chunked = false;
  bool compressed = false;
};

using ChunkExtents = std::array<hsize_t, H5S_MAX_RANK>;

/// Extents of the chunks of a chunked dataset with `rank` extents.
ChunkExtents chunk_extents(Hdf5Context const& context, hid_t creation, int rank) {
  ChunkExtents chunk{};
  bool const good = context.check(H5Pget_chunk(creation, H5S_MAX_RANK, chunk.data())) == rank;
  if (!good || std::count(chunk.begin(), chunk.begin() + rank, hsize_t{0}) > 0) context.fail("its chunks are damaged");
  return chunk;
}

/// Refuses chunks that are much larger than the dataset, which has `bytes`. HDF5 reads whole chunks into memory.
void check_chunk_bytes(Hdf5Context const& context, hid_t dataset, ChunkExtents const& chunk, int rank,
                       std::uint64_t bytes) {
  constexpr std::uint64_t small = std::uint64_t{16} << 20, most = std::uint64_t{1} << 30;
  std::uint64_t const bound = std::min(most, std::max(small, bytes > most ? most : 2 * bytes));
  auto const type = context.own(H5Dget_type(dataset), H5Tclose);
  double found = static_cast<double>(H5Tget_size(type.get()));
  for (int axis = 0; axis < rank; ++axis) found *= static_cast<double>(chunk[static_cast<std::size_t>(axis)]);
  if (found <= static_cast<double>(bound)) return;
  context.fail("expected chunks of at most " + detail::bytes_text(bound) + " for a dataset of " +
               detail::bytes_text(bytes) + " (twice its size, at least 16 MiB, at most 1 GiB), found " +
               detail::bytes_text(static_cast<std::uint64_t>(std::min(found, 0x1p62))));
}

/// True if the file has all chunks of a chunked dataset. HDF5 reads missing ones as zeros.
bool has_all_chunks(Hdf5Context const& context, hid_t dataset, ChunkExtents const& chunk) {
#if H5_VERSION_GE(1, 10, 5)
  auto const space = context.own(H5Dget_space(dataset), H5Sclose);
  std::array<hsize_t, H5S_MAX_RANK> extents{};
  int const rank = context.check(H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr));
  double expected = 1;
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(rank); ++axis)
    expected *= static_cast<double>(extents[axis] / chunk[axis] + (extents[axis] % chunk[axis] != 0 ? 1 : 0));
  hsize_t written = 0;
  context.check(H5Dget_num_chunks(dataset, space.get(), &written));
  return static_cast<double>(written) >= expected;
#else
  static_cast<void>(context), static_cast<void>(dataset), static_cast<void>(chunk);
  return true;
#endif
}

/// Bytes of the largest chunk of a compressed dataset, as it is stored.
std::uint64_t largest_stored_chunk(Hdf5Context const& context, hid_t dataset, ChunkExtents const& chunk) {
  hsize_t largest = 0;
#if H5_VERSION_GE(1, 10, 2)
  auto const space = context.own(H5Dget_space(dataset), H5Sclose);
  std::array<hsize_t, H5S_MAX_RANK> extents{}, at{};
  int const rank = context.check(H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr));
  if (std::count(extents.begin(), extents.begin() + rank, hsize_t{0}) > 0) return 0;
  for (int axis = 0; axis >= 0;) {
    hsize_t bytes = 0;
    context.check(H5Dget_chunk_storage_size(dataset, at.data(), &bytes));
    largest = std::max(largest, bytes);
    // The next corner of a chunk, the last axis fastest.
    for (axis = rank - 1; axis >= 0; --axis) {
      auto const n = static_cast<std::size_t>(axis);
      at[n] += chunk[n];
      if (at[n] < extents[n]) break;
      at[n] = 0;
    }
  }
#else
  static_cast<void>(chunk);
  largest = H5Dget_storage_size(dataset);
#endif
  return largest;
}

/// Refuses compressed chunks that may exhaust the memory. HDF5 unpacks a chunk to its end, however large its extents
/// are; `ratio` bytes may come out of one. The chunks that Karman itself writes always pass.
void check_unpacked_bytes(Hdf5Context const& context, hid_t dataset, ChunkExtents const& chunk, std::uint64_t ratio) {
  constexpr std::uint64_t harmless = std::uint64_t{1100} << 20;
  std::uint64_t const most = largest_stored_chunk(context, dataset, chunk) * ratio;
  if (most <= harmless) return;
  auto const free = static_cast<std::uint64_t>(detail::measure_free_host_memory());
  if (most <= free) return;
  context.fail("a compressed chunk of " + detail::bytes_text(most / ratio) + " may unpack to " +
               detail::bytes_text(most) + ", " + detail::bytes_text(free) +
               " are free; write it in smaller chunks, or without compression");
}

/// Refuses data in other files, and virtual datasets unless they are permitted. Even the extents of a virtual dataset
/// may be read from its sources.
void check_layout(Hdf5Context const& context, hid_t creation, bool may_be_virtual) {
  H5D_layout_t const layout = H5Pget_layout(creation);
  bool const inside = layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED;
  bool const permitted = inside || (layout == H5D_VIRTUAL && may_be_virtual);
  if (!permitted || context.check(H5Pget_external_count(creation)) > 0)
    context.fail("virtual datasets and data in external files are not supported");
}

/// A name in the mapping of a virtual dataset, from its own function.
template <class Read>
std::string mapped_name(Hdf5Context const& context, Read read) {
  constexpr ssize_t longest = 4096;
  ssize_t const length = read(nullptr, 0);
  if (length < 0 || length > longest) context.fail("the names of its parts are damaged");
  std::string name(static_cast<std::size_t>(length), '\0');
  if (read(name.data(), name.size() + 1) != length) context.fail("the names of its parts are damaged");
  return name;
}

/// The box that is selected in a space of this rank, and nothing else. Selections without end have none.
void selected_box(Hdf5Context const& context, hid_t space, int rank, ArrayExtents& begin, ArrayExtents& extents) {
  std::array<hsize_t, ArrayExtents::max_rank> low{}, high{};
  bool const fits = rank >= 1 && rank <= static_cast<int>(low.size()) && H5Sget_simple_extent_ndims(space) == rank;
  if (!fits || H5Sget_select_npoints(space) < 0 || H5Sget_select_bounds(space, low.data(), high.data()) < 0)
    context.fail("the places of its parts are damaged");
  begin = {}, extents = {};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(rank); ++axis) {
    begin.append(low[axis]);
    extents.append(high[axis] - low[axis] + 1);
  }
  if (static_cast<std::uint64_t>(H5Sget_select_npoints(space)) != extents.count())
    context.fail("the places of its parts are damaged");
}

/// Reads a box of a dataset into a box of an array in memory.
void read_into(Hdf5Context const& context, hid_t dataset, MutableArray const& array, ArrayExtents const& from,
               ArrayExtents const& to, ArrayExtents const& count) {
  std::array<hsize_t, ArrayExtents::max_rank> source{}, target{}, extents{};
  std::copy(from.begin(), from.end(), source.begin());
  std::copy(to.begin(), to.end(), target.begin());
  std::copy(count.begin(), count.end(), extents.begin());
  auto const file_space = context.own(H5Dget_space(dataset), H5Sclose);
  auto const memory_space = detail::hdf5_space(context, array.extents);
  for (auto const& [space, begin] : {std::pair{file_space.get(), &source}, {memory_space.get(), &target}})
    context.check(H5Sselect_hyperslab(space, H5S_SELECT_SET, begin->data(), nullptr, extents.data(), nullptr));
  context.check(H5Dread(dataset, detail::hdf5_types(array.type).memory, memory_space.get(), file_space.get(),
                        H5P_DEFAULT, array.data));
}

/// Refuses datasets that would run foreign code or take much more memory than their data. Refuses also those that claim
/// more data than the file has bytes for.
DatasetStorage check_storage(Hdf5Context const& context, hid_t dataset, std::uint64_t bytes, std::uint64_t file_bytes) {
  auto const creation = context.own(H5Dget_create_plist(dataset), H5Pclose);
  DatasetStorage storage{H5Pget_layout(creation.get()) == H5D_CHUNKED, false};
  ChunkExtents chunk{};
  if (storage.chunked) {
    auto const space = context.own(H5Dget_space(dataset), H5Sclose);
    int const rank = context.check(H5Sget_simple_extent_ndims(space.get()));
    chunk = chunk_extents(context, creation.get(), rank);
    check_chunk_bytes(context, dataset, chunk, rank, bytes);
  }
  int const filters = context.check(H5Pget_nfilters(creation.get()));
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0;
    unsigned configuration = 0;
    std::size_t values = 0;
    auto const filter = context.check(
        H5Pget_filter2(creation.get(), static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &configuration));
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32) {
      context.fail("unknown compression");
    }
    // A second compression would multiply the bytes that a byte may become.
    if (filter == H5Z_FILTER_DEFLATE && storage.compressed) context.fail("compressed twice");
    if (filter == H5Z_FILTER_DEFLATE) storage.compressed = true;
  }
  // zlib makes at most 1032 bytes out of one.
  constexpr std::uint64_t best_compression = 1032;
  std::uint64_t const stored = H5Dget_storage_size(dataset);
  if (stored > file_bytes) context.fail("the file is shorter than its data");
  bool const enough = bytes <= (storage.compressed ? stored * best_compression : stored);
  if (!enough || (storage.chunked && !has_all_chunks(context, dataset, chunk)))
    context.fail("the dataset is incomplete");
  if (storage.chunked && storage.compressed) check_unpacked_bytes(context, dataset, chunk, best_compression);
  return storage;
}

/// A string of fixed or variable length from a dataset or an attribute, through its own read function.
template <class Read>
std::string read_string_with(Hdf5Context const& context, hid_t type, hid_t space, std::size_t max_bytes, Read read) {
  if (H5Tget_class(type) != H5T_STRING || space_extents(context, space).rank() != 0)
    context.fail("expected one string");
  auto const memory = context.own(H5Tcopy(H5T_C_S1), H5Tclose);
  context.check(H5Tset_cset(memory.get(), H5Tget_cset(type)));
  if (context.check(H5Tis_variable_str(type)) > 0) {
    context.check(H5Tset_size(memory.get(), H5T_VARIABLE));
    char* pointer = nullptr;
    context.check(read(memory.get(), &pointer));
    std::unique_ptr<char, herr_t (*)(void*)> const owner(pointer, [](void* p) { return H5free_memory(p); });
    if (pointer == nullptr) return {};
    if (std::strlen(pointer) > max_bytes) context.fail("the string is too long");
    return pointer;
  }
  std::size_t const size = H5Tget_size(type);
  if (size > max_bytes) context.fail("the string is too long");
  context.check(H5Tset_size(memory.get(), std::max<std::size_t>(1, size)));
  context.check(H5Tset_strpad(memory.get(), H5T_STR_NULLPAD));
  std::string text(std::max<std::size_t>(1, size), '\0');
  context.check(read(memory.get(), text.data()));
  text.resize(std::min(text.size(), text.find('\0')));
  return text;
}

struct Attribute {
  Hdf5Handle attribute, type, space;
};

Attribute open_attribute(Hdf5Context const& context, hid_t owner, std::string_view name) {
  Attribute result;
  if (context.check(H5Aexists(owner, std::string(name).c_str())) == 0) context.fail("no such attribute");
  result.attribute = context.own(H5Aopen(owner, std::string(name).c_str(), H5P_DEFAULT), H5Aclose);
  result.type = context.own(H5Aget_type(result.attribute.get()), H5Tclose);
  result.space = context.own(H5Aget_space(result.attribute.get()), H5Sclose);
  return result;
}

}  // namespace

detail::Hdf5Handle Hdf5File::State::open_object(detail::Hdf5Context const& context, std::string_view name) const {
  require_open();
  detail::check_hdf5_name(name, true);
  for (std::size_t end = name.find('/', 1); name != "/"; end = name.find('/', end + 1)) {
    std::string const prefix(name.substr(0, end));
    if (context.check(H5Lexists(file.get(), prefix.c_str(), H5P_DEFAULT)) == 0) context.fail("no such object");
    H5L_info_t link{};
    context.check(H5Lget_info(file.get(), prefix.c_str(), &link, H5P_DEFAULT));
    if (link.type != H5L_TYPE_HARD) context.fail("soft and external links are not supported");
    if (end == std::string_view::npos) break;
  }
  return context.own(H5Oopen(file.get(), std::string(name).c_str(), H5P_DEFAULT), H5Oclose);
}

detail::Hdf5Handle Hdf5File::State::open_dataset(detail::Hdf5Context const& context, std::string_view name) const {
  auto object = open_object(context, name);
  if (H5Iget_type(object.get()) != H5I_DATASET) context.fail("not a dataset");
  auto const creation = context.own(H5Dget_create_plist(object.get()), H5Pclose);
  check_layout(context, creation.get(), is_writable() || parts.has_value());
  if (!is_writable() && H5Pget_layout(creation.get()) == H5D_VIRTUAL) placed_parts(context, object.get(), name);
  return object;
}

std::vector<detail::PlacedPart> Hdf5File::State::placed_parts(detail::Hdf5Context const& context, hid_t dataset,
                                                              std::string_view name) const {
  auto const creation = context.own(H5Dget_create_plist(dataset), H5Pclose);
  if (H5Pget_layout(creation.get()) != H5D_VIRTUAL) return {};
  std::size_t count = 0;
  context.check(H5Pget_virtual_count(creation.get(), &count));
  if (!parts || count == 0 || count > static_cast<std::size_t>(parts->count))
    context.fail("virtual datasets and data in external files are not supported");
  std::vector<detail::PlacedPart> placed;
  ArrayExtents whole;
  for (std::size_t n = 0; n < count; ++n) {
    auto const file_name = mapped_name(
        context, [&](char* text, std::size_t size) { return H5Pget_virtual_filename(creation.get(), n, text, size); });
    auto const dataset_name = mapped_name(
        context, [&](char* text, std::size_t size) { return H5Pget_virtual_dsetname(creation.get(), n, text, size); });
    auto const part = parts->part_of(file_name);
    if (!part || dataset_name != name) context.fail("virtual datasets and data in external files are not supported");
    auto const view = context.own(H5Pget_virtual_vspace(creation.get(), n), H5Sclose);
    auto const source = context.own(H5Pget_virtual_srcspace(creation.get(), n), H5Sclose);
    int const rank = H5Sget_simple_extent_ndims(view.get());
    detail::PlacedPart found{*part, {}, {}};
    ArrayExtents source_begin, source_extents;
    selected_box(context, view.get(), rank, found.begin, found.extents);
    selected_box(context, source.get(), rank, source_begin, source_extents);
    if (source_extents != found.extents || std::count(source_begin.begin(), source_begin.end(), 0u) != rank)
      context.fail("the places of its parts are damaged");
    placed.push_back(found);
    if (n == 0) whole = space_extents(context, view.get());
  }
  // No selection is without end, so that the extents are the file's own.
  auto const space = context.own(H5Dget_space(dataset), H5Sclose);
  if (space_extents(context, space.get()) != whole) context.fail("the places of its parts are damaged");
  if (std::string const reason = detail::why_no_tiling(whole, placed); !reason.empty()) context.fail(reason);
  return placed;
}

Hdf5File::State::TypedDataset Hdf5File::State::open_typed(detail::Hdf5Context const& context,
                                                          std::string_view name) const {
  TypedDataset result;
  result.dataset = open_dataset(context, name);
  result.type = context.own(H5Dget_type(result.dataset.get()), H5Tclose);
  result.space = context.own(H5Dget_space(result.dataset.get()), H5Sclose);
  return result;
}

bool Hdf5File::exists(std::string_view name) const {
  detail::QuietHdf5 const quiet;
  state_->require_open();
  detail::check_hdf5_name(name, true);
  auto const context = state_->context("look for", name);
  for (std::size_t end = name.find('/', 1); name != "/"; end = name.find('/', end + 1)) {
    std::string const prefix(name.substr(0, end));
    if (context.check(H5Lexists(state_->file.get(), prefix.c_str(), H5P_DEFAULT)) == 0) return false;
    if (end == std::string_view::npos) break;
    // A dataset on the path has no members.
    auto const parent = state_->open_object(context, prefix);
    if (H5Iget_type(parent.get()) != H5I_GROUP) return false;
  }
  return true;
}

std::vector<Hdf5Entry> Hdf5File::list(std::string_view group) const {
  detail::QuietHdf5 const quiet;
  auto const context = state_->context("list", group);
  auto const object = state_->open_object(context, group);
  if (H5Iget_type(object.get()) != H5I_GROUP) context.fail("not a group");
  H5G_info_t info{};
  context.check(H5Gget_info(object.get(), &info));
  std::vector<Hdf5Entry> entries;
  for (hsize_t i = 0; i < info.nlinks; ++i) {
    auto const length =
        context.check(H5Lget_name_by_idx(object.get(), ".", H5_INDEX_NAME, H5_ITER_INC, i, nullptr, 0, H5P_DEFAULT));
    Hdf5Entry entry;
    entry.name.resize(static_cast<std::size_t>(length));
    context.check(H5Lget_name_by_idx(object.get(), ".", H5_INDEX_NAME, H5_ITER_INC, i, entry.name.data(),
                                     entry.name.size() + 1, H5P_DEFAULT));
    H5L_info_t link{};
    context.check(H5Lget_info(object.get(), entry.name.c_str(), &link, H5P_DEFAULT));
    if (link.type == H5L_TYPE_HARD) {
      auto const member = context.own(H5Oopen(object.get(), entry.name.c_str(), H5P_DEFAULT), H5Oclose);
      H5I_type_t const type = H5Iget_type(member.get());
      entry.kind = type == H5I_GROUP     ? Hdf5Entry::Kind::group
                   : type == H5I_DATASET ? Hdf5Entry::Kind::dataset
                                         : Hdf5Entry::Kind::other;
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

DatasetInfo Hdf5File::info(std::string_view name) const {
  detail::QuietHdf5 const quiet;
  auto const context = state_->context("read", name);
  auto const [dataset, type, space] = state_->open_typed(context, name);
  DatasetInfo info;
  info.type = scalar_type(context, type.get());
  info.extents = space_extents(context, space.get());
  auto const creation = context.own(H5Dget_create_plist(dataset.get()), H5Pclose);
  info.in_parts = H5Pget_layout(creation.get()) == H5D_VIRTUAL;
  if (!state_->is_writable() && !info.in_parts) {
    auto const storage =
        check_storage(context, dataset.get(), info.extents.count() * scalar_size(info.type), state_->bytes);
    info.chunked = storage.chunked;
    info.compressed = storage.compressed;
  }
  return info;
}

std::size_t Hdf5File::checked_count(std::string_view name, ScalarType type, std::size_t max_count) const {
  DatasetInfo const stored = info(name);
  auto const context = state_->context("read", name);
  if (stored.type != type) {
    context.fail("expected " + std::string(scalar_name(type)) + ", found " + std::string(scalar_name(stored.type)));
  }
  if (stored.extents.count() > max_count) {
    context.fail("expected at most " + std::to_string(max_count) + " values, found " +
                 std::to_string(stored.extents.count()));
  }
  return stored.extents.count();
}

void Hdf5File::read_box(std::string_view name, MutableArray const& array, ArrayExtents const& begin) const {
  DatasetInfo const stored = info(name);
  detail::QuietHdf5 const quiet;
  auto const context = state_->context("read", name);
  if (stored.type != array.type) {
    context.fail("expected " + std::string(scalar_name(array.type)) + ", found " +
                 std::string(scalar_name(stored.type)));
  }
  std::size_t const rank = stored.extents.rank();
  bool fits = rank > 0 && array.extents.rank() == rank && begin.rank() == rank;
  for (std::size_t axis = 0; fits && axis < rank; ++axis) {
    fits = begin[axis] <= stored.extents[axis] && array.extents[axis] <= stored.extents[axis] - begin[axis];
  }
  if (!fits) {
    context.fail("expected extents of at least " + array.extents.text() + " from " + begin.text() + ", found " +
                 stored.extents.text());
  }
  if (array.extents.count() == 0) return;
  if (array.data == nullptr) throw std::invalid_argument("Hdf5File: null array");
  auto const dataset = state_->open_dataset(context, name);
  ArrayExtents here;
  for (std::size_t axis = 0; axis < rank; ++axis) here.append(0);
  if (!stored.in_parts) return read_into(context, dataset.get(), array, begin, here, array.extents);
  for (detail::PlacedPart const& placed : state_->placed_parts(context, dataset.get(), name)) {
    ArrayExtents from, to, count;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      std::size_t const low = std::max(begin[axis], placed.begin[axis]);
      std::size_t const high = std::min(begin[axis] + array.extents[axis], placed.begin[axis] + placed.extents[axis]);
      from.append(low - placed.begin[axis]);
      to.append(low - begin[axis]);
      count.append(high > low ? high - low : 0);
    }
    if (count.count() == 0) continue;
    try {
      Hdf5File const part = detail::open_part(detail::folder_of_parts(path()), *state_->parts, placed.part);
      DatasetInfo const found = part.info(name);
      if (found.type != stored.type || found.extents != placed.extents || found.in_parts)
        throw FileError(part.path().string(), "use", "it has other values than the file");
      detail::QuietHdf5 const still;
      auto const operation = part.state_->context("read", name);
      auto const source = part.state_->open_dataset(operation, name);
      read_into(operation, source.get(), array, from, to, count);
    } catch (FileError const& error) {
      context.fail("part " + std::to_string(placed.part) + ": " + error.what());
    }
  }
}

void Hdf5File::read(std::string_view name, MutableArray const& array) const {
  DatasetInfo const stored = info(name);
  if (stored.in_parts) {
    if (stored.extents != array.extents) {
      state_->context("read", name)
          .fail("expected the extents " + array.extents.text() + ", found " + stored.extents.text());
    }
    ArrayExtents begin;
    for (std::size_t axis = 0; axis < stored.extents.rank(); ++axis) begin.append(0);
    return read_box(name, array, begin);
  }
  detail::QuietHdf5 const quiet;
  auto const context = state_->context("read", name);
  if (stored.type != array.type) {
    context.fail("expected " + std::string(scalar_name(array.type)) + ", found " +
                 std::string(scalar_name(stored.type)));
  }
  if (stored.extents != array.extents) {
    context.fail("expected the extents " + array.extents.text() + ", found " + stored.extents.text());
  }
  if (array.extents.count() == 0) return;
  if (array.data == nullptr) throw std::invalid_argument("Hdf5File: null array");
  auto const dataset = state_->open_dataset(context, name);
  context.check(
      H5Dread(dataset.get(), detail::hdf5_types(array.type).memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.data));
}

std::string Hdf5File::read_text(std::string_view name, std::size_t max_bytes) const {
  detail::QuietHdf5 const quiet;
  auto const context = state_->context("read", name);
  auto const [dataset, type, space] = state_->open_typed(context, name);
  if (!state_->is_writable()) check_storage(context, dataset.get(), H5Tget_size(type.get()), state_->bytes);
  return read_string_with(context, type.get(), space.get(), max_bytes, [id = dataset.get()](hid_t memory, void* data) {
    return H5Dread(id, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  });
}

std::vector<std::string> Hdf5File::read_texts(std::string_view name, std::size_t max_bytes) const {
  detail::QuietHdf5 const quiet;
  auto const context = state_->context("read", name);
  auto const [dataset, type, space] = state_->open_typed(context, name);
  ArrayExtents const extents = space_extents(context, space.get());
  if (H5Tget_class(type.get()) != H5T_STRING || extents.rank() != 1) context.fail("expected a list of strings");
  bool const variable = context.check(H5Tis_variable_str(type.get())) > 0;
  std::size_t const count = extents.count(), size = std::max<std::size_t>(1, H5Tget_size(type.get()));
  if (!state_->is_writable()) check_storage(context, dataset.get(), count * size, state_->bytes);
  if (count > max_bytes / size) context.fail("the strings are too long");
  auto const memory = context.own(H5Tcopy(H5T_C_S1), H5Tclose);
  context.check(H5Tset_cset(memory.get(), H5Tget_cset(type.get())));
  context.check(H5Tset_size(memory.get(), variable ? H5T_VARIABLE : size));
  context.check(H5Tset_strpad(memory.get(), variable ? H5T_STR_NULLTERM : H5T_STR_NULLPAD));
  std::vector<std::string> texts(count);
  if (count == 0) return texts;
  if (variable) {
    hsize_t bytes = 0;
    context.check(H5Dvlen_get_buf_size(dataset.get(), memory.get(), space.get(), &bytes));
    if (bytes > max_bytes) context.fail("the strings are too long");
    std::vector<char*> pointers(count, nullptr);
    context.check(H5Dread(dataset.get(), memory.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()));
    for (std::size_t n = 0; n < count; ++n) {
      if (pointers[n] != nullptr) texts[n] = pointers[n];
    }
    context.check(H5Dvlen_reclaim(memory.get(), space.get(), H5P_DEFAULT, pointers.data()));
  } else {
    std::string all(count * size, '\0');
    context.check(H5Dread(dataset.get(), memory.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()));
    for (std::size_t n = 0; n < count; ++n) {
      std::string const text = all.substr(n * size, size);
      texts[n] = text.substr(0, text.find('\0'));
    }
  }
  return texts;
}

bool Hdf5File::has_attribute(std::string_view object, std::string_view name) const {
  detail::QuietHdf5 const quiet;
  auto const context = state_->context("read", detail::attribute_label(object, name));
  auto const owner = state_->open_object(context, object);
  return context.check(H5Aexists(owner.get(), std::string(name).c_str())) > 0;
}

template <class T>
T Hdf5File::State::read_number(std::string_view object, std::string_view name) const {
  detail::QuietHdf5 const quiet;
  auto const operation = context("read", detail::attribute_label(object, name));
  auto const owner = open_object(operation, object);
  Attribute const a = open_attribute(operation, owner.get(), name);
  ScalarType const type = scalar_type_of<T>();
  if (scalar_type(operation, a.type.get()) != type || space_extents(operation, a.space.get()).count() != 1) {
    operation.fail("expected one number of type " + std::string(scalar_name(type)));
  }
  T value{};
  operation.check(H5Aread(a.attribute.get(), detail::hdf5_types(type).memory, &value));
  return value;
}

double Hdf5File::read_double(std::string_view object, std::string_view attribute) const {
  return state_->read_number<double>(object, attribute);
}

std::int64_t Hdf5File::read_integer(std::string_view object, std::string_view attribute) const {
  return state_->read_number<std::int64_t>(object, attribute);
}

std::uint64_t Hdf5File::read_unsigned(std::string_view object, std::string_view attribute) const {
  return state_->read_number<std::uint64_t>(object, attribute);
}

std::string Hdf5File::read_string(std::string_view object, std::string_view attribute) const {
  constexpr std::size_t most_bytes = std::size_t{1} << 20;
  detail::QuietHdf5 const quiet;
  auto const context = state_->context("read", detail::attribute_label(object, attribute));
  auto const owner = state_->open_object(context, object);
  Attribute const a = open_attribute(context, owner.get(), attribute);
  return read_string_with(context, a.type.get(), a.space.get(), most_bytes,
                          [&](hid_t memory, void* data) { return H5Aread(a.attribute.get(), memory, data); });
}

std::vector<double> Hdf5File::read_doubles(std::string_view object, std::string_view attribute) const {
  constexpr std::size_t most_values = std::size_t{1} << 17;
  detail::QuietHdf5 const quiet;
  auto const context = state_->context("read", detail::attribute_label(object, attribute));
  auto const owner = state_->open_object(context, object);
  Attribute const a = open_attribute(context, owner.get(), attribute);
  ArrayExtents const extents = space_extents(context, a.space.get());
  if (scalar_type(context, a.type.get()) != ScalarType::float64 || extents.rank() != 1 ||
      extents.count() > most_values) {
    context.fail("expected a list of float64 numbers");
  }
  std::vector<double> values(extents.count());
  context.check(H5Aread(a.attribute.get(), H5T_NATIVE_DOUBLE, values.data()));
  return values;
}

Table Hdf5File::read_table(std::string_view name, std::size_t max_rows) const {
  detail::QuietHdf5 const quiet;
  auto const context = state_->context("read", name);
  auto const [dataset, type, space] = state_->open_typed(context, name);
  ArrayExtents const extents = space_extents(context, space.get());
  if (H5Tget_class(type.get()) != H5T_COMPOUND || extents.rank() != 1) context.fail("not a table");
  if (extents.count() > max_rows) context.fail("more than " + std::to_string(max_rows) + " rows");
  if (!state_->is_writable()) {
    check_storage(context, dataset.get(), extents.count() * H5Tget_size(type.get()), state_->bytes);
  }
  int const members = context.check(H5Tget_nmembers(type.get()));
  Table table;
  for (int i = 0; i < members; ++i) {
    auto const member = context.own(H5Tget_member_type(type.get(), static_cast<unsigned>(i)), H5Tclose);
    if (H5Tget_class(member.get()) != H5T_FLOAT || scalar_type(context, member.get()) != ScalarType::float64) {
      context.fail("expected float64 columns");
    }
    std::unique_ptr<char, herr_t (*)(void*)> const column(H5Tget_member_name(type.get(), static_cast<unsigned>(i)),
                                                          [](void* p) { return H5free_memory(p); });
    if (!column) context.fail(detail::hdf5_reason());
    auto const memory = context.own(H5Tcreate(H5T_COMPOUND, sizeof(double)), H5Tclose);
    context.check(H5Tinsert(memory.get(), column.get(), 0, H5T_NATIVE_DOUBLE));
    std::vector<double> values(extents.count());
    if (!values.empty()) {
      context.check(H5Dread(dataset.get(), memory.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
    }
    table.columns.emplace_back(column.get());
    table.values.push_back(std::move(values));
  }
  return table;
}

std::vector<double> const& Table::column(std::string_view name) const {
  auto const found = std::find(columns.begin(), columns.end(), name);
  if (found == columns.end()) throw std::out_of_range("no such column: \"" + std::string(name) + '"');
  return values[static_cast<std::size_t>(found - columns.begin())];
}

}  // namespace karman
