// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The precision of a run as its case names it.
#pragma once

#include <karman/io/array.hpp>

#include <string_view>

namespace karman::app {

enum class Precision { f32, f64 };

/// "f32" or "f64".
constexpr std::string_view name(Precision precision) { return precision == Precision::f32 ? "f32" : "f64"; }

/// The number type of a field in files.
constexpr ScalarType scalar_type(Precision precision) {
  return precision == Precision::f32 ? ScalarType::float32 : ScalarType::float64;
}

/// Tolerance of a solve where the case has "auto".
constexpr double usual_tolerance(Precision precision) { return precision == Precision::f32 ? 1e-5 : 1e-10; }

/// Bytes of a value.
constexpr int real_size(Precision precision) { return precision == Precision::f32 ? 4 : 8; }

}  // namespace karman::app
