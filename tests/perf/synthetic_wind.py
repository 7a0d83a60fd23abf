# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a small file with the layout of `karman wind` and artificial fields, for the tests of the pictures."""

import sys

import h5py
import numpy as np

BLOCKS = [(70.0 + 60 * column, 60.0 + 55 * row, 30.0, 24.0, 18.0 + 9 * ((row + column) % 3), 20.0 * (row == 1), 0.0)
          for row in range(3) for column in range(3)]


def footprint(block, x, y):
    """True where (x, y) lies under the block."""
    angle = np.radians(block[5])
    along = (x - block[0]) * np.cos(angle) + (y - block[1]) * np.sin(angle)
    across = -(x - block[0]) * np.sin(angle) + (y - block[1]) * np.cos(angle)
    return (np.abs(along) <= block[2] / 2) & (np.abs(across) <= block[3] / 2)


def add_samples(path):
    """Adds pedestrian maps, lines and a plane to a file that write() has made."""
    with h5py.File(path, "a") as file:
        velocity = file["cells/velocity"][...].astype(float)
        speed = np.where(file["cells/flag"][...] == 0, np.nan, np.linalg.norm(velocity, axis=-1))
        x, y, z = (0.5 * (file[f"grid/{axis}"][1:] + file[f"grid/{axis}"][:-1]) for axis in "xyz")
        group = file.create_group("pedestrian")
        group.attrs["height"] = 1.75
        group["x"], group["y"], group["speed"], group["speed_up"] = x, y, speed[0], speed[0] / np.nanmedian(speed[0])
        for name, kind, axis, along, at in (("street", "line", "distance", x - x[0], np.s_[0, len(y) // 2]),
                                            ("tower", "vertical", "z", z, np.s_[:, 2, 3])):
            group = file.create_group(f"probes/{name}")
            group.attrs["kind"] = kind
            group[axis], group["speed"], group["velocity"] = along, speed[at], velocity[at]
        group = file.create_group("probes/section")
        group.attrs["kind"], group.attrs["axis"], group.attrs["position"] = "plane", "y", y[3]
        group["x"], group["z"], group["speed"] = x, z, speed[:, 3]
        file.create_group("probes/mast").attrs["kind"] = "point"


def add_terrain(path):
    """Puts a hill into a file that write() has made: cells of the flag 2, and its heights."""
    with h5py.File(path, "a") as file:
        x, y, z = (0.5 * (file[f"grid/{axis}"][1:] + file[f"grid/{axis}"][:-1]) for axis in "xyz")
        height = 9 * np.exp(-(((x - x.mean()) / 25) ** 2)) * np.ones((len(y), 1))
        flag = file["cells/flag"][...]
        flag[z[:, None, None] < height[None]] = 2
        file["cells/flag"][...] = flag
        group = file.create_group("terrain")
        group["x"], group["y"], group["height"] = x, y, height


def add_vegetation(path):
    """Adds a wood with a clearing and a tree to a file that write() has made."""
    with h5py.File(path, "a") as file:
        file["vegetation"] = np.array([(0, 20, 20), (1, 60, 30)], dtype=[("kind", "f8"), ("x", "f8"), ("y", "f8")])
        group = file.create_group("vegetation_footprints")
        group["corners"] = np.array([[8, 8], [32, 8], [32, 32], [8, 32], [16, 16], [16, 24], [24, 24], [24, 16], [56, 26], [64, 26],
                                     [60, 34]], dtype=float)
        group["starts"], group["plant"] = np.array([0, 4, 8, 11]), np.array([0, 0, 1])


def write(path, shape=(20, 56, 88), spacing=4.0, frames=12, faces=True, cells=True):
    nz, ny, nx = shape
    x, y, z = (spacing * np.arange(n + 1) for n in (nx, ny, nz))
    zc, yc, xc = np.meshgrid(z[:-1] + 2, y[:-1] + 2, x[:-1] + 2, indexing="ij")
    flag = np.ones(shape, dtype=np.uint8)
    u = 5 * np.log((zc + 0.1) / 0.1) / np.log(100.0)
    v = np.zeros(shape)
    w = np.zeros(shape)
    for block in BLOCKS:
        behind = xc - block[0] - block[2] / 2
        beside = np.abs(yc - block[1]) / (block[3] / 2)
        low = zc < block[4]
        deficit = np.exp(-((behind - 8) / 30) ** 2) * (behind > 0) * np.exp(-beside**4) * low
        u -= 1.2 * u * deficit
        v += 1.5 * np.exp(-((xc - block[0]) ** 2 + (yc - block[1]) ** 2) / 900) * np.sign(yc - block[1]) * low
        w += 1.0 * np.exp(-((xc - block[0] + 15) ** 2 + (yc - block[1]) ** 2) / 300) * low
        flag[(behind > 0) & (behind < 45) & (beside < 1) & low] = 5
        flag[(behind > 0) & (behind < 22) & (beside < 1) & low] = 4
        flag[(behind < -block[2]) & (behind > -block[2] - 10) & (beside < 1) & (zc < 0.6 * block[4])] = 3
    solid = np.zeros(shape, dtype=bool)
    for block in BLOCKS:
        solid |= footprint(block, xc, yc) & (zc < block[4])
    flag[solid] = 0
    for component in (u, v, w):
        component[solid] = 0
    distance = (xc - 130) ** 2 + (yc - 115) ** 2 + 4 * (zc - 10) ** 2
    final = 40 * np.exp(-distance / 2500) * np.cos(xc / 25) * np.cos(yc / 30)
    rng = np.random.default_rng(1)
    before = np.where(solid, 0, rng.normal(0, 0.2, shape) * np.exp(-distance / 8000))
    with h5py.File(path, "w") as file:
        attributes = {"format": "karman.wind", "format_version": 1, "title": "Nine blocks in a row", "karman_version": "0.1.0",
                      "commit": "0123456789ab", "kokkos_version": "3.4.1", "compiler": "g++ 12.2", "hdf5_version": "1.10.8",
                      "backend": "openmp", "device": "Test processor", "precision": "f32", "converged": 1, "iterations": 240,
                      "passes": 1, "relative_divergence": 8.3e-6, "initial_divergence": 0.31, "omega": 1.9,
                      "cells": f"{nx} x {ny} x {nz}"}
        for key, value in attributes.items():
            file.attrs[key] = value
        for name, values in (("x", x), ("y", y), ("z", z)):
            file[f"grid/{name}"] = values
        if cells:
            file["cells/velocity"] = np.stack([u, v, w], axis=-1).astype(np.float32)
            file["cells/lambda"] = final.astype(np.float32)
            file["cells/divergence_before"] = before.astype(np.float32)
            file["cells/divergence_after"] = (before * 1e-5).astype(np.float32)
            file["cells/flag"] = flag
        if faces:
            file["faces/u"] = np.concatenate([u, u[:, :, -1:]], axis=2).astype(np.float32)
            file["faces/v"] = np.concatenate([v, v[:, -1:, :]], axis=1).astype(np.float32)
            file["faces/w"] = np.concatenate([w, w[-1:, :, :]], axis=0).astype(np.float32)
        columns = ("x", "y", "length", "width", "height", "rotation", "base")
        file["buildings"] = np.array(BLOCKS, dtype=[(name, "f8") for name in columns])
        iterations = np.arange(0, 241, 20, dtype=float)
        history = [(n, 10 ** (-n / 50 - 0.2 * np.sin(n / 30)), 0.004 * n) for n in iterations]
        file["history"] = np.array(history, dtype=[("iteration", "f8"), ("relative_divergence", "f8"), ("seconds", "f8")])
        for name, value in (("set_up", 0.11), ("initial_field", 0.02), ("solve", 0.96), ("output", 0.2)):
            file.require_group("timings").attrs[name] = value
        if frames:
            layer = 3
            growth = 1 - np.exp(-3 * np.arange(frames) / frames)
            file["watch/lambda"] = (growth[:, None, None] * final[layer]).astype(np.float32)
            file["watch/iteration"] = np.arange(frames, dtype=float) * 20
            file["watch/lambda"].attrs.update({"axis": "z", "index": layer, "coordinate": 4.0 * layer + 2})


if __name__ == "__main__":
    write(sys.argv[1])
