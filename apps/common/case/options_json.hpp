// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// JSON of the options that applications share, for read_options().
#pragma once

#include "direction.hpp"
#include "precision.hpp"

#include <nlohmann/json.hpp>

#include <optional>

/// A value, or empty for "auto".
template <class T>
struct nlohmann::adl_serializer<std::optional<T>> {
  static void to_json(json& target, std::optional<T> const& value) {
    if (value) target = *value;
    else target = "auto";
  }
  static void from_json(json const& source, std::optional<T>& value) {
    if (source == "auto") value.reset();
    else value = source.template get<T>();
  }
};

namespace karman::app {

NLOHMANN_JSON_SERIALIZE_ENUM(Precision, {{Precision::f32, "f32"}, {Precision::f64, "f64"}})
NLOHMANN_JSON_SERIALIZE_ENUM(DirectionConvention,
                             {{DirectionConvention::nautical, "nautical"}, {DirectionConvention::travel, "travel"}})

}  // namespace karman::app
