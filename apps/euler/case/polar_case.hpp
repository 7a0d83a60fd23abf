// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sweep of a steady flow over Mach numbers and angles of attack.
#pragma once

#include "common/case/study.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>

namespace karman {
class Case;
}

namespace karman::euler {

/// Word of a point, as app::StudyNames has it; files of a sweep.
inline constexpr char const* point_word = "point";
inline constexpr char const* polar_table = "polar.csv";
inline constexpr char const* polar_checkpoint = "polar.checkpoint";

/// The search for an angle with a given lift.
struct LiftSearch {
  double target = 0;        ///< lift coefficient of the first group of forces
  double tolerance = 1e-3;  ///< of it
  int most_solves = 8;
};

/// The points of a sweep, in rows of one Mach number. Each is a case of its own.
struct Polar {
  app::Study points;
  std::size_t row;  ///< points in a row
  std::optional<LiftSearch> search;
};

/// Reads `/sweep`, and checks the case of every point as read_flow_case() does. Throws CaseError, FileError.
Polar read_polar(Case const& input, std::filesystem::path const& folder);

}  // namespace karman::euler
