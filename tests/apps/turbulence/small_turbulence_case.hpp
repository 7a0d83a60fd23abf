// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cases of karman turbulence that are solved in a moment. Together they contain every possible key.
#pragma once

#include <karman/io/hdf5_file.hpp>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

namespace karman::test {

/// Writes vorticity.h5, 24 rows of 32 points.
inline void write_small_vorticity_file(std::filesystem::path const& folder) {
  std::vector<float> values;
  for (int n = 0; n < 24 * 32; ++n) values.push_back(std::sin(0.19634954F * static_cast<float>(n % 32)));
  Hdf5File file = Hdf5File::create(folder / "vorticity.h5", Overwrite::yes);
  file.write("/fields/vorticity", values.data(), {24, 32});
  file.commit();
}

/// A forced flow with all linear terms.
inline std::string const small_turbulence_case = R"json({
  "title": "A small turbulence",
  "domain": { "points": [32, 24], "size": [6.283185307179586, 6.283185307179586] },
  "terms": { "viscosity": 1e-3, "viscosity_order": 2, "friction": 0.05, "hypoviscosity": 0.01, "hypoviscosity_order": 1,
    "beta": 0.5 },
  "initial": { "kind": "random", "energy": 0.3, "peak_wavenumber": 3, "seed": 7 },
  "forcing": { "kind": "ring", "wavenumber": 5, "width": 1.5, "energy_rate": 0.1, "seed": 3 },
  "time": { "kind": "adaptive", "end": 2, "cfl": 0.8, "dt_max": 0.05, "dt_min": 1e-9, "growth": 1.1, "frames": 4,
    "averages_from": 0.5 },
  "solver": { "precision": "f64", "method": "low_storage_rk54", "dealiasing": "circular", "planning": "estimate",
    "checkpoint_every": 0 },
  "outputs": { "fields": ["vorticity", "velocity"], "history_every": 5, "bins": 21, "compression": 1 }
}
)json";

/// Six members of a study. The end of each follows from its viscosity.
inline std::string const small_turbulence_study = R"json({
  "title": "A small study",
  "domain": { "points": [32, 24] },
  "terms": { "viscosity": 0.1 },
  "initial": { "kind": "random", "energy": 0.3, "peak_wavenumber": 2, "seed": 7 },
  "time": { "kind": "adaptive", "end": 1, "frames": 2 },
  "solver": { "checkpoint_every": 0 },
  "study": [
    { "terms.viscosity": [0.2, 0.1, 0.05], "time.end": [0.5, 1, 1.5] },
    { "initial.seed": [1, 2] }
  ]
}
)json";

/// All other starts, forcings and time steps.
inline std::vector<std::string> small_turbulence_cases() {
  auto const of = [](std::string const& initial, std::string const& forcing, std::string const& more = "") {
    return R"({ "domain": { "points": [32, 24] }, "initial": )" + initial + R"(, "forcing": )" + forcing +
           R"(, "time": { "kind": "adaptive", "end": 0.1, "cfl": "auto", "dt_max": "auto", "frames": 1 })" + more +
           " }";
  };
  std::string const none = R"({ "kind": "none" })";
  return {
      small_turbulence_case,
      of(R"({ "kind": "zero" })", R"({ "kind": "single", "wavenumber": 4, "width": 1, "energy_rate": 1, "seed": 2 })"),
      of(R"({ "kind": "taylor_green", "amplitude": -0.5, "waves": [1, 2] })",
         R"({ "kind": "kolmogorov", "amplitude": 0.5, "wavenumber": 3, "along": "y" })"),
      of(R"({ "kind": "two_mode", "amplitude": 0.5 })",
         R"json({ "kind": "formula", "vorticity": "sin(2 * x) * cos(y)" })json"),
      of(R"({ "kind": "kelvin_helmholtz", "speed": 1, "thickness": 0.3, "amplitude": 0.05, "waves": [2] })", none),
      of(R"({ "kind": "lamb_dipole", "speed": 1, "radius": 1.5, "angle": 30, "center": [3, 3] })", none),
      of(R"json({ "kind": "formula", "vorticity": "sin(x) + cos(2 * pi * y / ly)" })json", none),
      of(R"({ "kind": "file", "file": "vorticity.h5" })", none),
      R"({ "domain": { "points": [16, 16] }, "initial": { "kind": "taylor_green" },
             "time": { "kind": "fixed", "end": 0.2, "dt": 0.02, "frames": 1, "averages_from": 0 } })",
      small_turbulence_study};
}

}  // namespace karman::test
