# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Outputs with fields at the nodes of triangles: mesh, nodal fields, boundaries, the case."""

import functools
import json

import h5py
import numpy as np
from matplotlib.tri import Triangulation

from .output_file import OutputFile, PlotError, finite_somewhere, text


class MeshFile(OutputFile):
    """One output file; a context manager."""

    untitled = "Results"

    def __init__(self, path):
        super().__init__(path)
        self.edges = None
        self.backdrops = {}
        """Panels of maps by their frame, with the axes as they are drawn. The next map takes them."""
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
        self.triangles = triangles
        self.place(nodes)

    def place(self, nodes):
        """Takes other coordinates of the nodes."""
        self.x, self.y = nodes.T
        self.__dict__.pop("mesh", None)
        self.rasters = {}

    @functools.cached_property
    def mesh(self):
        """The mesh as matplotlib's: for contours."""
        return Triangulation(self.x, self.y, self.triangles)

    @property
    def title(self):
        return self.attribute("title", "") or self.untitled

    def field(self, name, components=()):
        """Values at the nodes, a scalar or with this many components."""
        return self.nodal(self._file, name, self.path, components)

    def nodal(self, group, name, path, components=()):
        """Values at the nodes in any group, with a check of their shape."""
        if name not in group:
            raise PlotError(f"{path}: {name} is missing")
        data = group[name]
        if not isinstance(data, h5py.Dataset) or data.shape != self.x.shape + components:
            raise PlotError(f"{path}: {name} is not a nodal field")
        return finite_somewhere(np.asarray(data[...], dtype=float), name, path)

    def boundaries(self):
        """[(condition of the case, segments (n, 2, 2))] of the boundary, by label."""
        points = np.stack([self.x, self.y], axis=-1)
        return [(condition, points[edges]) for condition, edges in self.boundary_edges()]

    def boundary_edges(self):
        """[(condition of the case, nodes (n, 2))] of the boundary, by label."""
        if self.edges is None:
            self.edges = self._read_edges()
        return self.edges

    def _read_edges(self):
        if not (self.has("/mesh/edges") and self.has("/mesh/edge_labels")):
            return []
        edges = np.asarray(self._file["/mesh/edges"][...], dtype=int).reshape(-1, 2)
        labels = np.asarray(self._file["/mesh/edge_labels"][...], dtype=int)
        if len(edges) != len(labels) or (edges.size and (edges.min() < 0 or edges.max() >= len(self.x))):
            raise PlotError(f"{self.path}: /mesh/edges names missing nodes")
        names = self.boundary_names()
        return [(self._condition(str(label), names), edges[labels == label]) for label in np.unique(labels)]

    def boundary_names(self):
        """{label: name} of the named boundaries."""
        return dict(line.split(" ", 1) for line in self.lines("/mesh/boundary_names") if " " in line)

    def _condition(self, label, names):
        given = self.case.get("boundaries", {})
        return given.get(names.get(label, label), given.get(label, given.get("others", {})))

    def lines(self, name):
        """Lines of a text, or the texts of a list."""
        if name not in self._file:
            return []
        value = self._file[name][()]
        return [text(one) for one in value] if getattr(value, "ndim", 0) else text(value).splitlines()
