// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hdf5_state.hpp"

#include <hdf5_hl.h>

#include <algorithm>
#include <limits>
#include <set>
#include <stdexcept>

namespace karman {
namespace {

using detail::Hdf5Context;
using detail::Hdf5Handle;

constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
constexpr std::size_t table_block_values = std::size_t{1} << 13;
constexpr std::size_t most_attribute_bytes = std::size_t{64} << 10;

/// Properties of a new object. Without time stamps, so that equal content gives equal bytes.
Hdf5Handle creation_without_times(Hdf5Context const& context, hid_t kind) {
  auto creation = context.own(H5Pcreate(kind), H5Pclose);
  context.check(H5Pset_obj_track_times(creation.get(), false));
  return creation;
}

Hdf5Handle dataset_creation(Hdf5Context const& context) { return creation_without_times(context, H5P_DATASET_CREATE); }

void create_group(Hdf5Context const& context, hid_t file, std::string const& name, Hdf5Handle const& links) {
  auto const creation = creation_without_times(context, H5P_GROUP_CREATE);
  auto group = context.own(H5Gcreate2(file, name.c_str(), links.get(), creation.get(), H5P_DEFAULT), H5Gclose);
  context.check(group.close());
}

/// Creates missing groups on the path to an object, one by one: HDF5 would give them time stamps. Returns the
/// properties of links with UTF-8 names.
Hdf5Handle link_creation(Hdf5Context const& context, hid_t file, std::string_view name) {
  auto links = context.own(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  context.check(H5Pset_char_encoding(links.get(), H5T_CSET_UTF8));
  for (std::size_t slash = name.find('/', 1); slash != std::string_view::npos; slash = name.find('/', slash + 1)) {
    std::string const group(name.substr(0, slash));
    if (context.check(H5Lexists(file, group.c_str(), H5P_DEFAULT)) == 0) create_group(context, file, group, links);
  }
  return links;
}

template <class T>
herr_t set_fill(hid_t creation, ScalarType type, T value) {
  return H5Pset_fill_value(creation, detail::hdf5_types(type).memory, &value);
}

/// Sets the fill value: NaN, or the largest value of an integer type.
herr_t set_missing(hid_t creation, ScalarType type) {
  switch (type) {
    case ScalarType::float32: return set_fill(creation, type, std::numeric_limits<float>::quiet_NaN());
    case ScalarType::float64: return set_fill(creation, type, std::numeric_limits<double>::quiet_NaN());
    case ScalarType::int8: return set_fill(creation, type, std::numeric_limits<std::int8_t>::max());
    case ScalarType::int16: return set_fill(creation, type, std::numeric_limits<std::int16_t>::max());
    case ScalarType::int32: return set_fill(creation, type, std::numeric_limits<std::int32_t>::max());
    case ScalarType::int64: return set_fill(creation, type, std::numeric_limits<std::int64_t>::max());
    case ScalarType::uint8: return set_fill(creation, type, std::numeric_limits<std::uint8_t>::max());
    case ScalarType::uint16: return set_fill(creation, type, std::numeric_limits<std::uint16_t>::max());
    case ScalarType::uint32: return set_fill(creation, type, std::numeric_limits<std::uint32_t>::max());
    case ScalarType::uint64: return set_fill(creation, type, std::numeric_limits<std::uint64_t>::max());
  }
  return -1;
}

/// Whole planes of the fastest axes, about a mebibyte in all.
ArrayExtents chosen_chunk(ConstArray const& array) {
  std::array<std::size_t, ArrayExtents::max_rank> chunk{};
  std::copy(array.extents.begin(), array.extents.end(), chunk.begin());
  std::size_t bytes = array.bytes();
  for (std::size_t axis = 0; axis < array.extents.rank() && bytes > chunk_bytes; ++axis) {
    std::size_t const slab = bytes / chunk[axis];
    chunk[axis] = std::max<std::size_t>(1, chunk_bytes / slab);
    bytes = slab * chunk[axis];
  }
  ArrayExtents extents;
  for (std::size_t axis = 0; axis < array.extents.rank(); ++axis) extents.append(chunk[axis]);
  return extents;
}

void set_layout(Hdf5Context const& context, hid_t creation, ConstArray const& array, DatasetOptions const& options) {
  if (options.deflate < 0 || options.deflate > 9) throw std::invalid_argument("deflate level must be 0 to 9");
  if (array.extents.rank() == 0 || array.extents.count() == 0) return;
  ArrayExtents chunk = options.chunk;
  if (chunk.rank() == 0) {
    if (options.deflate == 0) return;
    chunk = chosen_chunk(array);
  }
  bool fits = chunk.rank() == array.extents.rank();
  for (std::size_t axis = 0; fits && axis < chunk.rank(); ++axis) {
    fits = chunk[axis] >= 1 && chunk[axis] <= array.extents[axis];
  }
  // HDF5 counts the bytes of a chunk in 32 bits.
  fits = fits && chunk.count() < (std::uint64_t{1} << 32) / scalar_size(array.type);
  if (!fits) {
    throw std::invalid_argument("chunk extents " + chunk.text() + " do not fit the array " + array.extents.text());
  }
  std::array<hsize_t, ArrayExtents::max_rank> dimensions{};
  std::copy(chunk.begin(), chunk.end(), dimensions.begin());
  context.check(H5Pset_chunk(creation, static_cast<int>(chunk.rank()), dimensions.data()));
  if (options.deflate > 0) {
    context.check(H5Pset_shuffle(creation));
    context.check(H5Pset_deflate(creation, static_cast<unsigned>(options.deflate)));
  }
}

/// Fixed-length UTF-8, which needs a length of at least one.
Hdf5Handle text_type(Hdf5Context const& context, std::string_view text) {
  if (text.find('\0') != std::string_view::npos) throw std::invalid_argument("string contains a NUL character");
  auto type = context.own(H5Tcopy(H5T_C_S1), H5Tclose);
  context.check(H5Tset_size(type.get(), std::max<std::size_t>(1, text.size())));
  context.check(H5Tset_strpad(type.get(), H5T_STR_NULLPAD));
  context.check(H5Tset_cset(type.get(), H5T_CSET_UTF8));
  return type;
}

void write_attribute_of(Hdf5Context const& context, hid_t file, std::string_view object, std::string_view name,
                        hid_t file_type, hid_t memory_type, ArrayExtents const& extents, void const* data) {
  detail::check_hdf5_name(object, true);
  if (name.empty() || name.find('\0') != std::string_view::npos)
    throw std::invalid_argument("attribute without a name");
  auto const owner = context.own(H5Oopen(file, std::string(object).c_str(), H5P_DEFAULT), H5Oclose);
  auto const space = detail::hdf5_space(context, extents);
  auto const attribute = context.own(
      H5Acreate2(owner.get(), std::string(name).c_str(), file_type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  context.check(H5Awrite(attribute.get(), memory_type, data));
}

}  // namespace

void Hdf5File::make_group(std::string_view name) {
  detail::QuietHdf5 const quiet;
  state_->require_writable();
  detail::check_hdf5_name(name, false);
  auto const context = state_->context("create group", name);
  create_group(context, state_->file.get(), std::string(name), link_creation(context, state_->file.get(), name));
}

void Hdf5File::write(std::string_view name, ConstArray const& array, DatasetOptions const& options) {
  detail::QuietHdf5 const quiet;
  state_->require_writable();
  detail::check_hdf5_name(name, false);
  if (array.data == nullptr && array.extents.count() > 0) throw std::invalid_argument("Hdf5File: null array");
  auto const context = state_->context("write", name);
  auto const links = link_creation(context, state_->file.get(), name);
  auto const creation = dataset_creation(context);
  set_layout(context, creation.get(), array, options);
  auto const space = detail::hdf5_space(context, array.extents);
  auto dataset = context.own(
      H5Dcreate2(state_->file.get(), std::string(name).c_str(), detail::hdf5_types(array.type).little_endian,
                 space.get(), links.get(), creation.get(), H5P_DEFAULT),
      H5Dclose);
  if (array.extents.count() > 0) {
    context.check(
        H5Dwrite(dataset.get(), detail::hdf5_types(array.type).memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.data));
  }
  context.check(dataset.close());
}

void Hdf5File::name_planes(std::string_view dataset, std::string_view group) {
  DatasetInfo const whole = info(dataset);
  std::size_t const rank = whole.extents.rank();
  if (rank < 2) throw std::invalid_argument("name_planes: expected a dataset of rank 2 or more");
  make_group(group);
  detail::QuietHdf5 const quiet;
  auto const context = state_->context("name the planes of", dataset);
  ArrayExtents plane;
  std::array<hsize_t, ArrayExtents::max_rank> begin{}, count{1};
  for (std::size_t axis = 1; axis < rank; ++axis) {
    plane.append(whole.extents[axis]);
    count[axis] = whole.extents[axis];
  }
  auto const links = link_creation(context, state_->file.get(), group);
  auto const source = detail::hdf5_space(context, whole.extents);
  auto const space = detail::hdf5_space(context, plane);
  for (; begin[0] < whole.extents[0]; ++begin[0]) {
    context.check(H5Sselect_hyperslab(source.get(), H5S_SELECT_SET, begin.data(), nullptr, count.data(), nullptr));
    auto const creation = dataset_creation(context);
    // The dot is this file, whatever its name becomes.
    context.check(H5Pset_virtual(creation.get(), space.get(), ".", std::string(dataset).c_str(), source.get()));
    std::string const name = std::string(group) + '/' + std::to_string(begin[0]);
    auto made = context.own(H5Dcreate2(state_->file.get(), name.c_str(), detail::hdf5_types(whole.type).little_endian,
                                       space.get(), links.get(), creation.get(), H5P_DEFAULT),
                            H5Dclose);
    context.check(made.close());
  }
}

void Hdf5File::write_virtual(std::string_view name, ScalarType type, ArrayExtents const& extents,
                             std::span<Hdf5Source const> sources) {
  detail::QuietHdf5 const quiet;
  state_->require_writable();
  detail::check_hdf5_name(name, false);
  auto const context = state_->context("write", name);
  auto const links = link_creation(context, state_->file.get(), name);
  auto const creation = dataset_creation(context);
  auto const space = detail::hdf5_space(context, extents);
  for (Hdf5Source const& source : sources) {
    if (source.begin.rank() != extents.rank() || source.extents.rank() != extents.rank() || extents.rank() == 0)
      throw std::invalid_argument("write_virtual: the ranks of " + std::string(name) + " and its sources differ");
    std::array<hsize_t, ArrayExtents::max_rank> begin{}, count{};
    std::copy(source.begin.begin(), source.begin.end(), begin.begin());
    std::copy(source.extents.begin(), source.extents.end(), count.begin());
    // A box, not "all": the file then has the extents of the source, too.
    auto const whole = detail::hdf5_space(context, source.extents);
    std::array<hsize_t, ArrayExtents::max_rank> const zero{};
    context.check(H5Sselect_hyperslab(whole.get(), H5S_SELECT_SET, zero.data(), nullptr, count.data(), nullptr));
    context.check(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, begin.data(), nullptr, count.data(), nullptr));
    context.check(
        H5Pset_virtual(creation.get(), space.get(), source.file.c_str(), std::string(name).c_str(), whole.get()));
  }
  context.check(H5Sselect_all(space.get()));
  // Other readers fill in values of missing parts, which must not look like results.
  context.check(set_missing(creation.get(), type));
  auto dataset =
      context.own(H5Dcreate2(state_->file.get(), std::string(name).c_str(), detail::hdf5_types(type).little_endian,
                             space.get(), links.get(), creation.get(), H5P_DEFAULT),
                  H5Dclose);
  context.check(dataset.close());
}

void Hdf5File::write_text(std::string_view name, std::string_view text) {
  detail::QuietHdf5 const quiet;
  state_->require_writable();
  detail::check_hdf5_name(name, false);
  auto const context = state_->context("write", name);
  auto const type = text_type(context, text);
  auto const links = link_creation(context, state_->file.get(), name);
  auto const creation = dataset_creation(context);
  auto const space = detail::hdf5_space(context, {});
  auto dataset = context.own(H5Dcreate2(state_->file.get(), std::string(name).c_str(), type.get(), space.get(),
                                        links.get(), creation.get(), H5P_DEFAULT),
                             H5Dclose);
  context.check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.empty() ? "" : text.data()));
  context.check(dataset.close());
}

void Hdf5File::write_texts(std::string_view name, std::span<std::string const> texts) {
  detail::QuietHdf5 const quiet;
  state_->require_writable();
  detail::check_hdf5_name(name, false);
  std::vector<char const*> pointers;
  for (std::string const& text : texts) {
    if (text.find('\0') != std::string::npos) throw std::invalid_argument("string contains a NUL character");
    pointers.push_back(text.c_str());
  }
  auto const context = state_->context("write", name);
  auto const type = context.own(H5Tcopy(H5T_C_S1), H5Tclose);
  context.check(H5Tset_size(type.get(), H5T_VARIABLE));
  context.check(H5Tset_cset(type.get(), H5T_CSET_UTF8));
  auto const links = link_creation(context, state_->file.get(), name);
  auto const creation = dataset_creation(context);
  auto const space = detail::hdf5_space(context, {texts.size()});
  auto dataset = context.own(H5Dcreate2(state_->file.get(), std::string(name).c_str(), type.get(), space.get(),
                                        links.get(), creation.get(), H5P_DEFAULT),
                             H5Dclose);
  if (!texts.empty())
    context.check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()));
  context.check(dataset.close());
}

void Hdf5File::attach_scale(std::string_view name, std::size_t axis, std::string_view scale_name) {
  detail::QuietHdf5 const quiet;
  state_->require_writable();
  ArrayExtents const extents = info(name).extents, length = info(scale_name).extents;
  if (length.rank() != 1 || axis >= extents.rank() || extents[axis] != length[0]) {
    throw std::invalid_argument("the dataset " + std::string(scale_name) + " of " + length.text() +
                                " values does not fit axis " + std::to_string(axis) + " of " + std::string(name) +
                                ", which has the extents " + extents.text());
  }
  auto const context = state_->context("attach a dimension scale to", name);
  auto const dataset = state_->open_dataset(context, name);
  auto const scale = state_->open_dataset(context, scale_name);
  if (context.check(H5DSis_scale(scale.get())) == 0) {
    std::string const leaf(scale_name.substr(scale_name.rfind('/') + 1));
    context.check(H5DSset_scale(scale.get(), leaf.c_str()));
  }
  context.check(H5DSattach_scale(dataset.get(), scale.get(), static_cast<unsigned>(axis)));
}

void Hdf5File::link(std::string_view existing, std::string_view name) {
  detail::QuietHdf5 const quiet;
  state_->require_writable();
  detail::check_hdf5_name(existing, false);
  detail::check_hdf5_name(name, false);
  auto const context = state_->context("link", name);
  auto const links = link_creation(context, state_->file.get(), name);
  context.check(H5Lcreate_hard(state_->file.get(), std::string(existing).c_str(), state_->file.get(),
                               std::string(name).c_str(), links.get(), H5P_DEFAULT));
}

void Hdf5File::write_attribute(std::string_view object, std::string_view name, double value) {
  detail::QuietHdf5 const quiet;
  state_->require_writable();
  write_attribute_of(state_->context("write", detail::attribute_label(object, name)), state_->file.get(), object, name,
                     H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {}, &value);
}

void Hdf5File::write_attribute(std::string_view object, std::string_view name, std::int64_t value) {
  detail::QuietHdf5 const quiet;
  state_->require_writable();
  write_attribute_of(state_->context("write", detail::attribute_label(object, name)), state_->file.get(), object, name,
                     H5T_STD_I64LE, H5T_NATIVE_INT64, {}, &value);
}

void Hdf5File::write_attribute(std::string_view object, std::string_view name, std::uint64_t value) {
  detail::QuietHdf5 const quiet;
  state_->require_writable();
  write_attribute_of(state_->context("write", detail::attribute_label(object, name)), state_->file.get(), object, name,
                     H5T_STD_U64LE, H5T_NATIVE_UINT64, {}, &value);
}

void Hdf5File::write_attribute(std::string_view object, std::string_view name, std::string_view value) {
  detail::QuietHdf5 const quiet;
  state_->require_writable();
  if (value.size() > most_attribute_bytes) throw std::invalid_argument("attribute string exceeds 64 KiB");
  auto const context = state_->context("write", detail::attribute_label(object, name));
  auto const type = text_type(context, value);
  write_attribute_of(context, state_->file.get(), object, name, type.get(), type.get(), {},
                     value.empty() ? "" : value.data());
}

void Hdf5File::write_attribute(std::string_view object, std::string_view name, std::span<double const> values) {
  detail::QuietHdf5 const quiet;
  state_->require_writable();
  if (values.empty() || values.size_bytes() > most_attribute_bytes) {
    throw std::invalid_argument("attribute must have at least one number and at most 64 KiB");
  }
  write_attribute_of(state_->context("write", detail::attribute_label(object, name)), state_->file.get(), object, name,
                     H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, {values.size()}, values.data());
}

void Hdf5File::write_attribute(std::string_view object, std::string_view name, std::span<float const> values) {
  detail::QuietHdf5 const quiet;
  state_->require_writable();
  if (values.empty() || values.size_bytes() > most_attribute_bytes) {
    throw std::invalid_argument("attribute must have at least one number and at most 64 KiB");
  }
  write_attribute_of(state_->context("write", detail::attribute_label(object, name)), state_->file.get(), object, name,
                     H5T_IEEE_F32LE, H5T_NATIVE_FLOAT, {values.size()}, values.data());
}

void Hdf5File::write_attribute(std::string_view object, std::string_view name, std::span<std::uint8_t const> values) {
  detail::QuietHdf5 const quiet;
  state_->require_writable();
  if (values.empty() || values.size_bytes() > most_attribute_bytes) {
    throw std::invalid_argument("attribute must have at least one number and at most 64 KiB");
  }
  write_attribute_of(state_->context("write", detail::attribute_label(object, name)), state_->file.get(), object, name,
                     H5T_STD_U8LE, H5T_NATIVE_UINT8, {values.size()}, values.data());
}

void Hdf5File::create_table(std::string_view name, std::vector<std::string> const& columns) {
  detail::QuietHdf5 const quiet;
  state_->require_writable();
  detail::check_hdf5_name(name, false);
  if (columns.empty() || std::set<std::string>(columns.begin(), columns.end()).size() != columns.size()) {
    throw std::invalid_argument("table columns need different names");
  }
  auto const context = state_->context("create table", name);
  auto const type = context.own(H5Tcreate(H5T_COMPOUND, columns.size() * sizeof(double)), H5Tclose);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].empty() || columns[i].find('\0') != std::string::npos)
      throw std::invalid_argument("table column without a name");
    context.check(H5Tinsert(type.get(), columns[i].c_str(), i * sizeof(double), H5T_IEEE_F64LE));
  }
  hsize_t const rows = 0;
  hsize_t const unlimited = H5S_UNLIMITED;
  hsize_t const chunk = std::max<std::size_t>(1, table_block_values / columns.size());
  auto const space = context.own(H5Screate_simple(1, &rows, &unlimited), H5Sclose);
  auto const links = link_creation(context, state_->file.get(), name);
  auto const creation = dataset_creation(context);
  context.check(H5Pset_chunk(creation.get(), 1, &chunk));
  auto const dataset = context.own(H5Dcreate2(state_->file.get(), std::string(name).c_str(), type.get(), space.get(),
                                              links.get(), creation.get(), H5P_DEFAULT),
                                   H5Dclose);
  state_->tables.emplace(name, State::OpenTable{columns.size(), 0, {}});
}

void Hdf5File::append_row(std::string_view table, std::span<double const> row) {
  state_->require_writable();
  auto const found = state_->tables.find(table);
  if (found == state_->tables.end()) throw std::invalid_argument("no such table: \"" + std::string(table) + '"');
  auto& open = found->second;
  if (row.size() != open.columns) {
    throw std::invalid_argument("a row of " + std::to_string(row.size()) + " values for a table of " +
                                std::to_string(open.columns) + " columns");
  }
  open.pending.insert(open.pending.end(), row.begin(), row.end());
  if (open.pending.size() >= table_block_values) {
    detail::QuietHdf5 const quiet;
    state_->write_pending_rows(found->first, open);
  }
}

void Hdf5File::State::write_pending_rows(std::string const& name, OpenTable& table) {
  if (table.pending.empty()) return;
  auto const operation = context("append to table", name);
  auto dataset = operation.own(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
  // Rows in memory have the native byte order, and the columns of the file's own type.
  auto const stored = operation.own(H5Dget_type(dataset.get()), H5Tclose);
  auto const memory = operation.own(H5Tget_native_type(stored.get(), H5T_DIR_ASCEND), H5Tclose);
  hsize_t const begin = table.rows_in_file;
  hsize_t const count = table.pending.size() / table.columns;
  hsize_t const total = begin + count;
  operation.check(H5Dset_extent(dataset.get(), &total));
  auto const all = operation.own(H5Dget_space(dataset.get()), H5Sclose);
  operation.check(H5Sselect_hyperslab(all.get(), H5S_SELECT_SET, &begin, nullptr, &count, nullptr));
  auto const block = operation.own(H5Screate_simple(1, &count, nullptr), H5Sclose);
  operation.check(H5Dwrite(dataset.get(), memory.get(), block.get(), all.get(), H5P_DEFAULT, table.pending.data()));
  operation.check(dataset.close());
  table.rows_in_file += count;
  table.pending.clear();
}

}  // namespace karman
