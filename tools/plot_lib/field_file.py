# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the outputs of `karman poisson`: fields on a box, comparisons of methods, series in time."""

import json

import h5py
import numpy as np

from .output_file import OutputFile, PlotError, text


class FieldFile(OutputFile):
    """One output file; fields are (nz, ny, nx)."""

    def __init__(self, path):
        super().__init__(path)
        self.format = self.attribute("format", "")

    @property
    def title(self):
        return self.attribute("title", "") or "Poisson's equation"

    def faces(self, axis):
        name = f"/grid/{axis}"
        if name not in self._file:
            raise PlotError(f"{self.path}: {name} is missing")
        values = np.asarray(self._file[name][...], dtype=float)
        if values.ndim != 1 or len(values) < 2 or not np.all(np.diff(values) > 0):
            raise PlotError(f"{self.path}: {name} is not an increasing list of cell faces")
        return values

    def field(self, name):
        """A field without loading it; its shape is checked."""
        shape = tuple(len(self.faces(axis)) - 1 for axis in "zyx")
        data = self._file.get(name)
        if not isinstance(data, h5py.Dataset) or data.dtype.kind not in "fiu":
            raise PlotError(f"{self.path}: {name} is missing or not a field of numbers")
        if data.shape != shape:
            raise PlotError(f"{self.path}: {name} has shape {data.shape}, expected {shape}")
        if data.dtype.kind == "f" and not any(np.any(np.isfinite(data[k])) for k in range(shape[0])):
            raise PlotError(f"{self.path}: {name} has no finite value")
        return data

    def summary(self):
        """The summary of a comparison."""
        try:
            return json.loads(text(self._file["/summary"][()]))
        except (KeyError, ValueError, TypeError) as error:
            raise PlotError(f"{self.path}: /summary is missing or not JSON") from error

    def frames(self):
        """[(time, dataset name)] of a series, in time."""
        if "/frames" not in self._file:
            raise PlotError(f"{self.path}: no frames")
        found = [(float(data.attrs.get("time", 0.0)), f"/frames/{name}") for name, data in self._file["/frames"].items()]
        return sorted(found)
