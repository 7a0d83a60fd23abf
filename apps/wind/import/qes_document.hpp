// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Elements of the XML files of QES-Winds, read through pugixml.
#pragma once

#include "foreign_value.hpp"

#include <pugixml.hpp>

#include <filesystem>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace karman::wind {

class QesDocument;

/// An element of a document, or none. Reads values of its children.
class QesElement {
 public:
  QesElement() = default;
  QesElement(QesDocument const& document, pugi::xml_node node) : document_(&document), node_(node) {}

  explicit operator bool() const { return static_cast<bool>(node_); }
  std::string name() const { return node_.name(); }
  ForeignPlace place() const;
  /// Text of the element itself, without blanks at its ends.
  std::string text() const;

  /// The first child with one of these names; later names belong to older versions.
  QesElement child(std::initializer_list<char const*> names) const;
  std::vector<QesElement> children(std::initializer_list<char const*> names) const;
  std::vector<QesElement> children() const;
  /// Throws CaseError where there is no such child.
  QesElement needed(std::initializer_list<char const*> names) const;

  double number(char const* child_name, Range const& range) const;
  double number(char const* child_name, Range const& range, double otherwise) const;
  int integer(char const* child_name, int low, int high, int otherwise) const;
  ForeignFlag flag(char const* child_name, int high, int otherwise) const;
  /// Numbers of all children of this name, in order.
  std::vector<double> numbers(char const* child_name, Range const& range) const;

 private:
  QesDocument const* document_ = nullptr;
  pugi::xml_node node_;
};

/// An XML file.
class QesDocument {
 public:
  /// Throws CaseError for a text that is not well-formed, and FileError for a file that cannot be read.
  explicit QesDocument(std::filesystem::path const& path);
  /// A text that was already read.
  QesDocument(std::string source, std::string text);

  std::string const& source() const { return source_; }
  /// The first element. Throws CaseError unless it has this name. A document of several elements that begins with
  /// `older` has that form of older versions: the result then contains all of them.
  QesElement root(char const* name, std::string_view older = {}) const;
  int line(pugi::xml_node const& node) const;

 private:
  void parse();

  std::string source_, text_;
  pugi::xml_document tree_;
};

/// Most bytes of a project's text file.
inline constexpr std::size_t most_project_bytes = std::size_t{1} << 28;

/// Adds remarks about children that the import does not use: with a reason for those in `reasons`, else as unknown.
void remark_unused(QesElement const& element, std::initializer_list<char const*> used,
                   std::map<std::string_view, std::string_view> const& reasons, ImportRemarks& remarks);

}  // namespace karman::wind
