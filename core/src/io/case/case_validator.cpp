// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only translation unit that includes valijson, which takes long to compile.
#include "case_schema.hpp"
#include "case_text.hpp"

#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <exception>
#include <stdexcept>

namespace karman::detail {
namespace {

void parse_schema(nlohmann::json const& text, valijson::Schema& schema) {
  try {
    valijson::SchemaParser parser;
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(text), schema);
  } catch (std::exception const& error) {
    throw std::logic_error(std::string("case schema: invalid JSON Schema: ") + error.what());
  }
}

/// "<root>", "[buildings]", "[3]" as a JSON pointer.
std::string pointer_of(std::vector<std::string> const& context) {
  std::string pointer;
  for (std::string const& part : context) {
    if (part.size() >= 2 && part.front() == '[')
      pointer = pointer_below(pointer, std::string_view(part).substr(1, part.size() - 2));
  }
  return pointer;
}

}  // namespace

void check_schema(nlohmann::json const& schema) {
  valijson::Schema parsed;
  parse_schema(schema, parsed);
}

std::vector<CaseProblem> validate_with_library(nlohmann::json const& schema, nlohmann::json const& value) {
  valijson::Schema parsed;
  parse_schema(schema, parsed);
  valijson::Validator validator;
  valijson::ValidationResults results;
  std::vector<CaseProblem> problems;
  if (validator.validate(parsed, valijson::adapters::NlohmannJsonAdapter(value), &results)) return problems;
  // The innermost error comes first; the next ones only report that its surroundings are invalid too.
  valijson::ValidationResults::Error error;
  results.popError(error);
  CaseProblem problem;
  problem.pointer = pointer_of(error.context);
  nlohmann::json::json_pointer const at(problem.pointer);
  if (value.contains(at)) problem.value = shown_value(value.at(at));
  problem.expected = error.description;
  problems.push_back(std::move(problem));
  return problems;
}

}  // namespace karman::detail
