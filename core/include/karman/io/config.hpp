// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cases: JSON files that are checked whole, against a JSON Schema, before anything runs.
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

/// A case that was read, overridden, completed with the schema's defaults and found valid.
///
/// Case files are JSON with // and /* */ comments. The schema is JSON Schema (draft 7); within it:
/// - `default` values are filled in, also below objects whose own default is {} and in the chosen branch of a `oneOf`
///   (chosen by the member whose value is `const` or a one-word `enum` in each branch, such as "kind"), so that the
///   resolved case is complete;
/// - where it says `integer`, a number without fraction such as 1e3 is one;
/// - unknown keys are errors where it says `"additionalProperties": false`;
/// - `"x-form": "name"` asks for a text without control characters and without blanks at its ends, `"x-form":
/// "dataset"`
///   for an absolute name in an HDF5 file; no text has the character U+0000;
/// - `"x-expected": "expected ..."` beside a constraint replaces the words made from it.
/// All problems are collected; each is one line with the JSON pointer, the value and what is allowed. Duplicate keys,
/// numbers beyond double and nesting deeper than 64 are errors too. Case files are untrusted input: any bytes give a
/// valid case or a CaseError (FileError when the file cannot be read at all).
class Case {
 public:
  /// `overrides` are "/pointer=value" texts, applied in order before validation: the value is JSON, or else taken as
  /// a string; missing objects on the way are created, "-" appends to an array (a missing one is empty: its default is
  /// filled in only afterwards).
  static Case load(std::filesystem::path const& file, std::string_view schema,
                   std::span<std::string const> overrides = {});
  /// The same for a text; `source` names it in messages.
  static Case parse(std::string_view text, std::string const& source, std::string_view schema,
                    std::span<std::string const> overrides = {});

  Case(Case&&) noexcept;
  Case& operator=(Case&&) noexcept;
  Case(Case const&);
  Case& operator=(Case const&);
  ~Case();

  /// The resolved case. Include <nlohmann/json.hpp> to use it.
  nlohmann::json const& json() const;
  /// The resolved case as indented JSON text; load()ing it gives the same case.
  std::string text() const;
  std::string const& source() const;

  /// Is there a value other than null?
  bool has(std::string_view pointer) const;
  /// Members of an array or object.
  std::size_t size(std::string_view pointer) const;
  /// The value at a JSON pointer, which the schema promises: std::logic_error when it is not there or not of that
  /// type. T: bool, int, std::int64_t, double, std::string, std::vector<double>, std::vector<int>,
  /// std::vector<std::string>, std::array<double, 2 or 3>, std::array<int, 2 or 3>.
  template <class T>
  T get(std::string_view pointer) const;

  /// The error for what a schema cannot say ("a building inside the domain"): value and line are looked up here.
  CaseProblem problem(std::string_view pointer, std::string expected) const;
  CaseError error(std::string_view pointer, std::string expected) const;

 private:
  struct State;
  explicit Case(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace karman
