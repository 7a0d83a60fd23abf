// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plain_text.hpp"

#include <algorithm>

namespace karman::detail {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

bool is_control(unsigned byte) { return byte < 0x20 || byte == 0x7f; }

/// Bytes of the character that begins at `at`; 0 where there is none.
std::size_t character_length(std::string_view text, std::size_t at) {
  unsigned const first = byte_at(text, at);
  if (first < 0x80) return 1;
  std::size_t const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() - at < length) return 0;
  // The second byte reveals overlong forms, surrogates and codes beyond U+10FFFF.
  unsigned const low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  unsigned const high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (byte_at(text, at + 1) < low || byte_at(text, at + 1) > high) return 0;
  for (std::size_t n = 2; n < length; ++n) {
    if ((byte_at(text, at + n) & 0xc0) != 0x80) return 0;
  }
  return length;
}

/// U+0080 to U+009F control terminals as well.
bool is_wide_control(std::string_view text, std::size_t at) {
  return byte_at(text, at) == 0xc2 && byte_at(text, at + 1) < 0xa0;
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const length = character_length(text, at);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return is_control(static_cast<unsigned char>(c)); });
}

std::string_view without_blanks(std::string_view text) {
  std::size_t const first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? text.substr(0, 0)
                                         : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

std::string one_line(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t const length = character_length(text, at);
    bool const plain = length == 1 ? !is_control(byte_at(text, at)) : length > 1 && !is_wide_control(text, at);
    if (plain) {
      line += text.substr(at, length);
    } else {
      for (std::size_t n = at; n < at + std::max<std::size_t>(1, length); ++n) {
        line += "\\x";
        line += digits[byte_at(text, n) >> 4];
        line += digits[byte_at(text, n) & 15];
      }
    }
    at += std::max<std::size_t>(1, length);
  }
  return line;
}

std::string shortened(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return std::string(text);
  std::size_t length = most_bytes;
  while (length > 0 && most_bytes - length < 4 && (byte_at(text, length) & 0xc0) == 0x80) --length;
  return std::string(text.substr(0, length)) + "...";
}

bool is_plain_name(std::string_view text) {
  return !text.empty() && !has_control_character(text) && text.front() != ' ' && text.back() != ' ';
}

bool is_hdf5_name(std::string_view text) {
  if (text.size() < 2 || text.front() != '/' || text.find('\0') != std::string_view::npos) return false;
  for (std::size_t begin = 1; begin <= text.size();) {
    std::size_t const end = std::min(text.find('/', begin), text.size());
    std::string_view const component = text.substr(begin, end - begin);
    if (component.empty() || component == "." || component == "..") return false;
    begin = end + 1;
  }
  return true;
}

}  // namespace karman::detail
