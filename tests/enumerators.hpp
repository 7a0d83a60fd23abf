// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Enumerators of an enum in the spelling of the compiler, and their names in JSON. No Kokkos.
#pragma once

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace karman::test {

/// "east" for Side::east; "" for a value without enumerator.
template <auto value>
constexpr std::string_view spelling() {
  // g++: "... [with auto value = karman::Side::east; ...]", clang: "... [value = karman::Side::east]".
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("value = ") + 8);
  text = text.substr(0, text.find_first_of(";]"));
  if (text.front() == '(') return {};
  return text.substr(text.rfind(':') + 1);
}

template <class Enum>
struct Enumerator {
  Enum value;
  std::string_view spelling;
};

template <class Enum, int... numbers>
std::vector<Enumerator<Enum>> enumerators(std::integer_sequence<int, numbers...>) {
  std::vector<Enumerator<Enum>> result;
  for (Enumerator<Enum> const& one : {Enumerator<Enum>{Enum(numbers), spelling<Enum(numbers)>()}...}) {
    if (!one.spelling.empty()) result.push_back(one);
  }
  return result;
}

/// All enumerators with values from 0 to 31.
template <class Enum>
std::vector<Enumerator<Enum>> enumerators() {
  return enumerators<Enum>(std::make_integer_sequence<int, 32>());
}

/// The names that the JSON declaration of an enum has.
template <class Enum>
std::set<std::string> json_names() {
  std::set<std::string> names;
  for (auto const& one : enumerators<Enum>()) names.insert(nlohmann::json(one.value).template get<std::string>());
  return names;
}

/// JSON has every enumerator under its own name, `automatic` as "auto", and finds it again.
template <class Enum>
void expect_own_names() {
  ASSERT_FALSE(enumerators<Enum>().empty());
  for (auto const& [value, spelling] : enumerators<Enum>()) {
    std::string const name = spelling == "automatic" ? "auto" : std::string(spelling);
    EXPECT_EQ(nlohmann::json(value), name);
    EXPECT_EQ(nlohmann::json(name).template get<Enum>(), value) << name;
  }
}

}  // namespace karman::test
