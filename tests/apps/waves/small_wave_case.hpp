// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cases of karman waves that are solved in a moment. Together they contain every possible key.
#pragma once

#include <karman/io/hdf5_file.hpp>
#include <karman/io/mesh_files.hpp>
#include <karman/mesh/mesh_generators.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace karman::test {

/// The mesh of small.msh, 20 m x 10 m.
inline MeshData small_mesh() { return mesh_rectangle({{0, 0}, {20, 10}, 2, DiagonalPattern::alternating}); }

/// The same with mud in the east, x > 10 m, and a region without a name in the rest.
inline MeshData two_regions() {
  MeshData mesh = small_mesh();
  for (std::size_t n = 0; n < mesh.triangles.size(); ++n) {
    double x = 0;
    for (int node : mesh.triangles[n]) x += mesh.nodes[static_cast<std::size_t>(node)][0] / 3;
    mesh.regions[n] = x > 10 ? 2 : 7;
  }
  mesh.region_names = {{2, "mud"}};
  return mesh;
}

/// The depth in depth.h5, by node.
inline double small_depth(double x, double y) { return 2 + 0.05 * x + 0.02 * y; }

/// Writes spectrum.csv, small.msh, regions.msh, soundings.csv around them, depth.h5 with /depth and /friction (one
/// value per node), /triangles (one value per triangle), and unusable datasets.
inline void write_small_files(std::filesystem::path const& folder) {
  MeshData const mesh = small_mesh();
  MeshWriteOptions overwriting;
  overwriting.overwrite = Overwrite::yes;
  write_mesh(folder / "small.msh", mesh, overwriting);
  write_mesh(folder / "regions.msh", two_regions(), overwriting);
  std::ofstream soundings(folder / "soundings.csv");
  soundings << "x,y,h\n# soundings on a plane\n";
  for (int j = -1; j <= 4; ++j)
    for (int i = -1; i <= 8; ++i) {
      double const x = 3 * i + 0.3 * j, y = 3 * j + 0.1 * i;
      soundings << x << ", " << y << "; " << small_depth(x, y) << '\n';
    }
  std::vector<double> depth, triangles(mesh.triangles.size(), 3);
  for (auto const& node : mesh.nodes) depth.push_back(small_depth(node[0], node[1]));
  std::vector<float> const narrow(depth.begin(), depth.end());
  std::vector<double> bad = depth;
  bad[3] = std::numeric_limits<double>::quiet_NaN();
  std::vector<int> const whole(depth.size(), 3);
  std::vector<double> const friction(depth.size(), 0.02);
  std::ofstream(folder / "spectrum.csv")
      << "station,time,frequency (Hz),energy density (m2/Hz)\n"
         "bay,2020-01-01,0.1,0.1\nbay,2020-01-01,0.14,0.2\nbay,2020-01-01,0.18,0.05\n";
  Hdf5File file = Hdf5File::create(folder / "depth.h5", Overwrite::yes);
  file.write("/depth", depth.data(), {depth.size()});
  file.write("/friction", friction.data(), {friction.size()});
  file.write("/narrow", narrow.data(), {narrow.size()});
  file.write("/triangles", triangles.data(), {triangles.size()});
  file.write("/bad", bad.data(), {bad.size()});
  file.write("/short", depth.data(), {5});
  file.write("/whole", whole.data(), {whole.size()});
  file.commit();
}

/// Every option that fits into one case.
inline std::string const small_wave_case = R"json({
  "title": "A small basin",
  "mesh": { "kind": "rectangle", "low": [0, 0], "high": [40, 20], "size": 2, "diagonals": "alternating" },
  "bathymetry": { "depth": 3, "tide": 0.5, "least_depth": 1 },
  "boundaries": {
    "west": { "kind": "incident", "radius": 0 },
    "east": { "kind": "open", "radius": 0 },
    "south": { "kind": "reflecting", "reflection": 0.9, "phase": 10, "angle": 80 },
    "others": { "kind": "reflecting", "reflection": 1, "phase": 0, "angle": "auto" }
  },
  "waves": {
    "kind": "regular", "period": 6, "height": 0.5, "direction": 265, "phase": 30, "convention": "nautical",
    "refraction": { "kind": "parallel_contours", "depth": 3.5, "across": 0 },
    "coast": { "kind": "none" }
  },
  "friction": { "kind": "quadratic", "coefficient": 0.05 },
  "breaking": { "kind": "dally", "decay": 0.15, "stable": 0.4 },
  "extended": true,
  "amplitude_dispersion": false,
  "gauges": [{ "name": "middle", "at": [21, 9] }, { "name": "end", "at": [39, 9] }],
  "sections": [
    { "name": "along", "from": [0, 10], "to": [40, 10], "count": 21,
      "reference": { "amplification": 1, "label": "no losses" },
      "measured": { "label": "by nobody", "points": [[0, 1], [40, 0.5]] } }
  ],
  "solver": {
    "method": "direct", "preconditioner": "auto", "precision": "f64", "tolerance": 1e-9, "max_iterations": 500,
    "restart": 50, "fill_level": 4, "library": "auto", "fall_back": true, "assembly": "auto", "lumping": 0.5,
    "checkpoint_every": 600,
    "picard": { "max_iterations": 40, "tolerance": 1e-4, "relaxation": 0.8 }
  },
  "outputs": {
    "fields": ["elevation", "height", "phase", "direction", "wave_number", "celerity", "group_celerity", "energy_flux",
      "bed_velocity", "dissipation", "breaking_fraction", "radiation_stress"],
    "components": "all", "animation_frames": 6, "compression": 1, "selafin": true,
    "surface_series": { "duration": 30, "step": 0.5, "seed": 3 }
  }
}
)json";

/// A case with waves through an open side of a mesh; `more` are members of the case.
inline std::string open_water(std::string const& mesh, std::string const& more) {
  return R"json({ "mesh": )json" + mesh + R"json(, "bathymetry": { "depth": 5 },
    "boundaries": { "others": { "kind": "incident" } }, )json" +
         more + "}";
}

/// regions.msh with values by region of a law of friction.
inline std::string on_two_regions(std::string const& law) {
  return R"json({ "mesh": { "kind": "file", "file": "regions.msh" }, "bathymetry": { "depth": 3 },
    "boundaries": { "west": { "kind": "incident" }, "others": { "kind": "reflecting" } },
    "waves": { "kind": "regular", "period": 8, "height": 1, "direction": 270 },
    "friction": { "kind": )json" +
         law + R"json({ "kind": "regions", "values": { "mud": 0.04, "7": 0.01 } } } })json";
}

/// All of them; the first is small_wave_case.
inline std::vector<std::string> small_wave_cases() {
  std::string const regular = R"json("waves": { "kind": "regular", "period": 8, "height": 1, "direction": 270 })json";
  return {
      small_wave_case,
      open_water(R"json({ "kind": "channel", "length": 40, "width": 10, "size": 2, "diagonals": "left" })json",
                 R"json("waves": {
          "kind": "list", "coherent": true, "convention": "nautical",
          "refraction": { "kind": "none" }, "coast": { "kind": "none" },
          "waves": [
            { "period": 6, "height": 0.5, "direction": 270, "phase": 0 },
            { "period": 6, "height": 0.2, "direction": 250, "phase": 90 },
            { "period": 9, "height": 0.3, "direction": 280, "phase": 0 }
          ]
        },
        "friction": { "kind": "linear", "rate": 0.001 },
        "breaking": { "kind": "none" })json"),
      open_water(R"json({ "kind": "disc", "radius": 20, "size": 2, "center": [5, 5] })json",
                 R"json("waves": {
          "kind": "spectrum", "shape": "jonswap", "convention": "travel", "significant_height": 0.5, "peak_period": 7,
          "peak_enhancement": 3.3, "direction": 20, "spreading": 10, "periods": 3, "directions": 2,
          "refraction": { "kind": "none" }, "coast": { "kind": "none" }
        },
        "friction": { "kind": "rough", "roughness": 0.05 },
        "breaking": { "kind": "battjes_janssen", "index": 0.8, "strength": 1 })json"),
      R"json({
        "mesh": {
          "kind": "rectangular_harbour", "length": 30, "width": 10, "sea_radius": 20, "mouth_size": 2, "back_size": 3,
          "sea_size": 4, "growth": 0.2
        },
        "bathymetry": { "depth": "4 + 0.01 * x" },
        "boundaries": {
          "open": { "kind": "incident", "radius": 20 }, "coast": { "kind": "reflecting" },
          "quay": { "kind": "reflecting" }, "4": { "kind": "reflecting", "reflection": 0.5 }
        },
        "waves": {
          "kind": "period_scan", "convention": "travel", "from": 8, "to": 20, "count": 4, "spacing": "period",
          "height": 0.1, "direction": 180, "refraction": { "kind": "none" },
          "coast": { "kind": "straight", "along": 90 }
        },
        "friction": { "kind": "none" },
        "gauges": [{ "name": "back", "at": [-29.5, 0] }]
      })json",
      open_water(R"json({ "kind": "annulus", "inner_radius": 10, "outer_radius": 25, "inner_size": 2, "outer_size": 3,
                   "center": [0, 0] })json",
                 regular),
      open_water(R"json({ "kind": "island", "shore_radius": 10, "shelf_radius": 20, "sea_radius": 40, "shore_size": 2,
                   "sea_size": 4, "center": [0, 0] })json",
                 regular),
      R"json({
        "mesh": {
          "kind": "polygon", "size": 3,
          "outer": [
            { "at": [20, 0], "label": "sea", "arc": { "center": [0, 0], "turn": "left" } },
            { "at": [-20, 0], "label": "quay" }, { "at": [-20, -20], "label": "quay" },
            { "at": [20, -20], "label": "beach" }
          ],
          "holes": [[
            { "at": [-4, -14], "label": "pile" }, { "at": [0, -17], "label": "pile" },
            { "at": [4, -14], "label": "pile", "arc": { "center": [0, -14], "turn": "left" } }
          ]]
        },
        "bathymetry": { "depth": 5 },
        "boundaries": { "sea": { "kind": "incident", "radius": 20 }, "others": { "kind": "reflecting" } },
        "waves": { "kind": "regular", "period": 8, "height": 1, "direction": 0 }
      })json",
      R"json({
        "mesh": { "kind": "file", "file": "small.msh", "unit": 1, "coordinates": "plane", "zone": 1, "plane": "xy",
          "scale": 1, "flip": "none", "merge": false },
        "bathymetry": {
          "depth": { "kind": "soundings", "file": "soundings.csv", "positive": "down", "outside": "nearest" }
        },
        "boundaries": { "west": { "kind": "incident" }, "others": { "kind": "reflecting" } },
        "waves": { "kind": "regular", "period": 8, "height": 1, "direction": 270 },
        "friction": { "kind": "linear", "rate": { "kind": "file", "file": "depth.h5", "dataset": "/friction" } }
      })json",
      R"json({
        "mesh": { "kind": "file", "file": "small.msh" },
        "bathymetry": { "depth": { "kind": "file", "file": "depth.h5", "dataset": "/depth", "positive": "down" } },
        "boundaries": { "west": { "kind": "incident" }, "others": { "kind": "reflecting" } },
        "waves": { "kind": "regular", "period": 8, "height": 1, "direction": 270 },
        "friction": { "kind": "quadratic", "coefficient": { "kind": "file", "file": "depth.h5", "dataset": "/friction" } }
      })json",
      on_two_regions(R"json("linear", "rate": )json"),
      on_two_regions(R"json("quadratic", "coefficient": )json"),
      on_two_regions(R"json("rough", "roughness": )json"),
      R"json({
        "mesh": { "kind": "file", "file": "small.msh", "refine": 1 },
        "bathymetry": { "depth": "3 + 0.1 * x" },
        "boundaries": { "west": { "kind": "incident" }, "others": { "kind": "reflecting" } },
        "waves": { "kind": "regular", "period": 8, "height": 1, "direction": 270 },
        "friction": { "kind": "rough", "roughness": { "kind": "file", "file": "depth.h5", "dataset": "/friction" } }
      })json",
      open_water(R"json({ "kind": "rectangle", "low": [0, 0], "high": [40, 20], "size": 2 })json",
                 R"json("waves": {
          "kind": "spectrum_file", "file": "spectrum.csv", "convention": "nautical", "location": "bay",
          "time": "2020-01-01", "direction": 250, "spreading": 12, "missing": -999, "periods": 3, "directions": 2,
          "refraction": { "kind": "none" }, "coast": { "kind": "none" }
        },
        "gauges": [{ "name": "middle", "at": [21, 9] }],
        "outputs": { "surface_series": { "duration": 60, "step": 1, "seed": 2 } })json")};
}

}  // namespace karman::test
