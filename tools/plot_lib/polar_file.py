# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the output of a sweep of `karman euler` over Mach numbers and angles."""

import json

import numpy as np

from .output_file import DAMAGES, OutputFile, PlotError, text

NEEDED = ("mach", "angle", "converged")


class PolarFile(OutputFile):
    """An open polar.h5."""

    def __init__(self, path):
        super().__init__(path)
        try:
            self.points = self.table("/polar")
            self.groups = [text(name) for name in self._file["/forces/names"][...]]
            sweep = json.loads(text(self._file["/case"][()])).get("sweep", {})
            self.target = sweep.get("target_lift")
        except (*DAMAGES, PlotError):
            self._file.close()
            raise PlotError(f"{path}: damaged: no polar can be read") from None
        columns = [*NEEDED, *(f"{group}.{what}" for group in self.groups for what in ("drag", "lift", "moment"))]
        missing = [name for name in columns if name not in self.points]
        if missing or not self.groups or len(self.points["mach"]) == 0:
            self._file.close()
            raise PlotError(f"{path}: damaged: /polar has no {missing[0] if missing else 'points'}")

    @property
    def title(self):
        return self.attribute("title", "") or "Polar"

    @property
    def machs(self):
        """Mach numbers in their order."""
        return list(dict.fromkeys(self.points["mach"]))

    @property
    def words(self):
        """"15 points, all converged"."""
        count, failed = len(self.points["mach"]), int(np.count_nonzero(self.points["converged"] == 0))
        points = "1 point" if count == 1 else f"{count} points"
        return f"{points}, {'all converged' if failed == 0 else f'{failed} NOT CONVERGED (hollow)'}"

    def coefficient(self, group, what):
        return self.points[f"{group}.{what}"]
