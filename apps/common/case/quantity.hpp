// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A quantity of a case: a number, a formula, or a dataset of an HDF5 file.
#pragma once

#include "expression.hpp"

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace karman {
class Case;
class UniformGrid;
struct CaseProblem;
}  // namespace karman

namespace karman::app {

/// One value in each cell of a grid, (k, j, i), x fastest.
using CellValues = std::vector<double>;

struct Quantity {
  std::string pointer;  ///< its place in the case
  double constant = 0;
  std::optional<Expression> expression;
  std::filesystem::path file;  ///< empty: none
  std::string dataset;

  bool is_constant() const { return !expression && file.empty(); }
  bool from_file() const { return !file.empty(); }
  /// True if it depends on this variable. A file depends on x, y and z.
  bool depends_on(char variable) const;
};

/// Reads `{number}`, `"formula"`, `{"kind": "file", "file": ..., "dataset": ...}` at a pointer. Errors of a formula go
/// to `problems`. Relative paths start at the folder of the case.
Quantity read_quantity(Case const& input, std::string const& pointer, Variables variables,
                       ExpressionConstants const& constants, std::vector<CaseProblem>& problems);

/// The same at several pointers, in a domain of this size. Throws CaseError with all problems.
std::vector<Quantity> read_quantities(Case const& input, std::vector<std::string> const& pointers, Variables variables,
                                      ExpressionConstants const& constants);

/// Place of a value that is not finite or out of range.
struct BadValue {
  std::array<int, 3> cell{};  ///< (k, j, i)
  Point point;
  double value = 0;
};

/// Calls `point_of(k, j, i)` for all indices below `extents` (nk, nj, ni), evaluates the formula there and stores the
/// values. Returns the first value, in storage order, for which `good` is false. Uses several threads.
std::optional<BadValue> evaluate(Expression const& expression, std::array<int, 3> const& extents,
                                 std::function<Point(int, int, int)> const& point_of,
                                 std::function<bool(double)> const& good, CellValues& values);

/// Indices (k, j, i) in the whole grid from those in a part of it.
std::array<int, 3> in_whole(UniformGrid const& grid, std::array<int, 3> const& cell);

/// The quantity at the centres of the cells of a grid or a part of it. Throws CaseError with the cell and the point of
/// the first value that is not finite (for `positive`: not > 0). For files: FileError when one cannot be read,
/// CaseError when its dataset has other extents or no real numbers.
CellValues cell_values(Case const& input, Quantity const& quantity, UniformGrid const& grid, bool positive = false,
                       double time = 0);

/// Throws the error for a bad value, with index, position and value. `place`: "cell", "x-face".
[[noreturn]] void throw_bad_value(Case const& input, Quantity const& quantity, BadValue const& bad, char const* place,
                                  char const* expected);

}  // namespace karman::app
