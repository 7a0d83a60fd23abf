// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "qes_document.hpp"

#include <karman/io/atomic_file.hpp>

#include <algorithm>
#include <new>
#include <set>
#include <utility>

namespace karman::wind {

ForeignPlace QesElement::place() const {
  if (!node_) return {document_ == nullptr ? "" : document_->source(), 0, ""};
  if (name().empty()) return {document_->source(), 0, ""};
  return {document_->source(), document_->line(node_), '<' + name() + '>'};
}

std::string QesElement::text() const {
  std::string all;
  for (pugi::xml_node const& part : node_) {
    if (part.type() == pugi::node_pcdata || part.type() == pugi::node_cdata) all += part.value();
  }
  return std::string(trimmed(all));
}

QesElement QesElement::child(std::initializer_list<char const*> names) const {
  for (char const* name : names) {
    if (pugi::xml_node const found = node_.child(name)) return {*document_, found};
  }
  return {};
}

std::vector<QesElement> QesElement::children(std::initializer_list<char const*> names) const {
  std::vector<QesElement> found;
  for (QesElement const& each : children()) {
    if (std::any_of(names.begin(), names.end(), [&](char const* name) { return each.name() == name; }))
      found.push_back(each);
  }
  return found;
}

std::vector<QesElement> QesElement::children() const {
  std::vector<QesElement> found;
  for (pugi::xml_node const& node : node_) {
    if (node.type() == pugi::node_element) found.emplace_back(*document_, node);
  }
  return found;
}

QesElement QesElement::needed(std::initializer_list<char const*> names) const {
  QesElement const found = child(names);
  if (!found) refuse(place(), "", "expected <" + std::string(*names.begin()) + "> inside");
  return found;
}

double QesElement::number(char const* child_name, Range const& range) const {
  QesElement const found = needed({child_name});
  return number_in(found.place(), found.text(), range);
}

double QesElement::number(char const* child_name, Range const& range, double otherwise) const {
  QesElement const found = child({child_name});
  return found ? number_in(found.place(), found.text(), range) : otherwise;
}

int QesElement::integer(char const* child_name, int low, int high, int otherwise) const {
  QesElement const found = child({child_name});
  return found ? integer_in(found.place(), found.text(), low, high) : otherwise;
}

ForeignFlag QesElement::flag(char const* child_name, int high, int otherwise) const {
  QesElement const found = child({child_name});
  return {integer(child_name, 0, high, otherwise), found ? found.place() : place()};
}

std::vector<double> QesElement::numbers(char const* child_name, Range const& range) const {
  std::vector<double> values;
  for (QesElement const& each : children({child_name})) {
    std::string const text = each.text();
    for (std::string_view const word : words_of(text)) values.push_back(number_in(each.place(), word, range));
  }
  return values;
}

QesDocument::QesDocument(std::filesystem::path const& path)
    : source_(path.string()), text_(read_text_file(path, most_project_bytes)) {
  parse();
}

QesDocument::QesDocument(std::string source, std::string text) : source_(std::move(source)), text_(std::move(text)) {
  parse();
}

void QesDocument::parse() {
  // pugixml expands no entities but the five of XML and characters, and loads nothing that a text names.
  pugi::xml_parse_result const result =
      tree_.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
  if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
  if (result) return;
  auto const at = std::clamp<std::ptrdiff_t>(result.offset, 0, static_cast<std::ptrdiff_t>(text_.size()));
  int const line = 1 + static_cast<int>(std::count(text_.begin(), text_.begin() + at, '\n'));
  refuse({source_, line, ""}, std::string_view(text_).substr(static_cast<std::size_t>(at), 20),
         std::string("expected well-formed XML: ") + result.description());
}

QesElement QesDocument::root(char const* name, std::string_view older) const {
  pugi::xml_node const found = tree_.document_element();
  if (found && !older.empty() && found.name() == older) return {*this, tree_};
  if (!found || std::string_view(found.name()) != name) {
    refuse({source_, found ? line(found) : 0, ""}, found ? found.name() : "",
           "expected <" + std::string(name) + "> as the outermost element");
  }
  return {*this, found};
}

int QesDocument::line(pugi::xml_node const& node) const {
  auto const at = std::clamp<std::ptrdiff_t>(node.offset_debug(), 0, static_cast<std::ptrdiff_t>(text_.size()));
  return 1 + static_cast<int>(std::count(text_.begin(), text_.begin() + at, '\n'));
}

void remark_unused(QesElement const& element, std::initializer_list<char const*> used,
                   std::map<std::string_view, std::string_view> const& reasons, ImportRemarks& remarks) {
  std::set<std::string> seen;
  for (QesElement const& each : element.children()) {
    std::string const name = each.name();
    if (std::any_of(used.begin(), used.end(), [&](char const* known) { return name == known; })) continue;
    if (!seen.insert(name).second) continue;
    auto const reason = reasons.find(name);
    if (reason == reasons.end()) remarks.push_back({each.place(), "unknown element, left out"});
    else if (!reason->second.empty()) remarks.push_back({each.place(), std::string(reason->second)});
  }
}

}  // namespace karman::wind
