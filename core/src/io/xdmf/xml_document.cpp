// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "xml_document.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <new>
#include <set>

namespace karman::detail {
namespace {

/// Finds reasons to refuse a document's tree: elements nested too deep, repeated attributes.
class Walk : public pugi::xml_tree_walker {
 public:
  static constexpr int most_inside = 64;

  bool for_each(pugi::xml_node& node) override {
    if (depth() > most_inside && node.type() == pugi::node_element) too_deep = node;
    std::set<std::string_view> names;
    for (pugi::xml_attribute const& attribute : node.attributes()) {
      if (!names.insert(attribute.name()).second) {
        twice = node;
        name = attribute.name();
        break;
      }
    }
    return !too_deep && !twice;
  }

  pugi::xml_node too_deep, twice;
  std::string name;
};

/// True for a text that begins with an entity of XML without definitions, such as "&lt;".
bool is_entity(std::string_view text) {
  std::size_t const end = text.find(';');
  if (end == std::string_view::npos) return false;
  std::string_view const name = text.substr(1, end - 1);
  constexpr std::array<std::string_view, 5> known{"amp", "lt", "gt", "quot", "apos"};
  if (std::find(known.begin(), known.end(), name) != known.end()) return true;
  int code = 0;
  char const* last = name.data() + name.size();
  return name.size() > 1 && name[0] == '#' && std::from_chars(name.data() + 1, last, code).ptr == last && code > 0 &&
         code < 128;
}

std::ptrdiff_t signed_position(std::size_t position) { return static_cast<std::ptrdiff_t>(position); }

}  // namespace

XmlDocument::XmlDocument(MeshText const& text) : text_(text) {
  refuse_extensions();
  std::string_view const all = text_.text();
  // Parsed as a fragment: text outside the root is kept, and found below. Values stay unchanged except for entities.
  // Offsets equal offsets in the text because nothing is converted.
  pugi::xml_parse_result const result = tree_.load_buffer(
      all.data(), all.size(), pugi::parse_escapes | pugi::parse_cdata | pugi::parse_fragment, pugi::encoding_utf8);
  if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
  Walk walk;
  tree_.traverse(walk);
  if (walk.too_deep) {
    fail(walk.too_deep.offset_debug(), "more than " + std::to_string(Walk::most_inside) + " elements inside each other",
         "fewer");
  }
  if (!result) {
    std::size_t const at = std::min(static_cast<std::size_t>(result.offset), all.size());
    std::size_t const opening = all.substr(0, at).rfind('<');
    std::string_view found = at == all.size() ? "end of the file" : all.substr(opening < at ? opening : at, 40);
    fail(result.offset, found.substr(0, found.find('\n')),
         std::string("well-formed XML (") + result.description() + ')');
  }
  if (walk.twice) fail(walk.twice.offset_debug(), "attribute " + walk.name, "every attribute once");
  pugi::xml_node const only = root();
  if (!only) fail(signed_position(all.size()), "end of the file", "an element");
  for (pugi::xml_node const& node : tree_) {
    if (node != only)
      fail(node.offset_debug(), "more than <" + std::string(only.name()) + ">", "one element in the document");
  }
}

void XmlDocument::refuse_extensions() const {
  std::string_view const all = text_.text();
  if (std::size_t const zero = all.find('\0'); zero != std::string_view::npos) {
    fail(signed_position(zero), "a zero byte", "UTF-8 text");
  }
  for (std::size_t at = all.find_first_of("<&"); at < all.size(); at = all.find_first_of("<&", at + 1)) {
    std::string_view const rest = all.substr(at);
    auto const begins = [&](std::string_view mark) { return rest.substr(0, mark.size()) == mark; };
    // The content of comments and declarations is no part of the document; pugixml finds those without an end.
    if (begins("<!--")) at = std::min(all.find("-->", at + 4), all.size() - 1);
    else if (begins("<?")) at = std::min(all.find("?>", at), all.size() - 1);
    else if (begins("<![CDATA[")) at = std::min(all.find("]]>", at), all.size() - 1);
    else if (begins("<!DOCTYPE")) {
      std::size_t const length = std::min(rest.find('>'), rest.size() - 1);
      std::size_t const open = rest.substr(0, length).find('[');
      // Many programs write an empty list of definitions: [].
      if (open != std::string_view::npos && rest.find_first_not_of(" \t\r\n", open + 1) != rest.find(']', open)) {
        fail(signed_position(at), "a document type with definitions", "none");
      }
      at += length;
    } else if (rest[0] == '&' && !is_entity(rest.substr(0, 12))) {
      fail(signed_position(at), rest.substr(0, std::min<std::size_t>(11, rest.find_first_of(";<\"' \n"))),
           "one of the entities of XML, with ; at its end");
    }
  }
}

int XmlDocument::text_line(pugi::xml_node const& element) const {
  for (pugi::xml_node const& child : element) {
    if (child.type() == pugi::node_pcdata) return line(child);
  }
  return line(element);
}

int XmlDocument::line_at(std::ptrdiff_t position) const {
  position = std::max<std::ptrdiff_t>(position, 0);  // negative where pugixml has no position of a node
  if (position < counted_) counted_ = 0, line_ = 1;
  char const* const begin = text_.text().data();
  line_ += std::count(begin + counted_, begin + position, '\n');
  counted_ = position;
  return static_cast<int>(std::min<std::ptrdiff_t>(line_, std::numeric_limits<int>::max()));
}

std::string attribute(pugi::xml_node const& element, std::initializer_list<char const*> names,
                      std::string const& otherwise) {
  for (char const* wanted : names) {
    if (pugi::xml_attribute const found = element.attribute(wanted)) return found.value();
  }
  return otherwise;
}

std::string text_of(pugi::xml_node const& element) {
  std::string text;
  for (pugi::xml_node const& child : element) {
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) text += child.value();
  }
  return text;
}

}  // namespace karman::detail
