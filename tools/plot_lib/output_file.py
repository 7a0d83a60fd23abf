# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Any output of Karman: an HDF5 file with attributes."""

import math
import os
import stat
from pathlib import Path

import h5py
import numpy as np


class PlotError(Exception):
    """Nothing can be drawn; the message has one line."""

    exit_code = 2


class PlotFileError(PlotError):
    """A file cannot be read or written."""

    exit_code = 4


# Bounds of the reader in core/src/io/hdf5: twice the dataset, but at least and at most so many bytes in a chunk.
SMALL_CHUNK, MOST_CHUNK = 16 << 20, 1 << 30
BEST_COMPRESSION = 1032
"""Greatest number of bytes that zlib makes out of one."""
MOST_OBJECTS = 200_000
MOST_PARTS = 4096
GROUPS = ("grid", "mesh", "cells", "faces", "fields", "frames", "components", "combined", "animation", "pedestrian", "probes", "terrain", "watch")
"""Groups of the outputs of all applications."""
LAYOUTS = (h5py.h5d.COMPACT, h5py.h5d.CONTIGUOUS, h5py.h5d.CHUNKED)
FILTERS = (h5py.h5z.FILTER_DEFLATE, h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_FLETCHER32)
DAMAGES = (KeyError, ValueError, TypeError, RuntimeError, OSError, AttributeError)
"""Errors of h5py for damaged files."""


def check_dataset(path, name, data, file_bytes):
    """Refuses data outside of the file, foreign filters, and claims of more data than the file can have."""
    creation = data.id.get_create_plist()
    layout = creation.get_layout()
    if layout not in LAYOUTS or creation.get_external_count() > 0:
        raise PlotError(f"{path}: {name}: data in external files are not supported")
    filters = [creation.get_filter(n)[0] for n in range(creation.get_nfilters())]
    packed = filters.count(h5py.h5z.FILTER_DEFLATE)
    if packed > 1 or any(one not in FILTERS for one in filters):
        raise PlotError(f"{path}: {name}: unknown compression")
    size = data.id.get_type().get_size()
    count = 0 if data.shape is None else math.prod(data.shape)
    needed, stored = size * count, data.id.get_storage_size()
    if layout == h5py.h5d.CHUNKED:
        chunk, bound = size * math.prod(creation.get_chunk()), min(MOST_CHUNK, max(SMALL_CHUNK, 2 * needed))
        if chunk > bound:
            raise PlotError(f"{path}: {name}: expected chunks of at most {bound} bytes (twice the dataset, 16 MiB to 1 GiB), found {chunk}")
    if stored > file_bytes or needed > stored * (BEST_COMPRESSION if packed else 1):
        raise PlotError(f"{path}: {name}: incomplete: {needed} bytes of data, {stored} of them in the file")


def check_parts(path, name, data, file, sources):
    """Refuses a dataset in parts unless each part is in the folder and belongs to the file: HDF5 fills in missing ones."""
    prefix, suffix = (np.bytes_(file.attrs[one]).decode(errors="replace") for one in ("parts_prefix", "parts_suffix"))
    names = {f"{prefix}{number:04}{suffix}": number for number in range(min(int(file.attrs["parts"]), MOST_PARTS))}
    needed, found = data.nbytes, 0
    for source in sources:
        if source.file_name not in names or "/" in source.file_name or source.dset_name != name:
            raise PlotError(f"{path}: {name}: virtual datasets are supported of stored data of the same file, or of its parts only")
        part = Path(os.path.realpath(path)).parent / source.file_name
        try:
            if not stat.S_ISREG(os.stat(part).st_mode):
                raise PlotError(f"{part}: expected a regular file, found a pipe, a device or a folder")
            with h5py.File(part, "r") as opened:
                if opened.attrs["part_of"] != file.attrs["parts_id"] or opened.attrs["part"] != names[source.file_name]:
                    raise PlotError(f"{path}: {name}: {part.name} belongs to another file")
                check_dataset(part, name, opened[name], part.stat().st_size)
                found += opened[name].nbytes
        except DAMAGES as error:
            raise PlotFileError(f"{path}: {name}: cannot read its part {part}: {error}") from None
    if needed != found:
        raise PlotError(f"{path}: {name}: incomplete: {needed} bytes of data, {found} of them in its parts")


def check_virtual(path, name, data, file):
    """Refuses a virtual dataset except of the parts of the file, or of its own data. Its bytes are at most theirs."""
    sources = data.virtual_sources()
    if "parts_id" in file.attrs and all(source.file_name != "." for source in sources):
        check_parts(path, name, data, file, sources)
        return
    names = {source.dset_name for source in sources}
    stored = [file[one] for one in names if isinstance(file.get(one), h5py.Dataset)]
    if any(source.file_name != "." for source in sources) or len(stored) < len(names) or any(one.is_virtual for one in stored):
        raise PlotError(f"{path}: {name}: virtual datasets are supported of stored data of the same file only")
    needed, found = data.nbytes, sum(one.nbytes for one in stored)
    if needed > found:
        raise PlotError(f"{path}: {name}: incomplete: {needed} bytes of data, {found} of them in the file")


def check_objects(path, file, file_bytes):
    """Checks every link and dataset before any is read."""
    seen, waiting, virtual = set(), [("/", file["/"])], []
    while waiting:
        place, group = waiting.pop()
        for name in group:
            link = group.get(name, getlink=True)
            if isinstance(link, h5py.ExternalLink):
                raise PlotError(f"{path}: {place}{name}: external links are not supported")
            if not isinstance(link, h5py.HardLink):
                continue  # a soft link leads to an object that has another name, or to none
            found = group[name]
            number = h5py.h5o.get_info(found.id).addr
            if number in seen:
                continue
            seen.add(number)
            if len(seen) > MOST_OBJECTS:
                raise PlotError(f"{path}: expected at most {MOST_OBJECTS} objects, found more")
            if isinstance(found, h5py.Group):
                waiting.append((f"{place}{name}/", found))
            elif isinstance(found, h5py.Dataset) and found.is_virtual:
                virtual.append((f"{place}{name}", found))
            elif isinstance(found, h5py.Dataset):
                check_dataset(path, f"{place}{name}", found, file_bytes)
    for name, found in virtual:  # once no link leads out of the file
        check_virtual(path, name, found, file)


def open_hdf5(path):
    """An open HDF5 file whose links and datasets are checked. Only regular files are opened: a pipe would wait."""
    try:
        status = os.stat(path)
    except FileNotFoundError:
        raise PlotFileError(f"{path}: no such file") from None
    except OSError as error:
        raise PlotFileError(f"{path}: {error.strerror}") from None
    if stat.S_ISDIR(status.st_mode):
        raise PlotFileError(f"{path}: is a folder; choose the HDF5 file in it")
    if not stat.S_ISREG(status.st_mode):
        raise PlotFileError(f"{path}: expected a regular file, found a pipe or a device")
    if not os.access(path, os.R_OK):
        raise PlotFileError(f"{path}: no permission to read")
    try:
        file = h5py.File(path, "r")
    except DAMAGES:
        raise PlotError(f"{path}: not an HDF5 file, or damaged") from None
    try:
        check_objects(path, file, status.st_size)
    except PlotError:
        file.close()
        raise
    except DAMAGES:
        file.close()
        raise PlotError(f"{path}: damaged: not all of its objects can be opened") from None
    return file


def format_of(path):
    """Format attribute of the file; empty if it has none."""
    try:
        with open_hdf5(path) as file:
            return text(file.attrs.get("format", ""))
    except DAMAGES:
        raise PlotError(f"{path}: damaged: its format cannot be read") from None


def finite_somewhere(values, name, path):
    """The values, unless none of them is a number: a picture would be blank."""
    if values.size > 0 and values.dtype.kind == "f" and not np.any(np.isfinite(values)):
        raise PlotError(f"{path}: {name} has no finite value")
    return values


def text(value):
    return value.decode() if isinstance(value, bytes) else str(value)


class Columns(dict):
    """Columns of a table by name. One that is missing is a fault of the file."""

    def __init__(self, place, columns):
        super().__init__(columns)
        self.place = place

    def __missing__(self, name):
        raise PlotError(f"{self.place} has no column {name}")


class OutputFile:
    """An open output file; a context manager."""

    def __init__(self, path):
        self._file = open_hdf5(path)
        self.path = path
        for name in GROUPS:
            if isinstance(self._file.get(name), h5py.Dataset):
                self._file.close()
                raise PlotError(f"{path}: damaged: /{name} is not a group")

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
        if isinstance(value, h5py.Empty):
            raise PlotError(f"{self.path}: attribute {name} of {of} has no value")
        return text(value) if isinstance(value, (bytes, str)) else value

    def attributes(self, of="/"):
        """Attributes of a group or dataset; empty when it is missing."""
        return {key: self.attribute(key, of=of) for key in self._file[of].attrs} if of in self._file else {}

    def table(self, name):
        """A table as a dictionary of columns; empty when it is missing."""
        if name not in self._file:
            return Columns(f"{self.path}: {name}", {})
        data = self._file[name]
        if not isinstance(data, h5py.Dataset) or not data.dtype.names:
            raise PlotError(f"{self.path}: {name} is not a table")
        return Columns(f"{self.path}: {name}", {key: np.asarray(data[key], dtype=float) for key in data.dtype.names})

    def frames_beside(self):
        """[(time, file)] of the frames beside this file, except frames of an older and longer run."""
        last, times = float(self.attribute("time", 0.0)), []
        for path in sorted((Path(self.path).resolve().parent / "frames").glob("frame_*.h5")):
            try:
                with open_hdf5(path) as frame:
                    time = float(frame.attrs["time"])
            except (*DAMAGES, PlotFileError):
                raise PlotError(f"{path}: not a frame, or damaged") from None
            if time > last * (1 + 1e-9) or (times and time <= times[-1][0]):
                break
            times.append((time, path))
        return times
