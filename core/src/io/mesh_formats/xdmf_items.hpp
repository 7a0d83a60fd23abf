// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers of an XDMF document: DataItems in its text and in HDF5 files.
#pragma once

#include "io/xdmf/xml_document.hpp"
#include "mesh_text.hpp"
#include <karman/io/hdf5_file.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace karman::detail {

/// The text in lower case, as names of XDMF are compared.
std::string lower(std::string text);

/// Numbers with the extents of their DataItem.
template <class T>
struct XdmfNumbers {
  std::vector<std::size_t> extents;
  std::vector<T> values;
  int line = 0;
};

/// A document and its HDF5 files, which lie in its folder.
class XdmfItems {
 public:
  XdmfItems(std::filesystem::path const& path, std::size_t most_bytes);

  pugi::xml_node root() const { return document_.root(); }
  MeshText const& text() const { return text_; }
  int line(pugi::xml_node const& element) const { return document_.line(element); }
  /// A child of a Grid, resolved; null where there is none.
  pugi::xml_node part(pugi::xml_node const& grid, char const* name) const {
    pugi::xml_node const child = grid.child(name);
    return child ? resolved(child) : child;
  }
  [[noreturn]] void fail(pugi::xml_node const& element, std::string_view found, std::string_view expected) const {
    text_.fail(document_.line(element), found, expected);
  }

  /// The element itself, or the one that it refers to: Reference="XML" with a path as its text, or a path as Reference.
  /// A path is absolute, with the names of elements and [number] or [@Attribute="value"]. Throws CaseError for another
  /// path, for one that leads nowhere, to another kind of element, or in a circle.
  pugi::xml_node resolved(pugi::xml_node const& element) const;
  /// The DataItem of an element, which needs one; resolved.
  pugi::xml_node only_item(pugi::xml_node const& parent) const;
  static bool is_hdf(pugi::xml_node const& item);
  /// File and dataset of "waves.h5:/mesh/nodes".
  std::pair<std::filesystem::path, std::string> location(pugi::xml_node const& item) const;
  Hdf5File const& open(std::filesystem::path const& name);

  /// The numbers of a DataItem, of double or std::int64_t.
  template <class T>
  XdmfNumbers<T> numbers(pugi::xml_node const& given);
  /// Requires n rows of `columns`, or all in one row.
  template <class T>
  void require_rows(XdmfNumbers<T> const& data, std::size_t columns, std::string const& expected) const {
    bool const table = data.extents.size() == 2 && data.extents[1] == columns;
    bool const flat = data.extents.size() == 1 && data.extents[0] % columns == 0;
    if (!table && !flat) text_.fail(data.line, std::to_string(data.values.size()) + " numbers", expected);
  }

 private:
  /// The element at an absolute path. `from` refers to it.
  pugi::xml_node at_path(pugi::xml_node const& from, std::string_view path) const;
  template <class T>
  std::vector<T> dataset(Hdf5File const& file, std::string const& name, int line) const;

  std::filesystem::path path_;
  MeshText text_;
  XmlDocument document_;
  std::map<std::filesystem::path, Hdf5File> files_;
};

extern template XdmfNumbers<double> XdmfItems::numbers(pugi::xml_node const& item);
extern template XdmfNumbers<std::int64_t> XdmfItems::numbers(pugi::xml_node const& item);

}  // namespace karman::detail
