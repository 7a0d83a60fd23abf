// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "quic_lines.hpp"

#include "qes_document.hpp"
#include <karman/io/atomic_file.hpp>

#include <algorithm>

namespace karman::wind {
namespace {

constexpr std::size_t longest_label = 200;

}  // namespace

double QuicLine::number(Range const& range) const {
  auto const words = words_of(value);
  return number_in(place, words.empty() ? std::string_view() : words.front(), range);
}

int QuicLine::integer(int low, int high) const {
  auto const words = words_of(value);
  return integer_in(place, words.empty() ? std::string_view() : words.front(), low, high);
}

QuicLines::QuicLines(std::filesystem::path const& path)
    : source_(path.string()), text_(read_text_file(path, most_project_bytes)) {}

bool QuicLines::more() const { return text_.find_first_not_of(" \t\r\n", at_) != std::string::npos; }

QuicLine QuicLines::peek(std::string const& expected) const {
  std::size_t at = at_;
  int line = line_;
  while (at < text_.size()) {
    std::size_t const end = std::min(text_.find('\n', at), text_.size());
    std::string_view const whole = trimmed(std::string_view(text_).substr(at, end - at));
    at = end + 1;
    ++line;
    if (whole.empty()) continue;
    std::size_t const mark = whole.find('!');
    QuicLine found;
    found.value = trimmed(whole.substr(0, mark));
    if (mark != std::string_view::npos) found.label = trimmed(whole.substr(mark + 1, longest_label));
    std::transform(found.label.begin(), found.label.end(), found.label.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    found.place = {source_, line, expected};
    return found;
  }
  refuse({source_, line, expected}, "end of the file", "expected a line");
}

QuicLine QuicLines::next(std::string const& expected) {
  QuicLine line = peek(expected);
  while (line_ < line.place.line) {
    at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
    ++line_;
  }
  return line;
}

double QuicLines::version() {
  QuicLine const head = next("version");
  if (!head.labelled("quic")) refuse(head.place, head.value, "expected !QUIC and its version");
  auto const words = words_of(head.label);
  return words.size() > 1 ? finite_number(words[1]).value_or(0) : 0;
}

}  // namespace karman::wind
