# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Any output of Karman: an HDF5 file with attributes."""

from pathlib import Path

import h5py
import numpy as np


class PlotError(Exception):
    """Nothing can be drawn; the message has one line."""

    exit_code = 2


class PlotFileError(PlotError):
    """A file cannot be read or written."""

    exit_code = 4


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


class OutputFile:
    """An open output file; a context manager."""

    def __init__(self, path):
        try:
            self._file = h5py.File(path, "r")
        except FileNotFoundError:
            raise PlotFileError(f"{path}: no such file") from None
        except IsADirectoryError:
            raise PlotFileError(f"{path}: is a folder; choose the HDF5 file in it") from None
        except PermissionError:
            raise PlotFileError(f"{path}: no permission to read") from None
        except OSError:
            raise PlotError(f"{path}: not an HDF5 file, or damaged") from None
        self.path = path

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._file.close()

    def has(self, name):
        return name in self._file

    def attribute(self, name, default=None, of="/"):
        if of not in self._file:
            return default
        value = self._file[of].attrs.get(name, default)
        return text(value) if isinstance(value, (bytes, str)) else value

    def attributes(self, of="/"):
        """Attributes of a group or dataset; empty when it is missing."""
        return {key: self.attribute(key, of=of) for key in self._file[of].attrs} if of in self._file else {}

    def table(self, name):
        """A table as a dictionary of columns; empty when it is missing."""
        if name not in self._file:
            return {}
        data = self._file[name]
        if not isinstance(data, h5py.Dataset) or not data.dtype.names:
            raise PlotError(f"{self.path}: {name} is not a table")
        return {key: np.asarray(data[key], dtype=float) for key in data.dtype.names}

    def frames_beside(self):
        """[(time, file)] of the frames beside this file, those of an older and longer run left out."""
        last, times = float(self.attribute("time", 0.0)), []
        for path in sorted((Path(self.path).resolve().parent / "frames").glob("frame_*.h5")):
            try:
                with h5py.File(path, "r") as frame:
                    time = float(frame.attrs["time"])
            except (OSError, KeyError):
                raise PlotError(f"{path}: not a frame, or damaged") from None
            if time > last * (1 + 1e-9) or (times and time <= times[-1][0]):
                break
            times.append((time, path))
        return times
