// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cases: JSON files, checked completely against a JSON Schema before a run.
#pragma once

#include <karman/io/error.hpp>

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace karman {

/// Valid case: read, overridden, completed with the defaults of the schema, and checked.
///
/// Case files are JSON with line and block comments of C++. The schema is JSON Schema (draft 7), with these extensions:
/// - `default` values are filled in, also below objects whose own default is {}. In a `oneOf` one
///   member chooses the branch, such as "kind": its value is `const` or a one-word `enum` in each branch. The resolved
///   case is complete.
/// - `integer` also accepts a number without fraction such as 1e3.
/// - Unknown keys are errors with `"additionalProperties": false`.
/// - `"x-form": "name"` requires a text without control characters and without blanks at its ends. `"x-form":
///   "dataset"` requires an absolute name in an HDF5 file. No text has the character U+0000.
/// - `"x-expected": "expected ..."` beside a constraint replaces its message.
///
/// All problems are collected, one per line, with JSON pointer, value and requirement. Duplicate keys, numbers beyond
/// double and nesting deeper than 64 are errors too. Case files are untrusted: any bytes give a valid case or a
/// CaseError. A file that cannot be read gives a FileError.
class Case {
 public:
  /// Reads a case from a file. An override is JSON, or else a string. Missing objects of its pointer are created. "-"
  /// appends to an array; a missing array is empty, because defaults are filled in afterwards.
  /// \param file JSON file
  /// \param schema JSON Schema
  /// \param overrides texts "/pointer=value", applied in order before validation
  /// \return the resolved case
  /// \throws CaseError for a bad case
  /// \throws FileError for a file that cannot be read
  static Case load(std::filesystem::path const& file, std::string_view schema,
                   std::span<std::string const> overrides = {});
  /// Reads a case from a text.
  /// \param text JSON
  /// \param source name of the text in messages
  /// \param schema JSON Schema
  /// \param overrides texts "/pointer=value", applied in order before validation
  /// \return the resolved case
  /// \throws CaseError for a bad case
  static Case parse(std::string_view text, std::string const& source, std::string_view schema,
                    std::span<std::string const> overrides = {});

  Case(Case&&) noexcept;
  Case& operator=(Case&&) noexcept;
  Case(Case const&);
  Case& operator=(Case const&);
  ~Case();

  /// Resolved case. Include <nlohmann/json.hpp> to use it.
  nlohmann::json const& json() const;
  /// Resolved case as indented JSON text; load() of it gives the same case.
  std::string text() const;
  /// Name of the case in messages.
  std::string const& source() const;

  /// True for a value other than null.
  bool has(std::string_view pointer) const;
  /// Number of members of an array or object.
  std::size_t size(std::string_view pointer) const;
  /// Value at a JSON pointer that the schema guarantees.
  /// \tparam T bool, int, std::int64_t, double, std::string, std::vector<double>, std::vector<int>,
  /// std::vector<std::string>, std::array<double, 2 or 3>, std::array<int, 2 or 3>
  /// \param pointer JSON pointer
  /// \return the value
  /// \throws std::logic_error for a missing value or one of another type
  template <class T>
  T get(std::string_view pointer) const;

  /// Problem for a constraint beyond the schema ("a building inside the domain"), with value and line of `pointer`.
  CaseProblem problem(std::string_view pointer, std::string expected) const;
  /// Error with one problem(), for a constraint beyond the schema.
  CaseError error(std::string_view pointer, std::string expected) const;

 private:
  struct State;
  explicit Case(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace karman
