// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Cases of every problem that are solved in a moment. Together they contain every possible key.
#pragma once

#include <karman/io/hdf5_file.hpp>

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

namespace karman::test {

/// Cells of the case in one dimension, whose fields come from a file.
inline constexpr int small_line_cells = 24;

/// Writes fields.h5: /f and /a for the case in one dimension, and unusable datasets.
inline void write_small_fields(std::filesystem::path const& path) {
  std::vector<double> f(small_line_cells), a(small_line_cells);
  for (std::size_t n = 0; n < f.size(); ++n) {
    f[n] = 1.0 - 0.05 * static_cast<double>(n);
    a[n] = 1.0 + 0.1 * static_cast<double>(n);
  }
  std::vector<double> bad = f;
  bad[4] = std::numeric_limits<double>::quiet_NaN();
  std::vector<int> const integers(f.size(), 1);
  std::vector<float> const narrow(a.begin(), a.end());
  Hdf5File file = Hdf5File::create(path, Overwrite::yes);
  file.write("/f", f.data(), {f.size()});
  file.write("/a", narrow.data(), {narrow.size()});
  file.write("/bad", bad.data(), {bad.size()});
  file.write("/short", f.data(), {3});
  file.write("/integers", integers.data(), {integers.size()});
  file.commit();
}

/// Walls, fluxes, values; every option of the solver.
inline std::string const small_poisson_case = R"json({
  "title": "A small box with walls",
  "problem": "poisson",
  "domain": { "cells": [12, 10, 8], "size": [1.2, 1, 0.8], "origin": [0, -0.5, 2] },
  "sides": {
    "west": { "kind": "dirichlet", "value": 1 }, "east": { "kind": "neumann", "flux": 0.5 },
    "south": { "kind": "dirichlet", "value": 0.5 }, "north": { "kind": "neumann", "flux": -0.25 },
    "bottom": { "kind": "dirichlet", "value": 0 }, "top": { "kind": "neumann", "flux": 0 }
  },
  "right_hand_side": 2,
  "coefficient": 1.5,
  "exact": 0.25,
  "solid": [
    { "kind": "box", "low": [0.3, -0.3, 2.2], "high": [0.5, 0.1, 2.4] },
    { "kind": "random_boxes", "fraction": 0.05, "size": [0.1, 0.3], "seed": 4 }
  ],
  "solver": {
    "method": "sor", "precision": "f64", "tolerance": 1e-8, "max_iterations": 5000, "check_every": 10, "omega": 1.5,
    "checkpoint_every": 0, "cycle": "v", "cycle_precision": "auto", "compatibility": "project"
  },
  "outputs": { "fields": ["p", "f", "residual", "error", "coefficient", "solid"], "compression": 1 }
}
)json";

/// All of them; the first is small_poisson_case.
inline std::vector<std::string> small_poisson_cases() {
  return {small_poisson_case,
          R"json({
  "problem": "poisson",
  "domain": { "cells": [8, 6, 7], "size": [1, 1, 1], "origin": [0, 0, 0] },
  "sides": {
    "east": { "kind": "dirichlet", "value": "y" }, "west": { "kind": "neumann", "flux": 0.5 },
    "north": { "kind": "dirichlet", "value": "x" }, "south": { "kind": "neumann", "flux": "z" },
    "top": { "kind": "dirichlet", "value": 0 }, "bottom": { "kind": "neumann", "flux": 0 }
  },
  "right_hand_side": "x + y"
})json",
          R"json({
  "problem": "poisson",
  "domain": { "cells": [12, 8], "size": [1, 1], "origin": [-1, 2] },
  "sides": {
    "east": { "kind": "periodic" }, "west": { "kind": "periodic" },
    "south": { "kind": "neumann" }, "north": { "kind": "neumann" }
  },
  "coefficient": "1.5 + sin(2 * pi * x)",
  "right_hand_side": { "kind": "named", "name": "waves" },
  "solver": { "compatibility": "require" }
})json",
          R"json({
  "problem": "poisson",
  "domain": { "cells": [24], "size": [2], "origin": [0] },
  "coefficient": { "kind": "file", "file": "fields.h5", "dataset": "/a" },
  "right_hand_side": { "kind": "file", "file": "fields.h5", "dataset": "/f" },
  "exact": "x"
})json",
          R"json({
  "title": "Columns",
  "problem": "column_diffusion",
  "columns": [3, 2],
  "size": [30, 20],
  "layers": { "kind": "uniform", "count": 6, "thickness": 10 },
  "diffusivity": 0.5,
  "initial": 280,
  "ground": { "kind": "flux", "flux": 0.1 },
  "top": { "kind": "value", "value": 280 },
  "time": { "step": 60, "steps": 4, "scheme": "implicit_euler", "checkpoint_every": 60 },
  "exact": 280,
  "precision": "f64",
  "outputs": { "frames_every": 2, "compression": 1 }
})json",
          R"json({
  "problem": "column_diffusion",
  "columns": [3, 2],
  "size": [30, 20],
  "layers": { "kind": "stretched", "count": 6, "thickness": 10, "ratio": 1.1 },
  "diffusivity": "0.5 + 0.01 * z",
  "initial": "280 + 0.01 * z",
  "ground": { "kind": "value", "value": "280 + sin(t)" },
  "top": { "kind": "flux", "flux": "0.1 * x / lx" },
  "time": {
  "step" : 60, "steps" : 4, "scheme" : "crank_nicolson"
}
})json",
          R"json({
  "problem": "column_diffusion",
  "columns": [3, 2],
  "layers": { "kind": "list", "thicknesses": [1, 2, 4] },
  "diffusivity": "0.5 + 0.01 * x",
  "initial": 1,
  "time": { "step": 0.1, "steps": 2 }
})json",
          R"json({
  "title": "A plate",
  "problem": "heat",
  "domain": { "cells": [8, 6], "size": [1, 1], "origin": [0, 0] },
  "sides": {
    "west": { "kind": "dirichlet", "value": 1 }, "east": { "kind": "neumann", "flux": 0 },
    "south": { "kind": "neumann", "flux": 0.1 }, "north": { "kind": "dirichlet", "value": "x" }
  },
  "diffusivity": 0.1,
  "initial": 1,
  "exact": 1,
  "time": { "step": 0.01, "steps": 4, "checkpoint_every": 0 },
  "precision": "f64",
  "outputs": { "frames_every": 2, "compression": 1 }
})json"};
}

}  // namespace karman::test
