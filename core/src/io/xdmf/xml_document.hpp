// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// XML documents through pugixml, with line numbers and with limits for untrusted files.
#pragma once

#include "io/mesh_formats/mesh_text.hpp"

#include <pugixml.hpp>

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace karman::detail {

/// A document of UTF-8 text with one root element. Refuses, with the line, text that is not well-formed, more than 64
/// nested elements, and repeated attributes of an element. Also refuses document types with definitions,
/// zero bytes, and entities beyond the five of XML and the characters 1 to 127. Ignores declared encodings.
class XmlDocument {
 public:
  /// The text must outlive the document. Errors: CaseError.
  explicit XmlDocument(MeshText const& text);

  pugi::xml_node root() const { return tree_.document_element(); }
  /// Line on which an element or its text begins, from 1 to 2^31 - 1. Cheap for lines in ascending order.
  int line(pugi::xml_node const& node) const { return line_at(node.offset_debug()); }
  /// The line on which the first text of an element begins; of the element where it has none.
  int text_line(pugi::xml_node const& element) const;

 private:
  void refuse_extensions() const;
  int line_at(std::ptrdiff_t position) const;
  [[noreturn]] void fail(std::ptrdiff_t position, std::string_view found, std::string_view expected) const {
    text_.fail(line_at(position), found, expected);
  }

  MeshText const& text_;
  pugi::xml_document tree_;
  mutable std::ptrdiff_t counted_ = 0;  ///< `line_` is the line of this position
  mutable std::ptrdiff_t line_ = 1;
};

/// The value of the first of these attributes that exists, else `otherwise`.
std::string attribute(pugi::xml_node const& element, std::initializer_list<char const*> names,
                      std::string const& otherwise = {});
/// All text of an element, including CDATA and text between its children and comments.
std::string text_of(pugi::xml_node const& element);

}  // namespace karman::detail
