// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Planes of values at the points of a periodic box, from functions and formulas of a case.
#pragma once

#include "common/host_field.hpp"
#include <karman/io/error.hpp>
#include <karman/solvers/vorticity_options.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::turbulence {

/// Values of a function of x and y, (ny, nx).
template <class Function>
std::vector<double> plane_of(VorticitySetup const& setup, Function&& at) {
  auto const [nx, ny] = setup.points;
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny));
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) values.push_back(at(i * setup.lengths[0] / nx, j * setup.lengths[1] / ny));
  }
  return values;
}

/// A plane as a field of a precision.
app::HostField field_of(app::Precision precision, VorticitySetup const& setup, std::vector<double> const& values);

/// Values of a number or a formula in x and y. Adds a problem for a wrong formula and for a value that is not finite,
/// with its point.
std::vector<double> read_plane(Case const& input, std::string const& pointer, VorticitySetup const& setup,
                               std::vector<CaseProblem>& problems);

}  // namespace karman::turbulence
