# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the output of `karman waves`: fields at the nodes of triangles, tables, gauges and sections."""

import h5py
import numpy as np

from .mesh_file import MeshFile
from .output_file import PlotError, finite_somewhere


class WaveFile(MeshFile):
    """One output file; a context manager."""

    untitled = "Waves"

    def components(self):
        """Names of the groups whose fields were kept."""
        group = self._file.get("/components")
        return [f"/components/{name}" for name in sorted(group)] if isinstance(group, h5py.Group) else []

    def elevation(self, component):
        names = [f"{component}/elevation_real", f"{component}/elevation_imaginary"]
        return self.field(names[0]) + 1j * self.field(names[1]) if all(self.has(n) for n in names) else None

    def has_flux(self, group):
        return self.has(f"{group}/energy_flux") or self.has(f"{group}/energy_flux_x")

    def flux(self, group):
        """The energy flux along x and along y; files of format 1 hold them apart."""
        if self.has(f"{group}/energy_flux"):
            values = self.field(f"{group}/energy_flux", (3,))
            return values[:, 0], values[:, 1]
        return self.field(f"{group}/energy_flux_x"), self.field(f"{group}/energy_flux_y")

    def stated_direction(self, travel):
        """Degrees of travel from +x in the convention of the case, and its words: (270.0, "from 270° (nautical)")."""
        if self.case.get("waves", {}).get("convention", "nautical") == "travel":
            degrees = travel % 360
            return degrees, f"towards {degrees:.3g}° from +x"
        degrees = (270 - travel) % 360
        return degrees, f"from {degrees:.3g}° (nautical, clockwise from north)"

    def travel(self, component=None):
        """Direction of travel of a component's incident waves, or of all by energy, degrees from +x; None if it is unknown."""
        if component is not None:
            return self.attribute("direction", None, component)
        rows = self.table("/summary")
        if "direction" not in rows or "height" not in rows:
            return None
        total = np.sum(rows["height"] ** 2 * np.exp(1j * np.radians(rows["direction"])))
        return float(np.degrees(np.angle(total))) if abs(total) > 0 else None

    def gauges(self):
        """[(name, x, y)]"""
        if not self.has("/gauges/names"):
            return []
        return list(zip(self.lines("/gauges/names"), self._file["/gauges/x"][...], self._file["/gauges/y"][...]))

    def surface_series(self):
        """Times, and the surface (times, gauges) over them; None without a series."""
        if not (self.has("/gauges/surface") and self.has("/gauges/time")):
            return None
        time, surface = (np.asarray(self._file[f"/gauges/{name}"][...], dtype=float) for name in ("time", "surface"))
        if time.ndim != 1 or len(time) < 2 or surface.shape != (len(time), len(self.gauges())):
            raise PlotError(f"{self.path}: /gauges/surface has shape {surface.shape}, which does not fit times and gauges")
        return time, finite_somewhere(surface, "/gauges/surface", self.path)

    def frames(self):
        """[(time, values)] of the surface."""
        group = self._file.get("/animation")
        return [] if group is None else [(float(data.attrs["time"]), f"/animation/{name}") for name, data in sorted(group.items())]
