// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cases of karman euler that are solved in a moment. Together they contain every possible key.
#pragma once

#include <karman/io/hdf5_file.hpp>
#include <karman/io/mesh_files.hpp>
#include <karman/mesh/mesh_generators.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace karman::test {

/// A result of karman euler: a flow at each node of a mesh, (density, velocity in x and y, pressure) of its place.
template <class Flow>
void write_flow_result(std::filesystem::path const& path, MeshData const& mesh, Flow const& flow, double gamma = 1.4) {
  Hdf5File file = Hdf5File::create(path, Overwrite::yes);
  file.write_attribute("/", "format", "karman.euler");
  file.write_attribute("/", "gamma", gamma);
  write_mesh(file, "/mesh", mesh);
  std::vector<double> density, velocity, pressure;
  for (auto const& [x, y] : mesh.nodes) {
    std::array<double, 4> const state = flow(x, y);
    density.push_back(state[0]);
    velocity.insert(velocity.end(), {state[1], state[2], 0.0});
    pressure.push_back(state[3]);
  }
  file.write("/fields/density", density.data(), {density.size()});
  file.write("/fields/velocity", velocity.data(), {density.size(), std::size_t{3}});
  file.write("/fields/pressure", pressure.data(), {density.size()});
  file.commit();
}

/// Writes small.mesh, 2 m x 1 m; its labels are numbers. Writes small_flow.h5, a flow on that mesh, and files that
/// cannot be a start.
inline void write_small_flow_files(std::filesystem::path const& folder) {
  MeshWriteOptions overwriting;
  overwriting.overwrite = Overwrite::yes;
  MeshData const mesh = mesh_rectangle({{0, 0}, {2, 1}, 0.25, DiagonalPattern::alternating});
  write_mesh(folder / "small.mesh", mesh, overwriting);
  using State = std::array<double, 4>;
  write_flow_result(folder / "small_flow.h5", mesh, [](double x, double y) { return State{1.2 + x, 1, y, 1e5}; });
  write_flow_result(folder / "vacuum.h5", mesh, [](double x, double) { return State{x - 0.3, 0, 0, 1e5}; });
  write_flow_result(folder / "cold.h5", mesh, [](double, double y) { return State{1.2, 0, 0, 1e5 * (0.4 - y)}; });
  write_flow_result(folder / "endless.h5", mesh, [](double x, double) { return State{1.2, 1 / (x - 1), 0, 1e5}; });
  write_flow_result(folder / "far_away.h5", mesh_rectangle({{5, 5}, {6, 6}, 0.5, DiagonalPattern::alternating}),
                    [](double, double) { return State{1.2, 0, 0, 1e5}; });
  for (char const* const without : {"no_fields.h5", "no_mesh.h5", "short.h5"}) {
    Hdf5File file = Hdf5File::create(folder / without, Overwrite::yes);
    file.write_attribute("/", "format", "karman.euler");
    file.write_attribute("/", "gamma", 1.4);
    std::vector<double> const values(5, 1.0);
    if (without != std::string("no_mesh.h5")) write_mesh(file, "/mesh", mesh);
    file.write(without == std::string("no_fields.h5") ? "/fields/mach" : "/fields/density", values.data(), {5});
    file.commit();
  }
  Hdf5File other = Hdf5File::create(folder / "waves.h5", Overwrite::yes);
  other.write_attribute("/", "format", "karman.waves");
  other.commit();
}

/// A pulse in a closed box, with every key of a flow in time.
inline std::string const small_flow_case = R"json({
  "title": "A pulse in a box",
  "gas": { "gamma": 1.4, "constant": 287.05 },
  "mesh": { "kind": "rectangle", "low": [0, 0], "high": [2, 1], "size": 0.1, "diagonals": "alternating",
    "refine": 0 },
  "flow": { "pressure": 1, "density": 1.4, "velocity": [0, 0] },
  "initial": {
    "pressure": "1 + 0.2 * exp(-20 * ((x - 1) ^ 2 + (y - 0.5) ^ 2))", "density": 1.4, "velocity": ["0.1 * sin(pi * y)", "0 * x"]
  },
  "boundaries": { "south": { "kind": "wall" }, "others": { "kind": "symmetry" } },
  "periodic": [["west", "east"]],
  "scheme": { "kind": "supg", "strategy": "auto", "stabilization": true, "shock_capturing": 0.5,
    "density_floor": 0.01, "pressure_floor": 0.01 },
  "time": {
    "kind": "transient", "end": 0.4, "cfl": 0.5, "method": "minimal_storage_rk4", "growth": 1.2, "dt_max": 0.1,
    "dt_min": 1e-9, "frames": 4, "averages_from": 0.1
  },
  "forces": [{ "name": "floor", "boundaries": ["south"], "length": 2, "moment_at": [1, 0] }],
  "gauges": [{ "name": "middle", "at": [1, 0.5] }, { "name": "corner", "at": [0, 0] }],
  "solver": { "precision": "f64", "checkpoint_every": 0 },
  "outputs": {
    "fields": ["density", "velocity", "pressure", "mach", "temperature", "entropy", "schlieren", "energy"],
    "history_every": 5, "compression": 1
  }
}
)json";

/// A supersonic flow over a corner by Newton's method, with all of its options.
inline std::string const small_newton_case = R"json({
  "mesh": { "kind": "wedge", "length": 1, "height": 0.6, "corner": 0.3, "angle": 10, "size": 0.1 },
  "flow": { "pressure": 1e5, "temperature": 300, "mach": 2 },
  "boundaries": { "wall": { "kind": "wall" }, "inflow": { "kind": "inflow" }, "outflow": { "kind": "outflow" },
    "top": { "kind": "far_field" } },
  "forces": [{ "name": "wall", "boundaries": ["wall"] }],
  "time": {
    "kind": "steady", "method": "newton", "max_steps": 60, "residual": 1e-10, "cfl": 5, "cfl_max": 1e6,
    "linear_tolerance": 0.1, "linear_iterations": 50, "restart": 30, "preconditioner": "block_gauss_seidel",
    "streamline": 0.25
  }
}
)json";

/// A wave that enters a tube by implicit steps, with all of their options.
inline std::string const small_implicit_case = R"json({
  "mesh": { "kind": "rectangle", "high": [2, 0.5], "size": 0.1 },
  "flow": { "pressure": 1, "density": 1.4, "velocity": [0.5, 0] },
  "boundaries": { "south": { "kind": "wall" }, "north": { "kind": "wall" }, "east": { "kind": "far_field" },
    "west": { "kind": "far_field", "state": { "pressure": 1, "density": "1.4 + 0.1 * sin(9 * (x - 0.5 * t))",
      "velocity": [0.5, 0] } } },
  "scheme": { "kind": "muscl" },
  "time": {
    "kind": "transient", "end": 0.5, "method": "bdf2", "step": 0.02, "tolerance": 1e-5, "newton_tolerance": 1e-3,
    "linear_tolerance": 0.1, "restart": 30, "preconditioner": "block_gauss_seidel", "growth": 1.5, "frames": 2
  },
  "gauges": [{ "name": "middle", "at": [0.2, 0.25] }]
}
)json";

/// All other meshes, boundaries and marches.
inline std::vector<std::string> small_flow_cases() {
  std::string const steady = R"("time": { "kind": "steady", "max_steps": 20, "residual": 1e-3, "force_change": 1e-3,
    "window": 10, "cfl": 0.5, "method": "minimal_storage_rk4", "growth": 1.1, "local_steps": true, "local_ratio": 100,
    "sequencing": false, "sequencing_residual": 0.1, "smoothing": 0.5, "smoothing_sweeps": 2 })";
  std::string const brief = R"("time": { "kind": "transient", "end": 0.01 })";
  std::string const slow = R"(, "initial": { "velocity": [100, 0] })";
  auto const shape = [&](std::string const& mesh, std::string const& boundaries, std::string const& more) {
    return R"({ "mesh": )" + mesh + R"(, "flow": { "pressure": 1e5, "temperature": 300, "mach": 2, "angle": 0 },
      "boundaries": )" +
           boundaries + ", " + more + " }";
  };
  std::string const swing = R"({ "mean": 0, "amplitude": 0, "frequency": 1, "phase": 0, "speed": 0 })";
  std::string const far = R"({ "others": { "kind": "far_field" } })";
  std::string const forces = R"("forces": [{ "name": "wall", "boundaries": ["wall"] }])";
  auto const swept = [&](std::string const& sweep) {
    return shape(R"({ "kind": "wedge", "length": 1.5, "height": 1, "corner": 0.5, "angle": 10, "size": 0.1 })", far,
                 steady + ", " + forces + R"(, "sweep": )" + sweep);
  };
  return {
      small_flow_case,
      shape(R"({ "kind": "channel", "length": 2, "width": 1, "size": 0.2, "diagonals": "right" })",
            R"({ "wall": { "kind": "wall" }, "inflow": { "kind": "inflow", "state": { "pressure": 1e5,
              "temperature": "300 + 0 * t", "mach": 2, "angle": 0 } }, "outflow": { "kind": "outflow" } })",
            brief),
      shape(R"({ "kind": "channel", "length": 2, "width": 1, "size": 0.2 })",
            R"({ "wall": { "kind": "wall" }, "inflow": { "kind": "inlet", "total_pressure": 1.2e5,
              "total_temperature": 300, "angle": 0 }, "outflow": { "kind": "outlet", "pressure": 1e5 } })",
            brief + slow),
      shape(R"({ "kind": "disc", "radius": 1, "size": 0.3, "center": [0, 0] })",
            R"({ "rim": { "kind": "far_field", "state": { "pressure": 1e5, "density": 1.2,
              "velocity": [700, 0] } } })",
            brief),
      shape(R"({ "kind": "annulus", "inner_radius": 1, "outer_radius": 2, "inner_size": 0.3, "outer_size": 0.5,
              "center": [0, 0] })",
            far, brief),
      shape(R"({ "kind": "polygon", "size": "0.3 + 0 * x", "outer": [
              { "at": [3, 0], "label": "rim", "arc": { "center": [0, 0], "turn": "left" } },
              { "at": [-3, 0], "label": "rim" }, { "at": [-3, -3], "label": "rim" }, { "at": [3, -3], "label": "rim" }],
              "holes": [[{ "at": [0.5, -1.5], "label": "body" }, { "at": [0, -1], "label": "body" },
                { "at": [-0.5, -1.5], "label": "body", "arc": { "center": [0, -1.5], "turn": "left" } }]] })",
            far, brief),
      shape(R"({ "kind": "airfoil", "digits": "2412", "points": 32, "far_radius": 10, "growth": 1.2 })", far, brief),
      shape(R"({ "kind": "bow_shock", "radius": 0.5, "mach": 3, "angle": 80, "clearance": 1.5, "around": 8, "radial": 4,
              "growth": 1.1, "half": true, "diagonals": "right" })",
            far, brief),
      shape(R"({ "kind": "wedge", "length": 1.5, "height": 1, "corner": 0.5, "angle": 10, "size": 0.1,
              "diagonals": "alternating" })",
            far, steady + ", " + forces),
      shape(R"({ "kind": "step", "length": 3, "height": 1, "step_at": 0.6, "step_height": 0.2, "size": 0.1,
              "diagonals": "alternating" })",
            far, brief),
      shape(
          R"({ "kind": "channel", "length": 2, "width": 1, "size": 0.2 })",
          R"({ "wall": { "kind": "wall" }, "inflow": { "kind": "inlet", "total_pressure": 1.2e5, "total_density": 1.4 },
              "outflow": { "kind": "outlet", "pressure": 1e5 } })",
          brief + slow),
      shape(R"({ "kind": "rectangle", "high": [1, 0.5], "size": 0.1 })", R"({ "others": { "kind": "wall" } })",
            brief + R"(, "motion": { "body": ["west"], "sliding": ["south", "north"], "pivot": [0, 0], "pitch": )" +
                swing + R"(, "surge": )" + swing + R"(, "plunge": )" + swing + R"(, "weight": "area" })"),
      small_newton_case,
      shape(
          R"({ "kind": "file", "file": "small.mesh", "unit": 0.5, "zone": 1, "plane": "xy", "scale": [2, 2], "flip": "none",
              "merge": false })",
          far, brief),
      shape(R"({ "kind": "rectangle", "high": [2, 1], "size": 0.2 })", far,
            brief + R"(, "initial": { "file": "small_flow.h5" })"),
      swept(R"({ "mach": [2, 2.1], "angle": [0, 1] })"),
      swept(R"({ "mach_range": { "from": 2, "to": 1.8, "step": -0.1 }, "target_lift": 0.1, "lift_tolerance": 0.05,
              "lift_solves": 4 })"),
      swept(R"({ "mach": [2], "angle_range": { "from": 0, "to": 1, "step": 0.5 } })"),
      small_implicit_case};
}

}  // namespace karman::test
