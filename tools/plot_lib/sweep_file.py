# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the output of a sweep of `karman wind` over a wind rose."""

import numpy as np

from .maps_file import MapsFile
from .output_file import PlotError

FORMAT = "karman.wind_sweep"


class SweepFile(MapsFile):
    """An open sweep.h5."""

    def __init__(self, path):
        super().__init__(path)
        try:
            self.x, self.y = (self._line(f"/grid/{axis}") for axis in "xy")
            self.directions = self.table("/directions")
            if "direction" not in self.directions or not self.has("/speed_ratio"):
                raise PlotError(f"{path}: no directions to draw")
            shape = (len(self.directions["direction"]), len(self.y) - 1, len(self.x) - 1)
            if self._file["/speed_ratio"].shape != shape:
                raise PlotError(f"{path}: /speed_ratio has shape {self._file['/speed_ratio'].shape}, expected {shape}")
        except PlotError:
            self._file.close()
            raise

    @property
    def title(self):
        return self.attribute("title", "") or "Wind rose"

    @property
    def has_comfort(self):
        return self.has("/comfort/lawson")

    def map(self, name):
        """A map (ny, nx); classes of cells without air are NaN."""
        values = np.asarray(self._file[name][...], dtype=float)
        return np.where(values == 255, np.nan, values) if self._file[name].dtype.kind == "u" else values

    def ratio(self, n):
        """Speed ratio of one direction, (ny, nx); NaN in solid cells."""
        return np.asarray(self._file["/speed_ratio"][n], dtype=float)
