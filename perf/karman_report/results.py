# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the files that karman-perf writes (Google Benchmark's JSON) and sorts their rows."""

import json
import math
import re
import statistics
from dataclasses import dataclass, field
from pathlib import Path

NAME = re.compile(
    r"^(?P<family>[a-z0-9_]+)/(?P<algorithm>[a-z0-9_]+)/(?P<backend>serial|openmp|threads|cuda)/"
    r"(?P<precision>f32|f64)/(?P<size>[0-9]+(?:x[0-9]+)*)(?:/peer:(?P<peer>[a-z0-9_]+))?$"
)
TO_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
NOISY = 0.10
"""A row whose middle half of measurements spreads over more than this share of the median is called noisy."""
NOT_BOUND_BY_MEMORY = {
    "amg": {f"{step}_{mesh}" for step in ("setup", "factor", "solve", "jacobi") for mesh in ("ordered", "shuffled", "stretched")},
    "coloring": None,
    "copy": {"fma_peak"},
    "euler_sizes": {"residual_pinned_transfers", "residual_plain_transfers"},
    "poisson": {"mg_pcg", "multigrid"},
    "scaling": None,
    "waves": {"harbour", "harbour_cocg", "harbour_direct"},
}
"""Algorithms of a family (None: all) that move far more than their minimum traffic, or none, so that a share of the copy
bandwidth is meaningless: iterations to a tolerance, searches, transfers, arithmetic in registers. Their rows have a time and a
rate alone."""


class ResultError(Exception):
    """A file that cannot be read or is no result of karman-perf; the message has one line."""


@dataclass
class Row:
    """One implementation of one kernel on one backend at one size."""

    name: str
    family: str
    algorithm: str
    backend: str
    precision: str
    size: str
    peer: str  # empty for Karman
    seconds: list = field(default_factory=list)  # one entry per repetition
    bytes: float = 0.0
    units: float = 0.0
    unit: str = ""
    batch: int = 1
    yardstick: float = 0.0  # bytes/s of a copy on this backend in the same run
    flops: float = 0.0  # operations, where counted
    peak: float = 0.0  # flops per second of fused multiply-additions on this backend in the same run, where measured
    figures: dict = field(default_factory=dict)  # further numbers by name, of the last repetition
    recorded_spread: float | None = None  # of a recorded median
    failure: str = ""

    @property
    def ok(self):
        return not self.failure

    @property
    def skipped(self):
        return self.failure.startswith(("skipped", "left out"))  # "left out" in earlier results

    @property
    def median(self):
        return statistics.median(self.seconds)

    @property
    def has_spread(self):
        return len(self.seconds) > 1 or self.recorded_spread is not None

    @property
    def spread(self):
        """Width of the middle half of the repetitions over their median; 0 where it is unknown."""
        if len(self.seconds) < 2:
            return self.recorded_spread or 0.0
        low, _, high = statistics.quantiles(self.seconds, n=4, method="inclusive")
        return (high - low) / self.median

    @property
    def noisy(self):
        return self.spread > NOISY

    @property
    def has_bandwidth(self):
        """True if a good implementation comes close to its modelled traffic."""
        algorithms = NOT_BOUND_BY_MEMORY.get(self.family, ())
        return algorithms is not None and self.algorithm not in algorithms

    @property
    def bandwidth(self):
        return self.bytes / self.median

    @property
    def rate(self):
        return self.units / self.median

    @property
    def share(self):
        """Modelled traffic over time, as a fraction of the copy bandwidth of the same run."""
        return self.bandwidth / self.yardstick if self.yardstick else 0.0

    @property
    def flop_rate(self):
        return self.flops / self.median

    @property
    def share_of_peak(self):
        """Operations per time, as a fraction of the peak of the same run."""
        return self.flop_rate / self.peak if self.peak else 0.0

    @property
    def case(self):
        return (self.family, self.algorithm, self.precision, self.size)


@dataclass
class Run:
    """One file."""

    path: Path
    context: dict
    rows: list

    def device(self, backend):
        return self.context.get(f"backend_{backend}_device", "unknown device")

    def concurrency(self, backend):
        return self.context.get(f"backend_{backend}_concurrency", "?")

    def backends(self):
        order = {"cuda": 0, "openmp": 1, "threads": 2, "serial": 3}
        return sorted({row.backend for row in self.rows}, key=lambda b: order.get(b, 9))


def _fill(path, row, entry):
    if entry.get("error_occurred"):
        row.failure = str(entry.get("error_message", "failed"))
        return
    try:
        scale = TO_SECONDS[entry["time_unit"]]
        seconds = float(entry["real_time"]) * scale
        if not 0 < seconds < math.inf:
            raise ResultError(f"{path}: row {row.name}: real_time {entry['real_time']}, expected a positive number")
        row.seconds.append(seconds)
        row.bytes = float(entry.get("bytes", 0.0))
        row.batch = int(float(entry.get("batch", 1)))
        if "spread" in entry:
            row.recorded_spread = float(entry["spread"])
        share = float(entry.get("percent_of_copy", 0.0)) / 100
        bandwidth = float(entry.get("GB/s", 0.0)) * 1e9
        if share > 0:
            row.yardstick = bandwidth / share
        row.flops = float(entry.get("flops", 0.0))
        if float(entry.get("percent_of_peak", 0.0)) > 0:
            row.peak = float(entry["GFlop/s"]) * 1e9 / (float(entry["percent_of_peak"]) / 100)
        for counter, value in entry.items():
            if counter.startswith("figure_"):
                row.figures[counter.removeprefix("figure_")] = float(value)
            unit = counter.removesuffix("/s")
            if unit not in (counter, "GB", "GFlop"):
                row.unit = unit
                row.units = float(value) * row.seconds[-1]
    except (KeyError, TypeError, ValueError) as error:
        raise ResultError(f"{path}: row {row.name}: {error!r}") from error


def read_json(path):
    """Content of a file. Raises ResultError."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror}") from error
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ResultError(f"{path}: not JSON ({error})") from error


def load(path):
    """The rows of one file, in its order. Raises ResultError."""
    path = Path(path)
    data = read_json(path)
    if not isinstance(data, dict) or not isinstance(data.get("benchmarks"), list) or not isinstance(data.get("context"), dict):
        raise ResultError(f"{path}: not a result of karman-perf (no context or no benchmarks)")
    entries = [entry for entry in data["benchmarks"] if isinstance(entry, dict)]
    repetitions = [entry for entry in entries if entry.get("run_type") == "iteration"]
    # A recorded result keeps the medians only.
    medians = [entry for entry in entries if entry.get("aggregate_name") == "median"]
    rows = {}
    for entry in repetitions or medians:
        name = str(entry.get("run_name", entry.get("name", "")))
        match = NAME.match(name)
        if not match:
            continue
        parts = match.groupdict()
        parts["peer"] = parts["peer"] or ""
        row = rows.setdefault(name, Row(name=name, **parts))
        _fill(path, row, entry)
    if not rows:
        raise ResultError(f"{path}: holds no row of karman-perf")
    return Run(path, data["context"], list(rows.values()))


@dataclass
class Case:
    """All measurements of one kernel at one size on one backend."""

    rows: list

    @property
    def own(self):
        return next((row for row in self.rows if not row.peer), None)

    @property
    def peers(self):
        return [row for row in self.rows if row.peer]

    @property
    def best_peer(self):
        timed = [row for row in self.peers if row.ok]
        return min(timed, key=lambda row: row.median) if timed else None

    @property
    def best(self):
        timed = [row for row in self.rows if row.ok]
        return min(timed, key=lambda row: row.median) if timed else None

    @property
    def versus_best_peer(self):
        """Speed of Karman relative to the best peer; None without both."""
        if not self.own or not self.own.ok or not self.best_peer:
            return None
        return self.best_peer.median / self.own.median


def cases(run, backend, family=None):
    """Cases of one backend in the order of the file."""
    found = {}
    for row in run.rows:
        if row.backend == backend and (family is None or row.family == family):
            found.setdefault(row.case, []).append(row)
    return {key: Case(rows) for key, rows in found.items()}


def size_number(size):
    """Number of elements of a size, for sorting."""
    product = 1
    for part in size.split("x"):
        product *= int(part)
    return product


def families(runs):
    """Families of all runs in the order of first appearance."""
    return list(dict.fromkeys(row.family for run in runs for row in run.rows))
