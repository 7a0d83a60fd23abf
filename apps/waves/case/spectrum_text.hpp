// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Text of a file with wave spectra, line by line.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace karman::waves {

/// A finite number, also with a plus sign or an exponent of Fortran (1.0D-03). Empty for any other text.
std::optional<double> spectrum_number(std::string_view word);

/// The text without blanks, tabs and carriage returns at its ends.
std::string_view without_margins(std::string_view text);

/// The text for messages: control characters and bytes beyond ASCII become question marks.
std::string printable(std::string_view text);

/// Lines and words of a file.
class SpectrumText {
 public:
  /// Skips a byte-order mark. Throws FileError.
  explicit SpectrumText(std::filesystem::path const& path);

  std::string const& source() const { return source_; }
  /// Number of the current line, from 1.
  int line_number() const { return number_; }
  /// The first line that is not blank.
  std::string_view first_line() const;
  /// Bytes after the current line.
  std::size_t bytes_left() const { return text_.size() - next_; }

  /// Continues with the next line that is neither blank nor begins with `comment`. False at the end of the file.
  bool next_line(char comment);
  /// The same, but throws CaseError at the end of the file.
  void open_line(char comment, std::string_view expected);
  /// The whole current line, without blanks at its ends.
  std::string_view line() const { return line_; }
  /// The next word of the line; empty where there is none.
  std::string_view word();
  /// Ignores the rest of the line.
  void skip_line() { rest_ = {}; }
  /// The next word, of this or a following line. Throws CaseError at the end of the file.
  std::string_view word_across(char comment, std::string_view expected);

  /// Value of a word within limits. Throws CaseError.
  double real(std::string_view word, std::string_view expected, double low, double high) const;
  /// A count of items of at least `least_bytes` each in the rest of the file. Throws CaseError.
  std::size_t count(std::string_view word, std::string_view expected, std::size_t low, std::size_t high,
                    std::size_t least_bytes) const;

  /// Throws CaseError: `source:line: "found": expected ...`.
  [[noreturn]] void fail(std::string_view found, std::string_view expected) const { fail_at(number_, found, expected); }
  [[noreturn]] void fail_at(int line, std::string_view found, std::string_view expected) const;

 private:
  std::string source_, text_;
  std::size_t next_ = 0;
  std::string_view line_, rest_;
  int number_ = 0;
};

}  // namespace karman::waves
