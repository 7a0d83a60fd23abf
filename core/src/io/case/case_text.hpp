// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Case texts as JSON values with their line numbers.
#pragma once

#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace karman::detail {

/// Largest depth of nesting of a case.
constexpr std::size_t most_case_levels = 64;

/// Hash of texts that are looked up by parts of others.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

/// A JSON text and the lines of its values.
struct CaseText {
  nlohmann::json value;
  /// Line of every value by its pointer, counted from 1.
  std::unordered_map<std::string, int, TextHash, std::equal_to<>> lines;
  std::vector<CaseProblem> problems;  ///< syntax error, duplicate keys, too many levels

  /// Line of the value at `pointer` or of the nearest value around it; 0 when there is none.
  int line(std::string_view pointer) const;
};

/// Parses JSON with comments. Never throws because of the text's content: `problems` lists its errors.
CaseText parse_case_text(std::string_view text);

/// Sets one value from "/pointer=value", see Case::load(). Returns the errors, if any.
std::vector<CaseProblem> apply_override(CaseText& text, std::string_view assignment);

/// `pointer` extended by a key, with the escapes of RFC 6901.
std::string pointer_below(std::string_view pointer, std::string_view key);
std::string pointer_below(std::string_view pointer, std::size_t index);

/// A value for a message: a scalar or a short array of scalars as JSON, shortened; else its kind and size.
std::string shown_value(nlohmann::json const& value);

}  // namespace karman::detail
