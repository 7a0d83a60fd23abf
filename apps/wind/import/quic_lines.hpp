// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lines of the input files of QUIC: a value, then an optional label after an exclamation mark.
#pragma once

#include "foreign_value.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace karman::wind {

/// A line "12 !Height [m]".
struct QuicLine {
  std::string_view value;  ///< text before the label, without blanks at its ends
  std::string label;       ///< text after the mark in lower case, without blanks at its ends
  ForeignPlace place;

  /// True if the label contains this text in lower case.
  bool labelled(std::string_view words) const { return label.find(words) != std::string::npos; }
  double number(Range const& range) const;
  int integer(int low, int high) const;
  ForeignFlag flag(int high) const { return {integer(0, high), place}; }
};

/// The lines of a file in order. Blank lines are skipped.
class QuicLines {
 public:
  /// Throws FileError for a file that cannot be read.
  explicit QuicLines(std::filesystem::path const& path);
  /// A text that was already read.
  QuicLines(std::string source, std::string text) : source_(std::move(source)), text_(std::move(text)) {}

  std::string const& source() const { return source_; }
  bool more() const;
  /// The next line, which stays. Throws CaseError at the end of the file, with the name of the expected value.
  QuicLine peek(std::string const& expected) const;
  /// The next line.
  QuicLine next(std::string const& expected);
  /// The first line, "!QUIC 6.26"; 0 without a number.
  double version();

 private:
  std::string source_, text_;
  std::size_t at_ = 0;
  int line_ = 0;  ///< number of the lines before `at_`
};

}  // namespace karman::wind
