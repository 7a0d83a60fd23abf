// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Content of a case of `karman poisson`, checked and in the program's own types.
#pragma once

#include "common/case/precision.hpp"
#include "method.hpp"
#include "quantity.hpp"
#include <karman/core/uniform_grid.hpp>
#include <karman/solvers/grid/boundary_options.hpp>
#include <karman/solvers/grid/multigrid_options.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace karman {
class Case;
}

namespace karman::poisson {

using app::Precision;

/// Side condition: p = value, a dp/dn = value (n outwards), or the opposite side continues the domain.
struct SideCondition {
  Boundary kind = Boundary::dirichlet;  ///< not fixed
  Quantity value;
};

/// Cells whose centres lie in the box are solid.
struct SolidBox {
  std::array<double, 3> low{}, high{};
};

/// Boxes at random places, which a seed determines, until this many cells are solid.
struct RandomBoxes {
  double fraction = 0;
  std::array<double, 2> size{};
  std::uint64_t seed = 1;
};

/// Treatment of an incompatible right-hand side of a singular problem.
enum class Compatibility {
  project,  ///< subtract its mean
  require   ///< refuse it
};

struct SolverSettings {
  std::optional<Method> method;  ///< empty: automatic
  Precision precision = Precision::f64;
  double tolerance = 1e-10;  ///< of max |residual| / max |b|
  int max_iterations = 100000;
  std::optional<int> check_every;  ///< empty: the default of the method
  double omega = 1.78;
  MultigridCycle cycle = MultigridCycle::v;
  std::optional<Precision> cycle_precision;  ///< empty: single, and double from where that stalls
  double checkpoint_every = 600;             ///< seconds; 0: only when the run is interrupted
  Compatibility compatibility = Compatibility::project;
};

struct OutputSettings {
  bool p = true, f = true, residual = true, error = true, coefficient = false, solid = true;
  int compression = 0;
};

struct PoissonCase {
  std::string title;
  std::string text;  ///< the resolved case as JSON
  int dimensions = 3;
  UniformGrid grid{{1, 1, 1}, {1, 1, 1}};
  std::array<SideCondition, 6> sides;  ///< in the order of Side
  Quantity right_hand_side;
  Quantity coefficient;
  std::optional<Quantity> exact;
  std::vector<std::variant<SolidBox, RandomBoxes>> solid;
  SolverSettings solver;
  OutputSettings outputs;
  /// The operator of a time-dependent problem: no constant is undetermined, no compatibility is required.
  bool in_time = false;
};

/// Largest number of cells of a case.
inline constexpr std::int64_t most_cells = std::int64_t{1} << 32;

/// Cells up to which a dry run evaluates a case: a moment.
inline constexpr std::int64_t quick_cells = std::int64_t{1} << 21;

/// The JSON Schema of all kinds of problem, and a commented case to start from.
std::string_view schema();
std::string_view example();

/// Reads a case of the problem "poisson" that fits the schema. Checks beyond the schema: numbers of dimensions that
/// agree, formulas, sides that belong together. Throws CaseError with every problem found.
PoissonCase read_poisson_case(Case const& input);

/// Variables of formulas in this many dimensions: "x", "xy" or "xyz".
constexpr Variables variables_of(int dimensions) {
  return Variables("xyz").substr(0, static_cast<std::size_t>(dimensions));
}

}  // namespace karman::poisson
