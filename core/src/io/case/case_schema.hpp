// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A JSON Schema that completes cases with its defaults and describes the allowed values in words.
#pragma once

#include <karman/io/error.hpp>

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace karman::detail {

class CaseSchema {
 public:
  /// Throws std::logic_error when the text is no schema: an error of the application, not of the user.
  explicit CaseSchema(std::string_view text);

  /// Adds defaults. Turns numbers without fraction into integers where the schema requires integers.
  void complete(nlohmann::json& value) const { complete(root_, value, 0); }

  /// All errors, without line numbers.
  std::vector<CaseProblem> problems(nlohmann::json const& value) const;

 private:
  using Json = nlohmann::json;

  Json const& resolved(Json const& schema) const;
  void complete(Json const& schema, Json& value, std::size_t level) const;
  /// The branch of a `oneOf` or `anyOf` that fits a value by its type or by a member such as "kind"; or null.
  Json const* chosen_branch(Json const& branches, Json const& value) const;
  /// The values that a schema fixes by `const` or `enum`; none of another schema. They lie in the schema.
  static std::span<Json const> fixed_values(Json const& schema);
  /// The same of the target of a reference.
  std::span<Json const> fixed_of(Json const& given) const;
  bool has_type(Json const& schema, Json const& value) const;

  /// "a number > 0", "numbers > 0", with `expected` not yet before it.
  std::string words(Json const& schema, bool plural, std::size_t level) const;
  std::string expected(Json const& schema) const;

  void explain(Json const& schema, Json const& value, std::string const& pointer, std::size_t level,
               std::vector<CaseProblem>& problems) const;
  void explain_choice(Json const& branches, Json const& value, std::string const& pointer,
                      std::vector<CaseProblem>& problems) const;
  void explain_object(Json const& schema, Json const& value, std::string const& pointer, std::size_t level,
                      std::vector<CaseProblem>& problems) const;
  void explain_array(Json const& schema, Json const& value, std::string const& pointer, std::size_t level,
                     std::vector<CaseProblem>& problems) const;

  void find_targets(Json const& schema);

  Json root_;
  std::unordered_map<Json const*, Json const*> targets_;  ///< of the schemas with a reference
};

/// The first error that the schema library finds, in its own words; empty when the value is valid.
std::vector<CaseProblem> validate_with_library(nlohmann::json const& schema, nlohmann::json const& value);
/// Throws std::logic_error when the library does not accept the schema.
void check_schema(nlohmann::json const& schema);

/// Number of insertions, deletions, replacements and swaps of neighbours between two words.
std::size_t edit_distance(std::string_view a, std::string_view b);
/// The known word closest to `word`, or "" when none is close.
std::string nearest_word(std::string_view word, std::vector<std::string> const& known);

}  // namespace karman::detail
