// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A case with every possible key that the command solves in a moment.
#pragma once

#include <string>

namespace karman::test {

inline std::string const small_wind_case = R"({
  "title": "A block and two small ones",
  "domain": {
    "origin": [74, -72],
    "cells": [50, 48],
    "spacing": [2, 2],
    "layers": { "kind": "stretched", "count": 12, "thickness": 1.6, "ratio": 1.1, "uniform_layers": 4 }
  },
  "wind": {
    "profile": { "kind": "log", "speed": 5, "height": 10, "roughness": 0.1, "obukhov_length": 0 },
    "convention": "nautical", "direction": 270
  },
  "buildings": [
    { "kind": "block", "position": [120, -26], "size": [8, 8, 8], "rotation": 10, "base": 0 },
    { "kind": "array", "position": [140, -26], "count": [1, 2], "spacing": [12, 12], "size": [4, 4, 6], "rotation": 0, "base": 0 }
  ],
  "parameterisations": {
    "upwind_cavity": true, "upwind_model": "mvp", "upwind_inner": "vortex", "upwind_length": 1.5, "upwind_angle": 10,
    "wake": true, "cavity_decay": 1.1, "wake_offset": 0.1, "high_rise": true,
    "street_canyon": true, "canyon_angle": 45, "canyon_least_ratio": 0.65, "canyon_mixing": 0.25,
    "intersection": true, "courtyard": true, "bridge": true, "garage": true, "garage_friction": 0.04,
    "rooftop": "vortex", "rooftop_length": 0.9, "rooftop_height": 0.22, "rooftop_angle": 15,
    "sidewall": true, "sidewall_length": 0.9, "sidewall_width": 0.11, "sidewall_angle": 10,
    "wall_roughness": 0.1, "wall_law": true,
    "vegetation": true, "vegetation_wake": true, "canopy_roughness": 0.1, "windbreak_exponent": 0.4, "windbreak_length": 30
  },
  "solver": {
    "precision": "f64", "walls": "stairs", "method": "sor", "storage": "packed", "omega": "auto", "tolerance": 1e-9,
    "max_iterations": 5000, "check_every": 10, "alpha": [1, 1], "checkpoint_every": 0
  },
  "outputs": {
    "fields": ["faces", "velocity", "flag", "lambda", "divergence"],
    "compression": 1,
    "precision": "auto",
    "region": { "x": [74, 174], "y": [-72, 24], "z": [0, 50] },
    "pedestrian": { "height": 1.75 },
    "geotiff": false, "geopackage": false, "kmz": false,
    "probes": [
      { "kind": "point", "name": "mast", "position": [110, -40, 5] },
      { "kind": "vertical", "name": "tower", "position": [130, -26] },
      { "kind": "line", "name": "street", "from": [105, -26, 3], "to": [155, -26, 3], "samples": 11 },
      { "kind": "plane", "name": "section", "axis": "y", "position": -26 }
    ],
    "watch": { "field": "lambda", "axis": "x", "index": 25, "every": 10 }
  }
}
)";

/// Buildings of every other kind for the same domain, as a JSON array. The last needs the file small_wind_city_file
/// with the text small_wind_city beside the case.
inline std::string const small_wind_shapes = R"([
  { "kind": "polygon", "corners": [[104, -46], [112, -46], [112, -36], [104, -40]],
    "holes": [[[106, -44], [110, -44], [110, -42]]], "height": 6, "base": 0 },
  { "kind": "ellipse", "position": [120, -42], "size": [8, 6, 8], "rotation": 20, "base": 0 },
  { "kind": "courtyard", "position": [136, -40], "size": [12, 12, 6], "court": [4, 4], "sides": 5, "rotation": 0, "base": 0 },
  { "kind": "stack", "position": [150, -40], "rotation": 45, "base": 0,
    "storeys": [{ "shape": "block", "size": [8, 8, 4], "offset": [0, 0] }, { "shape": "ellipse", "size": [6, 6, 4], "offset": [1, 0] }] },
  { "kind": "bridge", "position": [112, -20], "size": [16, 4, 2], "rotation": 0, "base": 4 },
  { "kind": "garage", "position": [132, -16], "size": [12, 10, 8], "storeys": 2, "slab": 1.2, "rotation": 0, "base": 0 },
  { "kind": "geojson", "file": "city.geojson", "height": 6, "levels": "storeys", "level_height": 3, "default_height": 6, "heights_from": "ground",
    "base": 0, "coordinates": "metres", "origin": [0, 0], "outside": "error", "overlaps": "error", "small": "error",
    "crossing": "error" }
])";
inline std::string const small_wind_city_file = "city.geojson";
inline std::string const small_wind_city = R"({ "type": "FeatureCollection", "features": [
  { "type": "Feature", "properties": { "height": 7.5, "storeys": 2 },
    "geometry": { "type": "Polygon", "coordinates": [[[146, -20], [154, -20], [150, -12], [146, -20]]] } }
] }
)";

/// The same building with its height from a raster, small_wind_surface_file with the text small_wind_surface.
inline std::string const small_wind_raster_heights = R"([
  { "kind": "geojson", "file": "city.geojson", "default_height": 6, "base": 0, "coordinates": "metres", "origin": [0, 0],
    "heights": { "raster": "surface.asc", "ground": "heights.asc", "origin": [0, 0], "percentile": 60 },
    "outside": "error", "overlaps": "error", "small": "error", "crossing": "error" }
])";
inline std::string const small_wind_surface_file = "surface.asc";
inline std::string const small_wind_surface = R"(ncols 5
nrows 5
xllcorner 145
yllcorner -21
cellsize 2
107 107 107 107 107
107 107 107 107 107
107 107 107 107 107
107 107 107 107 107
107 107 107 107 107
)";

/// Vegetation of every kind and footprint for the same domain; the files need small_wind_plants_file.
inline std::string const small_wind_vegetation = R"([
  { "kind": "canopy", "height": 5, "attenuation": 1.5,
    "footprint": { "kind": "polygon", "corners": [[80, -60], [96, -60], [96, -50], [80, -50]], "holes": [[[86, -57], [90, -57], [88, -54]]] } },
  { "kind": "tree", "height": 8, "base": 2, "attenuation": 2,
    "footprint": { "kind": "ellipse", "position": [90, -20], "size": [5, 4], "rotation": 20 } },
  { "kind": "trees", "positions": [[90, -30], [90, -36]], "diameter": 4, "height": 7, "base": 2, "attenuation": 2 },
  { "kind": "windbreak", "height": 4, "base": 0, "porosity": 0.5,
    "footprint": { "kind": "rectangle", "position": [82, -10], "size": [2, 20], "rotation": 5 } },
  { "kind": "rows", "height": 2, "attenuation": 2, "attenuation_along": 0.5, "spacing": 3, "row_width": 1, "row_rotation": 30,
    "footprint": { "kind": "rectangle", "position": [100, 10], "size": [10, 12], "rotation": 0 } },
  { "kind": "geojson", "file": "plants.geojson", "plant": "tree", "height": ["tall", "height"], "default_height": 6, "base": 0,
    "attenuation": 1.5, "coordinates": "metres", "origin": [0, 0], "outside": "cut", "overlaps": "error", "small": "error" },
  { "kind": "geojson", "file": "plants.geojson", "plant": "windbreak", "height": 5, "base": 0, "porosity": 0.4,
    "coordinates": "metres", "origin": [0, 0], "outside": "error", "overlaps": "skip", "small": "skip" }
])";
inline std::string const small_wind_plants_file = "plants.geojson";
inline std::string const small_wind_plants = R"({ "type": "FeatureCollection", "name": "plants", "features": [
  { "type": "Feature", "properties": { "height": 9 },
    "geometry": { "type": "Polygon", "coordinates": [[[80, 8], [92, 8], [92, 16], [80, 8]]] } }
] }
)";

/// A building of a file that GDAL reads, for the same domain: small_wind_layer_file with the text small_wind_layer.
inline std::string const small_wind_shapefile = R"([
  { "kind": "shapefile", "file": "layer.geojson", "layer": "roofs", "height": 6, "base": 0,
    "levels": "storeys", "level_height": 3, "default_height": 6, "heights_from": "ground", "coordinates": "metres", "origin": [0, 0],
    "outside": "error", "overlaps": "error", "small": "error",
    "crossing": "error" }
])";
inline std::string const small_wind_layer_file = "layer.geojson";
inline std::string const small_wind_layer = R"({ "type": "FeatureCollection", "name": "roofs",
  "crs": { "type": "name", "properties": { "name": "urn:ogc:def:crs:EPSG::25832" } }, "features": [
  { "type": "Feature", "properties": { "height": 7.5, "storeys": 2 },
    "geometry": { "type": "Polygon", "coordinates": [[[146, -20], [154, -20], [150, -12], [146, -20]]] } }
] }
)";

/// A terrain for the same domain; it needs the file small_wind_heights_file with the text small_wind_heights.
inline std::string const small_wind_terrain =
    R"({ "file": "heights.asc", "origin": [0, 0], "level": 100, "halo": 20, "gaps": "error" })";
inline std::string const small_wind_heights_file = "heights.asc";
inline std::string const small_wind_heights = R"(ncols 6
nrows 5
xllcorner 66
yllcorner -77
cellsize 22
100 100 100.5 101 100.5 100
100 100 101 102 101 100
100 100.5 102 103 102 100
100 100 101 102 101 100
100 100 100 100.5 100 100
)";

}  // namespace karman::test
