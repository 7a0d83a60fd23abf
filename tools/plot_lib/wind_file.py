# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the output of `karman wind` slice by slice: a field may be larger than this machine's memory."""

from dataclasses import dataclass, field

import h5py
import numpy as np

from .output_file import OutputFile, PlotError, finite_somewhere

FLAGS = {0: "solid", 1: "air", 2: "terrain", 3: "upwind cavity", 4: "cavity", 5: "wake", 6: "canyon", 9: "side wall", 10: "rooftop",
         11: "vegetation"}
SOLID = 0
AIR = 1
TERRAIN = 2


@dataclass
class Building:
    """An upright prism over a rectangle or, with an outline, a polygon; x and y of its centre, metres; rotation
    counter-clockwise in degrees."""

    x: float
    y: float
    length: float
    width: float
    height: float
    rotation: float
    base: float
    outline: np.ndarray | None = None
    holes: list = field(default_factory=list)

    def corners(self):
        """(n, 2) corners of the outer ring, counter-clockwise; holes are clockwise."""
        if self.outline is not None:
            return self.outline
        angle = np.radians(self.rotation)
        along = np.array([np.cos(angle), np.sin(angle)]) * self.length / 2
        across = np.array([-np.sin(angle), np.cos(angle)]) * self.width / 2
        centre = np.array([self.x, self.y])
        return np.array([centre - along - across, centre + along - across, centre + along + across, centre - along + across])


class WindFile(OutputFile):
    """An open output file."""

    def __init__(self, path):
        super().__init__(path)
        try:
            self._read_grid()
        except PlotError:
            self._file.close()
            raise

    def _read_grid(self):
        kind = self.attribute("format", "")
        if kind != "karman.wind":
            found = f'its format is "{kind}"' if kind else "it carries no format of Karman"
            raise PlotError(f"{self.path}: nothing to draw: expected karman.wind, found {found}")
        for axis in "xyz":
            name = f"/grid/{axis}"
            if name not in self._file:
                raise PlotError(f"{self.path}: {name} is missing")
            faces = self._file[name]
            if not isinstance(faces, h5py.Dataset) or faces.ndim != 1 or faces.shape[0] < 2 or faces.dtype.kind != "f":
                raise PlotError(f"{self.path}: {name} is not a list of cell faces")
            values = faces[...].astype(float)
            if not np.all(np.isfinite(values)) or not np.all(np.diff(values) > 0):
                raise PlotError(f"{self.path}: {name} does not increase")
            setattr(self, axis, values)
        self.shape = (len(self.z) - 1, len(self.y) - 1, len(self.x) - 1)
        for name, shape in self._expected_shapes().items():
            if name in self._file and self._file[name].shape != shape:
                raise PlotError(f"{self.path}: {name} has shape {self._file[name].shape}, expected {shape}")

    def _expected_shapes(self):
        nz, ny, nx = self.shape
        cells = {f"/cells/{n}": self.shape for n in ("lambda", "divergence_before", "divergence_after", "flag")}
        faces = {"/faces/u": (nz, ny, nx + 1), "/faces/v": (nz, ny + 1, nx), "/faces/w": (nz + 1, ny, nx)}
        return {**cells, **faces, "/cells/velocity": (nz, ny, nx, 3)}

    @property
    def title(self):
        return self.attribute("title", "") or "Wind"

    @property
    def direction(self):
        """Where the undisturbed wind comes from, degrees clockwise from +y; None in a file without it."""
        value = self.attribute("wind_direction", None)
        return None if value is None else float(value)

    def centres(self, axis):
        faces = getattr(self, axis)
        return 0.5 * (faces[1:] + faces[:-1])

    def layer_at(self, height):
        """The layer of cells that holds a height above the ground."""
        return int(np.clip(np.searchsorted(self.z, self.z[0] + height, side="right") - 1, 0, self.shape[0] - 1))

    def cells(self, name, **index):
        """A slice of a cell field: cells("lambda", k=3) or j=..., i=..."""
        return self._of_air(np.asarray(self._file[f"/cells/{name}"][self._selection(index)], dtype=float), f"/cells/{name}", index)

    def _of_air(self, values, name, index):
        """Values of a slice, of which some are numbers where the slice has air."""
        flags = self.flags(**index)
        if flags is not None and not np.any((flags != SOLID) & (flags != TERRAIN)):
            return values
        return finite_somewhere(values, name, self.path)

    def flags(self, **index):
        if not self.has("/cells/flag"):
            return None
        return np.asarray(self._file["/cells/flag"][self._selection(index)])

    def has_velocity(self):
        return self.has("/cells/velocity") or all(self.has(f"/faces/{c}") for c in "uvw")

    def velocity(self, **index):
        """The three components at cell centres on a slice, in an array with the components last."""
        if self.has("/cells/velocity"):
            return self._of_air(np.asarray(self._file["/cells/velocity"][self._selection(index)], dtype=float), "/cells/velocity", index)
        components = []
        for name, axis in (("u", 2), ("v", 1), ("w", 0)):
            faces = self._file[f"/faces/{name}"]
            low, high = self._face_pair(index, axis)
            components.append(0.5 * (np.asarray(faces[low], dtype=float) + np.asarray(faces[high], dtype=float)))
        return self._of_air(np.stack(components, axis=-1), "/faces", index)

    def _face_pair(self, index, axis):
        selection = list(self._selection(index))
        low, high = selection.copy(), selection.copy()
        if isinstance(selection[axis], int):
            high[axis] = selection[axis] + 1
        else:
            first, last, _ = selection[axis].indices(self.shape[axis])
            low[axis], high[axis] = slice(first, last), slice(first + 1, last + 1)
        return tuple(low), tuple(high)

    @staticmethod
    def _selection(index):
        return tuple(index.get(axis, slice(None)) for axis in "kji")

    def buildings(self):
        table = self.table("/buildings")
        names = ("x", "y", "length", "width", "height", "rotation", "base")
        if not all(name in table for name in names[:5]):
            return []
        count = len(table["x"])
        columns = [table.get(name, np.zeros(count)) for name in names]
        found = [Building(*(float(column[n]) for column in columns)) for n in range(count)]
        self._add_footprints(found)
        return found

    def _add_footprints(self, buildings):
        """The rings of /footprints; files of earlier versions have none."""
        for row, ring in self._rings("/footprints", "building", len(buildings)):
            if buildings[row].outline is None:
                buildings[row].outline = ring
            else:
                buildings[row].holes.append(ring)

    def _rings(self, group, owner, count):
        """Pairs of the row of an object and one of its rings, of a group of `count` objects."""
        names = [f"{group}/{name}" for name in ("corners", "starts", owner)]
        if not all(name in self._file for name in names):
            return []
        corners, starts, rows = (np.asarray(self._file[name][...]) for name in names)
        good = (corners.ndim == 2 and corners.shape[1] == 2 and starts.ndim == rows.ndim == 1 and len(starts) == len(rows) + 1
                and np.all(np.diff(starts) >= 3) and starts[0] == 0 and starts[-1] == len(corners)
                and np.all((rows >= 0) & (rows < count)) and np.all(np.isfinite(corners)))
        if not good:
            raise PlotError(f"{self.path}: {group} is not a list of rings of the {'buildings' if owner == 'building' else 'plants'}")
        return [(row, corners[begin:end]) for row, begin, end in zip(rows, starts, starts[1:])]

    def vegetation(self):
        """Rings of each plant, (n, 2) each, the outline first; none without vegetation."""
        count = len(self.table("/vegetation").get("kind", ())) if self.has("/vegetation") else 0
        found = [[] for _ in range(count)]
        for row, ring in self._rings("/vegetation_footprints", "plant", count):
            found[row].append(ring)
        return [rings for rings in found if rings]

    def _numbers(self, name, *ranks, finite=True):
        """A dataset of reals of one of these ranks; without finite it may have no number, as a probe inside a building."""
        data = self._file.get(name)
        if not isinstance(data, h5py.Dataset) or data.dtype.kind != "f" or data.ndim not in ranks:
            raise PlotError(f"{self.path}: {name} is missing or not as karman writes it")
        values = np.asarray(data[...], dtype=float)
        return finite_somewhere(values, name, self.path) if finite else values

    def _sampled_map(self, group, columns, rows, *names):
        """Coordinates and maps of a group by name, checked against one another."""
        found = {axis: self._numbers(f"{group}/{axis}", 1) for axis in (columns, rows)}
        for name in names:
            found[name] = self._numbers(f"{group}/{name}", 2)
            if found[name].shape != (len(found[rows]), len(found[columns])):
                raise PlotError(f"{self.path}: {group}/{name} has shape {found[name].shape}, which does not fit its coordinates")
        return found

    def pedestrian(self):
        """Maps at the pedestrian height; None without."""
        if not self.has("/pedestrian"):
            return None
        maps = self._sampled_map("/pedestrian", "x", "y", "speed", "speed_up")
        return {**maps, "height": float(self.attribute("height", 0.0, of="/pedestrian"))}

    def probes(self):
        """Sampled lines and planes in alphabetical order, as dictionaries."""
        found = []
        for name in sorted(self._file["/probes"]) if self.has("/probes") else []:
            group = f"/probes/{name}"
            kind = self.attribute("kind", "", of=group)
            if kind in ("vertical", "line"):
                along = self._numbers(f"{group}/{'z' if kind == 'vertical' else 'distance'}", 1)
                speed = self._numbers(f"{group}/speed", 1, finite=False)
                if len(along) != len(speed):
                    raise PlotError(f"{self.path}: {group}/speed has {len(speed)} values for {len(along)} positions")
                velocity = self._numbers(f"{group}/velocity", 2, finite=False)
                if velocity.shape != (len(along), 3):
                    raise PlotError(f"{self.path}: {group}/velocity has shape {velocity.shape} for {len(along)} positions")
                found.append({"name": name, "kind": kind, "along": along, "speed": speed, "velocity": velocity})
            elif kind == "plane":
                axis = self.attribute("axis", "", of=group)
                if axis not in ("x", "y", "z"):
                    raise PlotError(f"{self.path}: {group} has no axis")
                first, second = (other for other in "xyz" if other != axis)
                found.append({"name": name, "kind": kind, "axis": axis, "axes": (first, second),
                              "position": float(self.attribute("position", 0.0, of=group)),
                              **self._sampled_map(group, first, second, "speed")})
        return found

    def terrain(self):
        """Heights of the ground (ny, nx) with the positions of the columns; None for flat ground."""
        return self._sampled_map("/terrain", "x", "y", "height") if self.has("/terrain") else None

    def over_ground(self, heights):
        """Velocity (ny, nx, 3) and flags of one layer above the lowest of air: in that, stairs of the ground slow the wind. The
        flags are None where the file has none."""
        lowest = np.searchsorted(self.centres("z"), heights.ravel()).reshape(heights.shape)
        layers = np.minimum(lowest + 1, self.shape[0] - 1)
        velocity = np.zeros((*heights.shape, 3))
        flags = np.zeros(heights.shape, dtype=int) if self.has("/cells/flag") else None
        for k in np.unique(layers):
            here = layers == k
            velocity[here] = self.velocity(k=int(k))[here]
            if flags is not None:
                flags[here] = self.flags(k=int(k))[here]
        return velocity, flags

    def watched(self):
        """(values (n, rows, columns) as a dataset, iterations, attributes) of the watched slices; None without."""
        if "/watch/lambda" not in self._file or "/watch/iteration" not in self._file:
            return None
        values = self._file["/watch/lambda"]
        iterations = np.asarray(self._file["/watch/iteration"][...], dtype=float)
        if values.ndim != 3 or values.shape[0] != len(iterations) or values.shape[0] == 0:
            return None
        return values, iterations, self.attributes("/watch/lambda")
