// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Values in the files of other programs: their places, numbers and ranges.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace karman::wind {

/// Place of a value in a file of another program.
struct ForeignPlace {
  std::string file;
  int line = 0;      ///< from 1; 0: the whole file
  std::string name;  ///< of the element or of the line, may be empty
};

/// An input without a counterpart in Karman, or one with a different meaning.
struct ImportRemark {
  ForeignPlace place;
  std::string text;

  /// "project.xml:12: <halo_x>: text".
  std::string line() const;
};

using ImportRemarks = std::vector<ImportRemark>;

/// Throws CaseError in one line: place, found value and requirement.
[[noreturn]] void refuse(ForeignPlace const& place, std::string_view found, std::string const& expected);

/// Allowed numbers.
struct Range {
  double low, high;
  bool above_low = false;  ///< excludes `low` itself

  /// "expected a number >= 0 and <= 150".
  std::string expected(std::string_view what = "a number") const;
  bool contains(double value) const { return (above_low ? value > low : value >= low) && value <= high; }
};

/// The number in a text without other content, in the notation of C or Fortran ("1.5d0"). Empty for anything else,
/// including infinities.
std::optional<double> finite_number(std::string_view text);

/// The number in a text. Throws CaseError unless it is in the range.
double number_in(ForeignPlace const& place, std::string_view text, Range const& range);
/// The same for a whole number; "2.0" counts as one.
int integer_in(ForeignPlace const& place, std::string_view text, int low, int high);

/// The words of a text, which are separated by blanks.
std::vector<std::string_view> words_of(std::string_view text);
/// The text without blanks at its ends.
std::string_view trimmed(std::string_view text);

/// A whole number from a file with its place, such as a switch of methods.
struct ForeignFlag {
  int value = 0;
  ForeignPlace place;
};

}  // namespace karman::wind
