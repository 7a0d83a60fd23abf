# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the output of `karman euler`: fields at the nodes of triangles, tables, frames in files of their own."""

import h5py
import numpy as np

from .mesh_file import MeshFile
from .output_file import PlotError, open_hdf5

SLENDER = 8
"""A mesh longer than this many heights is a tube: one coordinate shows all of it."""
SMALL = 0.25
"""Bodies smaller than this share of the domain are drawn larger than to its scale."""

MARGIN = 0.05
"""Space around a sonic line, as a share of its extent."""


def pieces(triangles, chosen):
    """A number for every node: the same for chosen nodes that sides between chosen nodes connect."""
    labels = np.arange(len(chosen))
    sides = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    a, b = sides[chosen[sides].all(axis=1)].T
    while True:
        least = np.minimum(labels[a], labels[b])
        before = labels.copy()
        for ends in (a, b):
            np.minimum.at(labels, before[ends], least)
        labels = labels[labels]
        if np.array_equal(labels, before):
            return labels


class Run:
    """The nodes along one connected piece of a wall."""

    def __init__(self, name, columns):
        self.name = name
        self.columns = columns

    def __getitem__(self, column):
        return self.columns[column]

    @property
    def closed(self):
        x, y = self["x"], self["y"]
        return len(x) > 3 and x[0] == x[-1] and y[0] == y[-1]

    @property
    def slender(self):
        """A body along x that is less than half as high as long: an airfoil."""
        return self.closed and np.ptp(self["y"]) < 0.5 * np.ptp(self["x"])

    def sides(self):
        """The lower and the upper side of a closed run, each from its leading edge."""
        x, y = self["x"][:-1], self["y"][:-1]
        count, first, last = len(x), int(np.argmin(x)), int(np.argmax(x))
        one = (first + np.arange((last - first) % count + 1)) % count
        other = (first - np.arange((first - last) % count + 1)) % count
        return sorted((one, other), key=lambda side: float(y[side].mean()))


class FlowFile(MeshFile):
    """One output file; a context manager."""

    untitled = "Compressible flow"

    def __init__(self, path):
        super().__init__(path)
        flow = np.asarray(self.attribute("flow", ()), dtype=float)
        if flow.shape != (4,) or not np.all(np.isfinite(flow)) or flow[0] <= 0 or flow[3] <= 0:
            self._file.close()
            raise PlotError(f"{path}: damaged: the attribute flow is no state")
        self.density, self.velocity, self.pressure = flow[0], flow[1:3], flow[3]
        self.gamma = float(self.attribute("gamma", 1.4))
        self.dynamic_pressure = float(self.attribute("dynamic_pressure", 1.0))

    @property
    def steady(self):
        return bool(self.attribute("steady", 0))

    @property
    def speed(self):
        return float(np.hypot(*self.velocity))

    @property
    def mach(self):
        return self.speed / float(np.sqrt(self.gamma * self.pressure / self.density))

    @property
    def words(self):
        """"Mach 3, t = 5 s" or "Mach 0.8, steady after 900 steps"."""
        flow = f"Mach {self.mach:.4g}, " if self.speed > 0 else ""
        if not self.steady:
            return f"{flow}t = {float(self.attribute('time', 0.0)):.4g} s"
        state = "steady after" if self.attribute("converged", 1) else "NOT CONVERGED after"
        return f"{flow}{state} {int(self.attribute('step', 0))} steps"

    @property
    def extent(self):
        return float(self.x.min()), float(self.x.max()), float(self.y.min()), float(self.y.max())

    @property
    def tube(self):
        """The axis, 0 or 1, along which the mesh is a tube; None where it is none."""
        sides = np.array([np.ptp(self.x), np.ptp(self.y)])
        return int(np.argmax(sides)) if sides.max() > SLENDER * sides.min() else None

    def values(self, group="/fields", source=None):
        """The fields of a group as a dictionary; Mach number and density slope are computed where they are missing."""
        source, path = (self._file, self.path) if source is None else (source, source.filename)
        if not isinstance(source.get(group), h5py.Group):
            return {}
        found = {name: self.nodal(source, f"{group}/{name}", path, (3,) if name == "velocity" else ()) for name in source[group]}
        if all(name in found for name in ("density", "velocity", "pressure")) and group == "/fields" and "mach" not in found:
            sound = np.sqrt(self.gamma * found["pressure"] / found["density"])
            found["mach"] = np.linalg.norm(found["velocity"], axis=1) / sound
        if "density" in found and "schlieren" not in found:
            found["schlieren"] = self.slope(found["density"])
        return found

    def areas(self):
        """Twice the areas of the triangles."""
        x, y = self.x[self.triangles], self.y[self.triangles]
        return (x[:, 1] - x[:, 0]) * (y[:, 2] - y[:, 0]) - (x[:, 2] - x[:, 0]) * (y[:, 1] - y[:, 0])

    def slope(self, values):
        """|grad f| at the nodes: the mean of the triangles around, by area."""
        x, y, f = self.x[self.triangles], self.y[self.triangles], values[self.triangles]
        gx = sum(f[:, m] * (y[:, (m + 1) % 3] - y[:, (m + 2) % 3]) for m in range(3))
        gy = sum(f[:, m] * (x[:, (m + 2) % 3] - x[:, (m + 1) % 3]) for m in range(3))
        gather = lambda weights: np.bincount(self.triangles.ravel(), np.repeat(weights, 3), len(self.x))  # noqa: E731
        return np.hypot(gather(gx), gather(gy)) / np.maximum(np.abs(gather(self.areas())), 1e-300)

    def frame(self, path):
        """The fields of a frame. Of a moving mesh its nodes are in their places from now on."""
        with open_hdf5(path) as frame:
            if "/mesh/nodes" in frame:
                self.place(self.nodal(frame, "/mesh/nodes", path, (2,)))
            return self.values("/fields", frame)

    @property
    def moves(self):
        """Whether the nodes move from frame to frame."""
        return isinstance(self.case.get("motion"), dict)

    def runs(self):
        """The walls, piece by piece."""
        table = self.table("/walls")
        if not table or len(table["label"]) == 0:
            return []
        names, found = self.boundary_names(), []
        for label in np.unique(table["label"]):
            pieces = np.unique(table["run"][table["label"] == label])
            for number in pieces:
                rows = (table["label"] == label) & (table["run"] == number)
                name = names.get(str(int(label)), str(int(label))) + (f", part {int(number) + 1}" if len(pieces) > 1 else "")
                found.append(Run(name, {key: values[rows] for key, values in table.items()}))
        return found

    def body(self):
        """(left, right, bottom, top) around the closed walls, or None where they fill the domain or are none."""
        closed = [run for run in self.runs() if run.closed]
        if not closed:
            return None
        x, y = (np.concatenate([run[axis] for run in closed]) for axis in "xy")
        size = max(np.ptp(x), np.ptp(y))
        if size > SMALL * max(np.ptp(self.x), np.ptp(self.y)):
            return None
        middle, half = 0.5 * (y.min() + y.max()), max(0.75 * size, 0.5 * np.ptp(y) + 0.5 * size)
        left, right, bottom, top = self.extent
        return (max(left, x.min() - 0.5 * size), min(right, x.max() + 0.5 * size), max(bottom, middle - half), min(top, middle + half))

    def close_up(self, mach=None):
        """The box of body(), extended until the sonic lines around the bodies close. In supersonic flow they bound subsonic gas.

        A pocket that reaches an open boundary does not close and is left out.
        """
        box = self.body()
        if box is None or mach is None:
            return box
        pocket = mach > 1 if self.mach < 1 else mach < 1
        labels = pieces(self.triangles, pocket)
        left, right, bottom, top = box
        near = (self.x >= left) & (self.x <= right) & (self.y >= bottom) & (self.y <= top)
        open_nodes = [nodes.ravel() for condition, nodes in self.boundary_edges() if condition.get("kind") not in ("wall", "symmetry")]
        reaching = labels[np.concatenate([*open_nodes, np.zeros(0, dtype=int)])]
        shown = pocket & np.isin(labels, labels[pocket & near]) & ~np.isin(labels, reaching)
        if not shown.any():
            return box
        # The line lies between these nodes and their neighbours.
        nodes = self.triangles[shown[self.triangles].any(axis=1)].ravel()
        x, y = self.x[nodes], self.y[nodes]
        room = MARGIN * max(np.ptp(x), np.ptp(y))
        domain = self.extent
        return (max(domain[0], min(left, x.min() - room)), min(domain[1], max(right, x.max() + room)),
                max(domain[2], min(bottom, y.min() - room)), min(domain[3], max(top, y.max() + room)))

    def groups(self):
        """Names of the groups of walls whose forces were summed."""
        return self.lines("/forces/names")

    def gauges(self):
        """[(name, x, y)]"""
        given = {str(one.get("name")): one.get("at", (np.nan, np.nan)) for one in self.case.get("gauges", [])}
        return [(name, *given.get(name, (np.nan, np.nan))) for name in self.lines("/gauges/names")]
