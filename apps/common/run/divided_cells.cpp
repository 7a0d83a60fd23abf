// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "divided_cells.hpp"

#include "common/case/texts.hpp"

#include <stdexcept>

namespace karman::app {

std::optional<BoxDecomposition> divided_cells(std::array<int, 3> const& cells, int processes) {
  try {
    return BoxDecomposition(cells, processes);
  } catch (std::invalid_argument const&) {
    return {};
  }
}

CannotRun not_divided(std::array<int, 3> const& cells, int processes,
                      std::function<bool(BoxDecomposition const&)> const& fits, char const* pointer) {
  int fewer = processes - 1;
  for (; fewer > 1; --fewer) {
    auto const boxes = divided_cells(cells, fewer);
    if (boxes && (!fits || fits(*boxes))) break;
  }
  return CannotRun(formatted("%d processes do not divide the %d x %d columns of %s: parts begin at even cells; ",
                             processes, cells[0], cells[1], pointer) +
                   (fewer == 1 ? "take one process" : formatted("take %d processes", fewer)));
}

}  // namespace karman::app
