// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Dates and times of ISO 8601.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace karman::wind {

/// Seconds since 1970-01-01T00:00:00Z of a date with a time: 2026-03-01T14:30, 2026-03-01 14:30:15.5, each with a zone
/// Z, +01:00, +0100 or +01, or without one, which counts as UTC. Empty for other texts and days that do not exist.
std::optional<double> seconds_of(std::string_view text);

/// The text of such a time in UTC, to the second: 2026-03-01T13:30:00Z.
std::string utc_text(double seconds);

}  // namespace karman::wind
