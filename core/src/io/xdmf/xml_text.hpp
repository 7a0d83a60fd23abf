// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// As much of XML as XDMF files have.
#pragma once

#include "io/mesh_formats/mesh_text.hpp"

#include <map>
#include <string>
#include <vector>

namespace karman::detail {

struct XmlElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  ///< all of it, between children too
  int text_line = 0;
  std::vector<XmlElement> children;
  int line = 0;

  /// The value of the first of these attributes that there is, else `otherwise`.
  std::string attribute(std::initializer_list<char const*> names, std::string const& otherwise = {}) const;
  /// The first child of that name, or null.
  XmlElement const* child(std::string const& wanted) const;
};

/// The root of a document. Comments, declarations and a document type without definitions are passed over; entities are
/// the five of XML and numbers below 128. Not more than 64 elements inside each other. Errors: CaseError.
XmlElement parse_xml(MeshText const& text);

}  // namespace karman::detail
