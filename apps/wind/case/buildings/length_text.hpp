// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Lengths in texts, as maps have them.
#pragma once

#include <optional>
#include <string_view>

namespace karman::wind {

/// Metres in a text: a number with a decimal point or comma, in metres without a unit. Units: m, metres, meters; ft,
/// feet, '; and inches after feet, as in 7'4". Blanks count for nothing. Of several lengths with semicolons between
/// them, the greatest. Empty for any other text and for numbers that are not finite.
std::optional<double> metres_in(std::string_view text);

}  // namespace karman::wind
