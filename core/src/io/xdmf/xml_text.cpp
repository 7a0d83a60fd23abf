// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "xml_text.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace karman::detail {
namespace {

class XmlParser {
 public:
  explicit XmlParser(MeshText const& text) : source_(text), text_(text.text()) {}

  XmlElement document() {
    if (text_.substr(0, 3) == "\xef\xbb\xbf") position_ = 3;  // a byte order mark
    skip_between();
    XmlElement root = element(0);
    skip_between();
    if (position_ < text_.size()) fail("more after the end of <" + root.name + ">", "one element in the document");
    return root;
  }

 private:
  [[noreturn]] void fail(std::string const& found, std::string const& expected) {
    source_.fail(line_at(position_), found, expected);
  }

  /// Positions only grow, so that lines are counted once.
  int line_at(std::size_t position) {
    line_ += static_cast<int>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                         text_.begin() + static_cast<std::ptrdiff_t>(position), '\n'));
    counted_ = position;
    return line_;
  }

  bool at(std::string_view wanted) const { return text_.substr(position_, wanted.size()) == wanted; }

  void skip_blanks() {
    while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_])) != 0) ++position_;
  }

  void skip_past(std::string_view end, std::string const& what) {
    std::size_t const found = text_.find(end, position_);
    if (found == std::string_view::npos) fail(what, std::string(end) + " at its end");
    position_ = found + end.size();
  }

  /// Comments, declarations, the document type.
  bool skip_aside() {
    if (at("<!--")) skip_past("-->", "a comment");
    else if (at("<?")) skip_past("?>", "a declaration");
    else if (at("<!DOCTYPE")) {
      std::size_t const end = text_.find('>', position_);
      if (text_.substr(position_, end - position_).find('[') != std::string_view::npos) {
        fail("a document type with definitions", "none");
      }
      skip_past(">", "a document type");
    } else {
      return false;
    }
    return true;
  }

  void skip_between() {
    do skip_blanks();
    while (skip_aside());
  }

  std::string name() {
    std::size_t const start = position_;
    auto const part = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':' || c == '-' || c == '.' ||
             (static_cast<unsigned char>(c) & 0x80) != 0;
    };
    while (position_ < text_.size() && part(text_[position_])) ++position_;
    if (position_ == start) {
      fail(start < text_.size() ? '"' + std::string(1, text_[start]) + '"' : "end of the file", "a name");
    }
    return std::string(text_.substr(start, position_ - start));
  }

  void append_character(std::string& out) {
    if (text_[position_] != '&') {
      out += text_[position_++];
      return;
    }
    constexpr std::size_t longest = 10;
    std::string_view const rest = text_.substr(position_ + 1, longest + 1);
    std::size_t const length = rest.find(';');
    std::string const entity(rest.substr(0, std::min(length, longest)));
    if (length == std::string_view::npos) fail("&" + entity, "one of the entities of XML, with ; at its end");
    else if (entity == "amp") out += '&';
    else if (entity == "lt") out += '<';
    else if (entity == "gt") out += '>';
    else if (entity == "quot") out += '"';
    else if (entity == "apos") out += '\'';
    else {
      int code = 0;
      char const* last = entity.data() + entity.size();
      if (entity.size() < 2 || entity[0] != '#' || std::from_chars(entity.data() + 1, last, code).ptr != last ||
          code < 1 || code > 127) {
        fail("&" + entity, "one of the entities of XML");
      }
      out += static_cast<char>(code);
    }
    position_ += length + 2;
  }

  void attributes(XmlElement& element) {
    for (;;) {
      skip_blanks();
      if (position_ >= text_.size()) fail("end of the file", "the end of <" + element.name);
      if (at(">") || at("/>")) return;
      std::string const key = name();
      skip_blanks();
      if (!at("=")) fail("attribute " + key, "its value after =");
      ++position_;
      skip_blanks();
      if (!at("\"") && !at("'")) fail("attribute " + key, "its value in quotes");
      char const quote = text_[position_++];
      std::string value;
      while (position_ < text_.size() && text_[position_] != quote) append_character(value);
      if (position_ >= text_.size()) fail("attribute " + key, "a quote at the end of its value");
      ++position_;
      if (!element.attributes.emplace(key, value).second) fail("attribute " + key, "every attribute once");
    }
  }

  XmlElement element(int depth) {
    if (depth > 64) fail("more than 64 elements inside each other", "fewer");
    if (!at("<")) fail(position_ < text_.size() ? "text" : "end of the file", "an element");
    XmlElement result;
    result.line = line_at(position_);
    ++position_;
    result.name = name();
    attributes(result);
    if (at("/>")) {
      position_ += 2;
      return result;
    }
    ++position_;
    result.text_line = line_at(position_);
    for (;;) {
      if (position_ >= text_.size()) fail("end of the file", "</" + result.name + ">");
      if (skip_aside()) continue;
      if (at("<![CDATA[")) fail("a section of CDATA", "none");
      if (at("</")) {
        position_ += 2;
        if (std::string const closed = name(); closed != result.name) {
          fail("</" + closed + ">", "</" + result.name + ">");
        }
        skip_blanks();
        if (!at(">")) fail("</" + result.name, ">");
        ++position_;
        return result;
      }
      if (at("<")) result.children.push_back(element(depth + 1));
      else append_character(result.text);
    }
  }

  MeshText const& source_;
  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t counted_ = 0;
  int line_ = 1;
};

}  // namespace

std::string XmlElement::attribute(std::initializer_list<char const*> names, std::string const& otherwise) const {
  for (char const* wanted : names) {
    if (auto const found = attributes.find(wanted); found != attributes.end()) return found->second;
  }
  return otherwise;
}

XmlElement const* XmlElement::child(std::string const& wanted) const {
  auto const found =
      std::find_if(children.begin(), children.end(), [&](XmlElement const& c) { return c.name == wanted; });
  return found == children.end() ? nullptr : &*found;
}

XmlElement parse_xml(MeshText const& text) { return XmlParser(text).document(); }

}  // namespace karman::detail
