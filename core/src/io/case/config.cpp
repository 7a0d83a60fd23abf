// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case_schema.hpp"
#include "case_text.hpp"
#include <karman/io/atomic_file.hpp>
#include <karman/io/case_options.hpp>
#include <karman/io/config.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace karman {

using Json = nlohmann::json;

struct Case::State {
  std::string source;
  detail::CaseText text;
};

namespace {

Json const& value_at(Json const& root, std::string_view pointer) {
  try {
    return root.at(Json::json_pointer(std::string(pointer)));
  } catch (Json::exception const&) {
    throw std::logic_error("no value in the case at \"" + std::string(pointer) + '"');
  }
}

/// Adds the lines of the problems, and sorts them in the order of the file.
void locate(std::vector<CaseProblem>& problems, detail::CaseText const& text) {
  for (CaseProblem& problem : problems) {
    if (problem.line == 0) problem.line = text.line(problem.pointer);
  }
  std::stable_sort(problems.begin(), problems.end(),
                   [](CaseProblem const& a, CaseProblem const& b) { return a.line < b.line; });
}

template <class T>
constexpr bool is_sequence = false;
template <class T>
constexpr bool is_sequence<std::vector<T>> = true;
template <class T, std::size_t Size>
constexpr bool is_sequence<std::array<T, Size>> = true;

}  // namespace

Case::Case(std::unique_ptr<State> state) : state_(std::move(state)) {}
Case::Case(Case&&) noexcept = default;
Case& Case::operator=(Case&&) noexcept = default;
Case::Case(Case const& other) : state_(std::make_unique<State>(*other.state_)) {}
Case& Case::operator=(Case const& other) {
  if (this != &other) state_ = std::make_unique<State>(*other.state_);
  return *this;
}
Case::~Case() = default;

Case Case::load(std::filesystem::path const& file, std::string_view schema, std::span<std::string const> overrides) {
  return parse(read_text_file(file), file.string(), schema, overrides);
}

Case Case::parse(std::string_view text, std::string const& source, std::string_view schema_text,
                 std::span<std::string const> overrides) {
  detail::CaseSchema const schema(schema_text);
  auto state = std::make_unique<State>();
  state->source = source;
  state->text = detail::parse_case_text(text);
  if (!state->text.problems.empty()) throw CaseError(source, state->text.problems);
  for (std::string const& assignment : overrides) {
    std::vector<CaseProblem> problems = detail::apply_override(state->text, assignment);
    if (!problems.empty()) throw CaseError(source, std::move(problems));
  }
  schema.complete(state->text.value);
  std::vector<CaseProblem> problems = schema.problems(state->text.value);
  if (!problems.empty()) {
    locate(problems, state->text);
    throw CaseError(source, std::move(problems));
  }
  return Case(std::move(state));
}

Json const& Case::json() const { return state_->text.value; }

std::string Case::text() const { return json().dump(2) + '\n'; }

std::string const& Case::source() const { return state_->source; }

bool Case::has(std::string_view pointer) const {
  Json::json_pointer const at{std::string(pointer)};
  return json().contains(at) && !json().at(at).is_null();
}

std::size_t Case::size(std::string_view pointer) const {
  Json const& value = value_at(json(), pointer);
  if (!value.is_structured())
    throw std::logic_error("no array or object in the case at \"" + std::string(pointer) + '"');
  return value.size();
}

template <class T>
T Case::get(std::string_view pointer) const {
  Json const& value = value_at(json(), pointer);
  auto const wrong = [&]() -> std::logic_error {
    return std::logic_error("the value at \"" + std::string(pointer) + "\" of the case has another type");
  };
  if constexpr (is_sequence<T>) {
    if (!value.is_array()) throw wrong();
    T result{};
    if constexpr (requires { result.resize(value.size()); }) {
      result.resize(value.size());
    } else if (result.size() != value.size()) {
      throw wrong();
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = get<typename T::value_type>(detail::pointer_below(pointer, i));
    }
    return result;
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!value.is_boolean()) throw wrong();
    return value.get<bool>();
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!value.is_string()) throw wrong();
    return value.get<std::string>();
  } else if constexpr (std::is_integral_v<T>) {
    if (!value.is_number_integer()) throw wrong();
    // A schema without bounds admits integers that exceed the type of this program.
    double const number = value.get<double>();
    if (number < static_cast<double>(std::numeric_limits<T>::min()) ||
        number > static_cast<double>(std::numeric_limits<T>::max())) {
      throw error(pointer, "expected an integer from " + std::to_string(std::numeric_limits<T>::min()) + " to " +
                               std::to_string(std::numeric_limits<T>::max()));
    }
    return value.get<T>();
  } else {
    if (!value.is_number()) throw wrong();
    return value.get<T>();
  }
}

template bool Case::get(std::string_view) const;
template int Case::get(std::string_view) const;
template std::int64_t Case::get(std::string_view) const;
template double Case::get(std::string_view) const;
template std::string Case::get(std::string_view) const;
template std::vector<double> Case::get(std::string_view) const;
template std::vector<int> Case::get(std::string_view) const;
template std::vector<std::string> Case::get(std::string_view) const;
template std::array<double, 2> Case::get(std::string_view) const;
template std::array<double, 3> Case::get(std::string_view) const;
template std::array<int, 2> Case::get(std::string_view) const;
template std::array<int, 3> Case::get(std::string_view) const;

CaseProblem Case::problem(std::string_view pointer, std::string expected) const {
  CaseProblem result;
  result.pointer = pointer;
  Json::json_pointer const at{std::string(pointer)};
  // The pointer is enough for an object: its kind is right, and no number of keys helps.
  if (json().contains(at) && !json().at(at).is_object()) result.value = detail::shown_value(json().at(at));
  result.expected = std::move(expected);
  result.line = state_->text.line(pointer);
  return result;
}

CaseError Case::error(std::string_view pointer, std::string expected) const {
  return CaseError(source(), {problem(pointer, std::move(expected))});
}

namespace detail {

Json const& case_value(Case const& input, std::string_view pointer) { return value_at(input.json(), pointer); }

void throw_other_type(std::string_view pointer, char const* reason) {
  throw std::logic_error("the value at \"" + std::string(pointer) + "\" of the case has another type: " + reason);
}

void require_same_values(Case const& input, std::string_view pointer, Json const& read) {
  Json const& value = value_at(input.json(), pointer);
  if (value.is_object() && read.is_object()) {
    for (auto const& [key, member] : read.items()) {
      if (value.contains(key)) require_same_values(input, pointer_below(pointer, key), member);
    }
  } else if (value != read) {
    throw input.error(pointer, "expected a value that this option can hold; the nearest is " + shown_value(read));
  }
}

}  // namespace detail

}  // namespace karman
