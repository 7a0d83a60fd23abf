// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The place of results on a map, for programs that follow the CF conventions: QGIS, GDAL, xarray.
#pragma once

#include "wind/case/place/domain_place.hpp"
#include <karman/io/hdf5_file.hpp>

#include <string>

namespace karman::wind {

/// Writes the grid mapping variable /crs with the coordinate system in well-known text. Nothing for an unknown place.
void write_grid_mapping(Hdf5File& file, DomainPlace const& place);

/// Refers a variable over x and y to /crs; nothing for an unknown place.
void map_variable(Hdf5File& file, std::string const& dataset, DomainPlace const& place);

}  // namespace karman::wind
