// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Codes of boundary nodes in the files of TELEMAC and their conditions for waves.
#pragma once

#include "waves/case/wave_problem.hpp"

#include <optional>

namespace karman::waves {

/// LIHBOR of a label 100 LIHBOR + 10 LIUBOR + LIVBOR as ARTEMIS reads it. 1, 5 and 7 bring waves in: incident waves,
/// prescribed waves, an incident potential. 4 lets waves out, 2 is solid. Empty for any other label.
inline std::optional<BoundaryKind> kind_of_artemis_code(int label) {
  if (label < 100 || label > 999) return std::nullopt;
  switch (label / 100) {
    case 1:
    case 5:
    case 7: return BoundaryKind::incident;
    case 4: return BoundaryKind::open;
    case 2: return BoundaryKind::reflecting;
    default: return std::nullopt;
  }
}

/// Label for such a file. ARTEMIS reads LIHBOR alone; its examples have the same second and third digits.
constexpr int artemis_code(BoundaryKind kind) {
  return kind == BoundaryKind::incident ? 155 : kind == BoundaryKind::open ? 422 : 222;
}

}  // namespace karman::waves
