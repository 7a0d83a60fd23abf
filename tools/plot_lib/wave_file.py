# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the output of `karman waves`: fields at the nodes of triangles, tables, gauges and sections."""

import json

import h5py
import numpy as np
from matplotlib.tri import Triangulation

from .output_file import OutputFile, PlotError, text

FORMAT = "karman.waves"


class WaveFile(OutputFile):
    """One output file; a context manager."""

    def __init__(self, path):
        super().__init__(path)
        try:
            self._read_mesh()
            self.case = json.loads(text(self._file["/case"][()]))
        except (KeyError, ValueError, TypeError) as error:
            self._file.close()
            raise PlotError(f"{path}: damaged: {error}") from error
        except PlotError:
            self._file.close()
            raise

    def _read_mesh(self):
        nodes = np.asarray(self._file["/mesh/nodes"][...], dtype=float)
        triangles = np.asarray(self._file["/mesh/triangles"][...], dtype=int)
        if nodes.ndim != 2 or nodes.shape[1] != 2 or triangles.ndim != 2 or triangles.shape[1] != 3 or len(triangles) == 0:
            raise PlotError(f"{self.path}: /mesh has the wrong shape")
        if not np.all(np.isfinite(nodes)) or triangles.min() < 0 or triangles.max() >= len(nodes):
            raise PlotError(f"{self.path}: /mesh names missing nodes")
        self.x, self.y = nodes.T
        self.triangles = triangles
        self.mesh = Triangulation(self.x, self.y, triangles)

    @property
    def title(self):
        return self.attribute("title", "") or "Waves"

    def field(self, name, components=()):
        """Values at the nodes, a scalar or with this many components."""
        if name not in self._file:
            raise PlotError(f"{self.path}: {name} is missing")
        data = self._file[name]
        if not isinstance(data, h5py.Dataset) or data.shape != self.x.shape + components:
            raise PlotError(f"{self.path}: {name} is not a nodal field")
        return np.asarray(data[...], dtype=float)

    def components(self):
        """Names of the groups whose fields were kept."""
        group = self._file.get("/components")
        return [f"/components/{name}" for name in sorted(group)] if isinstance(group, h5py.Group) else []

    def elevation(self, component):
        names = [f"{component}/elevation_real", f"{component}/elevation_imaginary"]
        return self.field(names[0]) + 1j * self.field(names[1]) if all(self.has(n) for n in names) else None

    def boundaries(self):
        """[(condition of the case, segments (n, 2, 2))] of the boundary, by label."""
        if not (self.has("/mesh/edges") and self.has("/mesh/edge_labels")):
            return []
        edges = np.asarray(self._file["/mesh/edges"][...], dtype=int).reshape(-1, 2)
        labels = np.asarray(self._file["/mesh/edge_labels"][...], dtype=int)
        if len(edges) != len(labels) or (edges.size and (edges.min() < 0 or edges.max() >= len(self.x))):
            raise PlotError(f"{self.path}: /mesh/edges names missing nodes")
        names = dict(line.split(" ", 1) for line in self.lines("/mesh/boundary_names") if " " in line)
        points = np.stack([self.x, self.y], axis=-1)
        return [(self._condition(str(label), names), points[edges[labels == label]]) for label in np.unique(labels)]

    def _condition(self, label, names):
        given = self.case.get("boundaries", {})
        return given.get(names.get(label, label), given.get(label, given.get("others", {})))

    def lines(self, name):
        """Lines of a text, or the texts of a list."""
        if name not in self._file:
            return []
        value = self._file[name][()]
        return [text(one) for one in value] if getattr(value, "ndim", 0) else text(value).splitlines()

    def has_flux(self, group):
        return self.has(f"{group}/energy_flux") or self.has(f"{group}/energy_flux_x")

    def flux(self, group):
        """The energy flux along x and along y; files of format 1 hold them apart."""
        if self.has(f"{group}/energy_flux"):
            values = self.field(f"{group}/energy_flux", (3,))
            return values[:, 0], values[:, 1]
        return self.field(f"{group}/energy_flux_x"), self.field(f"{group}/energy_flux_y")

    def gauges(self):
        """[(name, x, y)]"""
        if not self.has("/gauges/names"):
            return []
        return list(zip(self.lines("/gauges/names"), self._file["/gauges/x"][...], self._file["/gauges/y"][...]))

    def frames(self):
        """[(time, values)] of the surface."""
        group = self._file.get("/animation")
        return [] if group is None else [(float(data.attrs["time"]), f"/animation/{name}") for name, data in sorted(group.items())]
