# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Common part of the files of `karman wind` that hold maps in plan for several winds."""

import numpy as np

from .output_file import OutputFile, PlotError, finite_somewhere


class MapsFile(OutputFile):
    """An open file; x and y are the faces of its columns, `winds` the table of its winds."""

    def __init__(self, path, table, column, maps):
        """`column`: one that the table has; `maps`: dataset with a map (ny, nx) for each row."""
        super().__init__(path)
        try:
            self.x, self.y = (self._line(f"/grid/{axis}") for axis in "xy")
            self.winds = self.table(table)
            if column not in self.winds or not self.has(maps):
                raise PlotError(f"{path}: no {table[1:]} to draw")
            shape = (len(self.winds[column]), len(self.y) - 1, len(self.x) - 1)
            if self._file[maps].shape != shape:
                raise PlotError(f"{path}: {maps} has shape {self._file[maps].shape}, expected {shape}")
        except PlotError:
            self._file.close()
            raise
        self._maps = maps

    def __len__(self):
        return self._file[self._maps].shape[0]

    def speed(self, n):
        """Map of one wind, (ny, nx); NaN in solid cells."""
        return finite_somewhere(np.asarray(self._file[self._maps][n], dtype=float), f"{self._maps}, map {n},", self.path)

    def _line(self, name):
        if not self.has(name):
            raise PlotError(f"{self.path}: {name} is missing")
        values = np.asarray(self._file[name][...], dtype=float)
        if values.ndim != 1 or len(values) < 2 or not np.all(np.diff(values) > 0):
            raise PlotError(f"{self.path}: {name} does not increase")
        return values

    def terrain(self):
        """Heights of the ground (ny, nx) with the positions of the columns; None for flat ground."""
        if not self.has("/terrain/height"):
            return None
        ground = {name: np.asarray(self._file[f"/terrain/{name}"][...], dtype=float) for name in ("x", "y", "height")}
        if ground["height"].shape != (len(self.y) - 1, len(self.x) - 1):
            raise PlotError(f"{self.path}: /terrain/height has shape {ground['height'].shape}, which does not fit the grid")
        return ground
