# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the output of a series of readings of `karman wind`."""

import numpy as np

from .maps_file import MapsFile
from .output_file import PlotError


class SeriesFile(MapsFile):
    """An open series.h5."""

    def __init__(self, path):
        super().__init__(path, "/times", "time", "/speed")
        if not self.has("/readings"):
            self._file.close()
            raise PlotError(f"{path}: no readings to draw")

    @property
    def title(self):
        return self.attribute("title", "") or "Series of readings"

    @property
    def start(self):
        """Date and time of hour 0: "2026-03-01 12:30 UTC"; empty where the case counts hours."""
        units = self._file["/time"].attrs.get("units", "") if self.has("/time") else ""
        units = units.decode() if isinstance(units, bytes) else str(units)
        prefix = "hours since "
        if not units.startswith(prefix):
            return ""
        return units[len(prefix):].replace("T", " ").removesuffix("Z").removesuffix(":00") + " UTC"

    def readings(self):
        """Names of the sensors, and speed and direction (times, sensors, 2)."""
        data = self._file["/readings"]
        names = data.attrs.get("names", "")
        names = names.decode() if isinstance(names, bytes) else str(names)
        names, values = names.split("\n"), np.asarray(data[...], dtype=float)
        expected = (len(self), len(names), 2)
        if values.shape != expected:
            raise PlotError(f"{self.path}: /readings has shape {values.shape}, expected {expected}")
        return names, values

    def probes(self):
        """Name and speed (times) of each probe with one sample."""
        if not self.has("/probes"):
            return []
        found = []
        for name in sorted(self._file["/probes"]):
            velocity = np.asarray(self._file[f"/probes/{name}/velocity"][...], dtype=float)
            if velocity.shape[1] == 1:
                found.append((name, np.linalg.norm(velocity[:, 0, :], axis=1)))
        return found
