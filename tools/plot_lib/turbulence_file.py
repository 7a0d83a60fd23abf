# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the output of `karman turbulence`: fields at the points of a periodic box, tables, frames in files of their own."""

import json

import h5py
import numpy as np

from .output_file import OutputFile, PlotError, finite_somewhere, open_hdf5, text


class TurbulenceFile(OutputFile):
    """One output file; a context manager."""

    def __init__(self, path):
        super().__init__(path)
        try:
            self.size = np.asarray(self._file.attrs["size"], dtype=float)
            self.x, self.y = (np.asarray(self._file[f"/grid/{axis}"][...], dtype=float) for axis in "xy")
            self.case = json.loads(text(self._file["/case"][()]))
            right = self.size.shape == (2,) and np.all(self.size > 0) and min(len(self.x), len(self.y)) >= 4
            if not right or not isinstance(self.case, dict):
                raise ValueError("no box")
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            self._file.close()
            raise PlotError(f"{path}: damaged: {error}") from error

    @property
    def title(self):
        return self.attribute("title", "") or "Two-dimensional turbulence"

    @property
    def words(self):
        return f"t = {float(self.attribute('time', 0.0)):.4g} s, step {int(self.attribute('step', 0))}"

    @property
    def extent(self):
        return 0.0, float(self.size[0]), 0.0, float(self.size[1])

    def given(self, *keys, default=None):
        """A value of the case."""
        value = self.case
        for key in keys:
            value = value.get(key, default) if isinstance(value, dict) else default
        return value

    def field(self, name="/fields/vorticity", source=None, components=()):
        source, path = (self._file, self.path) if source is None else (source, source.filename)
        data = source.get(name)
        if not isinstance(data, h5py.Dataset) or data.shape != (len(self.y), len(self.x), *components):
            raise PlotError(f"{path}: {name} is missing or not a field of the box")
        return finite_somewhere(np.asarray(data[...], dtype=float), name, path)

    def frame(self, path):
        """The vorticity of a frame; nothing where it was not kept."""
        with open_hdf5(path) as frame:
            return self.field(source=frame) if "/fields/vorticity" in frame else None

    def frame_spectrum(self, path):
        """Wavenumbers and energies of a frame."""
        with open_hdf5(path) as frame:
            if "/spectra" not in frame:
                return None
            table = frame["/spectra"]
            return np.asarray(table["wavenumber"], dtype=float), np.asarray(table["energy"], dtype=float)
