# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the output of a sweep of `karman wind` over a wind rose."""

import numpy as np

from .maps_file import MapsFile


class SweepFile(MapsFile):
    """An open sweep.h5."""

    def __init__(self, path):
        super().__init__(path, "/directions", "direction", "/speed_ratio")

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
