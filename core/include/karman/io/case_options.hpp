// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of a case as enums and structs that nlohmann/json converts.
#pragma once

#include <karman/io/config.hpp>

#include <nlohmann/json.hpp>

#include <string_view>

namespace karman {

namespace detail {
/// Value at a pointer.
nlohmann::json const& case_value(Case const& input, std::string_view pointer);
/// Throws std::logic_error for a value of another type; `reason` is that of the JSON library.
[[noreturn]] void throw_other_type(std::string_view pointer, char const* reason);
/// Throws CaseError where `read`, a result converted back, differs from the value of the case. Keys of one of them
/// alone do not count.
void require_same_values(Case const& input, std::string_view pointer, nlohmann::json const& read);
}  // namespace detail

/// Reads an enum or a struct from a case, by its one declaration for nlohmann/json.
///
/// Keys that the case lacks keep the default of their member. Keys that the struct lacks are left to other readers. The
/// result is converted back and compared: a text without enumerator or a number beyond the range of its member is
/// an error, even where the schema accepts it.
/// \tparam T type with NLOHMANN_JSON_SERIALIZE_ENUM or NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT
/// \param input case
/// \param pointer JSON pointer of the value
/// \return the value
/// \throws CaseError for a value that T cannot hold
/// \throws std::logic_error for a missing value or one of another type
template <class T>
T read_options(Case const& input, std::string_view pointer) {
  nlohmann::json const& value = detail::case_value(input, pointer);
  T result{};
  try {
    value.get_to(result);
  } catch (nlohmann::json::exception const& error) {
    detail::throw_other_type(pointer, error.what());
  }
  detail::require_same_values(input, pointer, nlohmann::json(result));
  return result;
}

}  // namespace karman
