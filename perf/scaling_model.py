#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the tables of docs/scaling_model.md: times of solvers over processes from bytes, latencies and bandwidths, beside
measured ones, and efficiencies of more GPUs. Times in microseconds, sizes in bytes."""

import math

# Measured by karman-perf on H200s of one host, 512^3 cells: (precision, transport): alone, weak 2 and 4, strong 2 and 4.
SOR = {("float", "nccl"): (627, 664, 669, 388, 268), ("double", "nccl"): (1157, 1196, 1212, 644, 365),
       ("float", "staged"): (627, 742, 780, 471, 727), ("double", "staged"): (1157, 1311, 1393, 768, 1145)}
REAL = {"float": 4, "double": 8}
COPY = 4.18e6
"""Bytes per microsecond of a copy on an H200."""
ROUND_TRIP = 18
"""Eight bytes from device to device through the host: what a sum waits for beside its collective message."""
NCCL = ((8, 51), (64 << 10, 55), (1 << 20, 65), (4 << 20, 93), (16 << 20, 177), (64 << 20, 485))
"""Send and receive with one neighbour on an H100, all processes at once, the host waits."""
STAGES = 10
"""Small exchanges of a level of multigrid: two colours of four sweeps, residual, prolongation."""
CYCLE = ((128**3, 380), (256**3, 1310), (512**3, 7560))
"""Iteration of conjugate gradients with a cycle, float cycles for double fields: 1.9, 6.56 and 37.8 ms over 5."""
DIRECT = 3310
"""FastPoisson, double, 512^3, x and y periodic."""
DIRICHLET = 5380
"""The same between Dirichlet sides: eight passes over the part. Sorting, along x, along y, two of the sweep, along y, along x, sorting back."""
DIRECT_MEASURED = {2: 10520, 4: 15910}
"""Weak scaling of it with one slab: by 2 processes messages in four stages, by 4 in one."""
SLABS = ((2, "512x1024x512", "double", 5383, 1, {1: 10526, 4: 8985.1, 8: 9235, 16: 9878}),
         (2, "512x512x512", "double", 5383, 2, {1: 5220, 4: 4650, 8: 4774, 16: 5198}),
         (2, "512x1024x512", "float", 3546, 1, {1: 6153, 4: 5903, 8: 6237, 16: 6719}),
         (2, "512x512x512", "float", 3546, 2, {1: 3194, 4: 3039, 8: 3272, 16: 3594}),
         (4, "1024x1024x1024", "double", 46552, 4, {4: 22550, 8: 19244, 16: 20114}))
"""Measured in slabs: GPUs, grid, precision, time alone of a part or of the whole grid, parts of that grid, times by slabs."""
GROUP = 20
"""Start of the messages of a slab, assumed."""
# Not measured: hosts with 8 GPUs and a network card of 400 Gbit/s for each, 90 % of which arrives.
GPUS_OF_HOST = 8
NETWORK = 45e3
NETWORK_LATENCY = 10
NETWORK_STAGE = 3
"""Per stage of a collective message between hosts; 0.7 within one (1.4 for four processes)."""
SIDE = 512


def interpolated(table, x):
    """Linear between the logarithms, beyond the last two entries as between them."""
    if x <= table[0][0]:
        return table[0][1]
    n = next((n for n in range(1, len(table)) if x <= table[n][0]), len(table) - 1)
    (x0, y0), (x1, y1) = table[n - 1], table[n]
    return y0 * (y1 / y0) ** (math.log(x / x0) / math.log(x1 / x0))


def cycle(cells):
    """Time of a cycle on one GPU: linear in the cells from the measured sizes, never below the smallest one."""
    if cells <= CYCLE[0][0]:
        return CYCLE[0][1]
    n = 1 if cells <= CYCLE[1][0] else 2
    (x0, y0), (x1, y1) = CYCLE[n - 1], CYCLE[n]
    return y0 + (y1 - y0) * (cells - x0) / (x1 - x0)


def exchange(processes, face):
    """Values of a face to every neighbour. Above eight processes x is cut too: four neighbours, two of them on other hosts."""
    if processes <= GPUS_OF_HOST:
        return interpolated(NCCL, min(2, processes - 1) * face)
    return interpolated(NCCL, 4 * face) + NETWORK_LATENCY + 2 * face / NETWORK


def gather(processes):
    """One sum over all processes."""
    within = math.log2(min(processes, GPUS_OF_HOST))
    between = math.log2(max(processes / GPUS_OF_HOST, 1))
    return ROUND_TRIP + 0.7 * within + NETWORK_STAGE * between + 24 * processes / 1e4


SMALL = (SOR["float", "nccl"][1] - SOR["float", "nccl"][0]) / 8
"""One of the eight small kernels of an iteration of SOR: two rows, packing and unpacking for each colour. From one measured time."""


def staged_line():
    """(latency, bytes per microsecond) of a staged exchange from the four strong rows, in which nothing else takes as long."""
    points = []
    for precision, real in REAL.items():
        times = SOR[precision, "staged"]
        for neighbors, time in ((1, times[3]), (2, times[4])):
            points.append((neighbors * SIDE * SIDE / 2 * real, (time - 8 * SMALL) / 2))
    x = sum(p[0] for p in points) / 4
    y = sum(p[1] for p in points) / 4
    slope = sum((p[0] - x) * (p[1] - y) for p in points) / sum((p[0] - x) ** 2 for p in points)
    return y - slope * x, 1 / slope


def measured_rows():
    latency, rate = staged_line()
    for (precision, transport), times in SOR.items():
        for n, (kind, processes) in enumerate((("weak", 2), ("weak", 4), ("strong", 2), ("strong", 4)), 1):
            sweep = times[0] / (processes if kind == "strong" else 1)
            bytes_sent = min(2, processes - 1) * SIDE * SIDE / 2 * REAL[precision]
            message = interpolated(NCCL, bytes_sent) if transport == "nccl" else latency + bytes_sent / rate
            exposed = 2 * max(0.0, message - sweep / 2)
            model = sweep + 8 * SMALL + exposed
            yield (precision, f"`{transport}`", f"{kind}, {processes}", f"{2 * bytes_sent * 1e-6:.1f} MB", f"{sweep:.0f}", f"{2 * message:.0f}",
                   f"{exposed:.0f}", f"{model:.0f}", f"{times[n]}", f"{model / times[n]:.2f}")


def sor(processes, overlapped):
    face = SIDE * SIDE / 2 * REAL["float"]
    alone = SOR["float", "nccl"][0]
    message = 2 * exchange(processes, face)
    hidden = min(message, alone) if overlapped else 0
    return alone, alone + 8 * SMALL + message - hidden


def conjugate_gradients(processes):
    # 11 reals per cell at the share of the copy that SOR reaches.
    share = SIDE**3 * 18 / SOR["float", "nccl"][0] / COPY
    alone = SIDE**3 * 11 * REAL["float"] / (share * COPY)
    return alone, alone + exchange(processes, SIDE * SIDE * REAL["float"]) + 2 * gather(processes)


def levels(processes, least, size=SIDE, saved=0):
    """Exchanges of the levels with at least so many cells along a side of a process, each shorter by the time saved."""
    time = 0.0
    while size >= least:
        time += STAGES * (exchange(processes, size * size / 2 * REAL["float"]) - saved)
        size //= 2
    return time


def redundant(processes, size):
    """All values of a level of size^3 cells per process in each of them: the message, and the cells of the others."""
    values = processes * size**3 * REAL["float"]
    message = interpolated(NCCL, values) if processes <= GPUS_OF_HOST else NETWORK_LATENCY * math.log2(processes) + values / NETWORK
    return message + cycle(processes * size**3) - cycle(size**3)


def multigrid(processes, size, most=None, saved=0):
    """Levels above `size` per process are distributed, the next one gathered. Of more parts than `most`, the processes of a host join
    theirs. The joined part has twice the side, and its half is a part again."""
    alone = cycle(SIDE**3)
    time = alone + exchange(processes, SIDE * SIDE * REAL["float"]) + 3 * gather(processes) + levels(processes, 2 * size, SIDE, saved)
    left = processes
    while most is not None and left > most:
        # The joined level, eight times the cells of a part, then its half: a part again.
        time += redundant(GPUS_OF_HOST, size) + levels(processes, 2 * size, 2 * size, saved)
        left /= GPUS_OF_HOST
    return alone, time + redundant(left, size)


def fast_poisson(processes, rate):
    """Two transpositions, each packed and unpacked; 512^3 cells per process."""
    field = SIDE**3 * REAL["double"]
    local = min(1, (GPUS_OF_HOST - 1) / (processes - 1)) if processes > 1 else 1
    sent = field * (processes - 1) / processes
    message = sent * local / rate + sent * (1 - local) / NETWORK
    return DIRECT, DIRECT + 2 * (message + 2 * 2 * field / COPY)


def transposition(processes, cells=SIDE**3):
    """(values sent, time of packing, of unpacking with the copy of values that stay) of one transposition."""
    field = cells * REAL["double"]
    sent = field * (processes - 1) / processes
    return sent, 2 * sent / COPY, 2 * field / COPY


def rate_between(processes):
    """Bytes per microsecond that the measured time of one slab leaves for messages."""
    sent, packing, unpacking = transposition(processes)
    stages = 4 if processes == 2 else 1
    left = (DIRECT_MEASURED[processes] - DIRICHLET) / 2
    return sent / (left - (packing + unpacking if stages == 1 else (packing + unpacking) / stages))


def pipelined(before, message, after, slabs):
    """Time of slabs that are computed, sent and computed again; computing has one queue, in which all slabs begin before the first ends."""
    arrived = 0.0
    for slab in range(slabs):
        arrived = max(arrived, (slab + 1) * before / slabs) + message / slabs + GROUP
        done = max(before if slab == 0 else done, arrived) + after / slabs
    return done


def fast_poisson_in_slabs(processes, rate, slabs, cells=SIDE**3):
    """A solve with y cut between Dirichlet sides; one slab: messages in four stages beside packing and unpacking alone."""
    sent, packing, unpacking = transposition(processes, cells)
    alone = DIRICHLET * cells / SIDE**3
    rows, middle, sweep = alone * 2 / 8, alone / 8, alone * 2 / 8
    if slabs == 1:
        return alone + 2 * pipelined(packing, sent / rate, unpacking, 4)
    return (sweep + pipelined(rows + packing, sent / rate, unpacking + middle, slabs)
            + pipelined(middle + packing, sent / rate, unpacking + rows, slabs))


def slab_rows():
    for processes, cells, rate in ((2, SIDE**3, rate_between(2)), (4, SIDE**3, rate_between(4)), (4, 2 * SIDE**3, rate_between(4)),
                                   (4, 2 * SIDE**3, 300e3)):
        alone = DIRICHLET * cells / SIDE**3
        times = [fast_poisson_in_slabs(processes, rate, slabs, cells) for slabs in (1, 2, 4, 8, 16)]
        yield (f"{processes}", f"{512 if cells == SIDE**3 else 1024}x512x512", f"{rate * 1e-3:.0f} GB/s", f"{2e-3 * transposition(processes, cells)[0] / rate:.2f}",
               *(f"{alone / time:.2f} ({time * 1e-3:.2f})" for time in times))


def measured_slab_rows():
    for processes, grid, precision, alone, parts, times in SLABS:
        yield (f"{processes}", grid, precision, f"{alone * 1e-3:.2f}" + (" for a part" if parts == 1 else ""),
               *(f"{alone / parts / times[slabs]:.2f} ({times[slabs] * 1e-3:.2f})" if slabs in times else "not measured" for slabs in (1, 4, 8, 16)))


def prediction_rows():
    def line(name, of):
        cells = []
        for processes in (4, 64, 1024):
            alone, time = of(processes)
            cells.append(f"{alone / time:.2f} ({time * 1e-3:.2f})")
        return (name, f"{alone * 1e-3:.2f}", *cells)

    yield line("SOR, float, exchanges after the sweep", lambda p: sor(p, False))
    yield line("SOR, float, exchanges beside the sweep", lambda p: sor(p, True))
    yield line("conjugate gradients, float", conjugate_gradients)
    for size in (64, 32, 16, 8):
        yield line(f"multigrid in them, all gathered at {size}^3", lambda p, size=size: multigrid(p, size))
    yield line("multigrid in them, joined by hosts from 16^3 on", lambda p: multigrid(p, 16, GPUS_OF_HOST))
    yield line("multigrid in them, gathered at 64^3, in stages above 64", lambda p: multigrid(p, 64, 64))
    for size in (64, 16):
        yield line(f"multigrid in them, all gathered at {size}^3, exchanges 30 us shorter", lambda p, size=size: multigrid(p, size, saved=30))
    yield line("FastPoisson, double, 138 GB/s", lambda p: fast_poisson(p, 138e3))
    yield line("FastPoisson, double, 356 GB/s", lambda p: fast_poisson(p, 356e3))


def table(head, rows):
    return ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *rows)]


def lines():
    latency, rate = staged_line()
    return [*table(("", "transport", "", "sent", "sweep", "messages", "not hidden", "model", "measured", "share"), measured_rows()), "",
            f"staged: {latency:.0f} us + bytes / {rate * 1e-3:.1f} GB/s; small kernel {SMALL:.1f} us", "",
            *table(("512^3 cells per GPU", "alone, ms", "4", "64", "1,024"), prediction_rows()), "",
            *table(("GPUs", "grid", "", "alone, ms", "1 slab", "4", "8", "16"), measured_slab_rows()), "",
            *table(("GPUs", "cells per GPU", "rate", "messages, ms", "1 slab", "2", "4", "8", "16"), slab_rows())]


if __name__ == "__main__":
    print("\n".join(lines()))
