# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Colour maps of uniformly increasing lightness: equal steps look equal, also in grey print."""

import numpy as np
from matplotlib.colors import LinearSegmentedColormap, to_rgb

# CIE 1931 primaries of sRGB and the white point D65.
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ.sum(axis=1)


def lightness_and_chroma(rgb):
    """sRGB to CIELAB."""
    rgb = np.asarray(rgb, dtype=float)
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    t = linear @ TO_XYZ.T / WHITE
    f = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116)
    return np.stack([116 * f[..., 1] - 16, 500 * (f[..., 0] - f[..., 1]), 200 * (f[..., 1] - f[..., 2])], axis=-1)


def to_screen(lab):
    """CIELAB to sRGB, clipped to the gamut of a screen."""
    fy = (lab[..., 0] + 16) / 116
    f = np.stack([fy + lab[..., 1] / 500, fy, fy - lab[..., 2] / 200], axis=-1)
    t = np.where(f**3 > 216 / 24389, f**3, (116 * f - 16) * 27 / 24389)
    linear = np.clip((t * WHITE) @ np.linalg.inv(TO_XYZ).T, 0, 1)
    return np.clip(np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055), 0, 1)


def even_lightness(name, anchors):
    """A map through colours of growing lightness, spaced by their lightness."""
    lab = lightness_and_chroma([to_rgb(anchor) for anchor in anchors])
    steps = np.linspace(lab[0, 0], lab[-1, 0], 256)
    path = np.stack([steps] + [np.interp(steps, lab[:, 0], lab[:, n]) for n in (1, 2)], axis=-1)
    return LinearSegmentedColormap.from_list(name, to_screen(path), N=256)


SPEED = even_lightness("speed", ["#0d1b3d", "#1b4a78", "#1f7f8c", "#5bb59a", "#b9dcae", "#f6f1d8"])
