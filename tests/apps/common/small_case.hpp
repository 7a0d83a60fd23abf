// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A case with every possible key that the command solves in a moment.
#pragma once

#include <string>

namespace karman::test {

inline std::string const small_wind_case = R"({
  "title": "A block and two small ones",
  "domain": {
    "origin": [100, -50],
    "cells": [30, 24],
    "spacing": [2, 2],
    "layers": { "kind": "stretched", "count": 12, "thickness": 2, "ratio": 1.1, "uniform_layers": 4 }
  },
  "wind": {
    "profile": { "kind": "log", "speed": 5, "height": 10, "roughness": 0.1 },
    "convention": "nautical", "direction": 270
  },
  "buildings": [
    { "kind": "block", "position": [120, -26], "size": [8, 8, 8], "rotation": 10, "base": 0 },
    { "kind": "array", "position": [140, -26], "count": [1, 2], "spacing": [12, 12], "size": [4, 4, 6], "rotation": 0, "base": 0 }
  ],
  "parameterisations": { "upwind_cavity": true, "wake": true },
  "solver": {
    "precision": "f64", "method": "sor", "storage": "packed", "omega": "auto", "tolerance": 1e-9,
    "max_iterations": 5000, "check_every": 10, "alpha": [1, 1], "checkpoint_every": 0
  },
  "outputs": {
    "fields": ["faces", "velocity", "flag", "lambda", "divergence"],
    "compression": 1,
    "watch": { "field": "lambda", "axis": "z", "index": 2, "every": 10 }
  }
}
)";

}  // namespace karman::test
