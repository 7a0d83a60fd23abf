// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Provenance of output files, and the lines of their grids.
#pragma once

#include "common/case/precision.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/io/hdf5_file.hpp>

#include <string>

namespace karman {
class UniformGrid;
}

namespace karman::app {

/// Provenance of an output file.
struct Provenance {
  std::string format;  ///< "karman.wind"
  int format_version = 1;
  std::string title;
  BackendInfo backend;
  Precision precision = Precision::f64;
  std::string case_text;  ///< the resolved case
};

/// Attributes of "/": format, title, versions, commit, compiler, backend, device, precision; and the dataset /case.
void write_provenance(Hdf5File& file, Provenance const& provenance);

/// /grid/x, /grid/y, /grid/z: positions of the faces of the cells, with their units.
void write_grid_lines(Hdf5File& file, UniformGrid const& grid, char const* units);

}  // namespace karman::app
