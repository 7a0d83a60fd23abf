# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Columns of the page, one per run and backend; and platforms, each with all runs on it."""

from dataclasses import dataclass, field
from typing import NamedTuple

from . import results, text


def columns(runs):
    """(run, backend) pairs with distinct labels: the device where needed, the run where the device is the same."""
    pairs = [(run, backend) for run in runs for backend in run.backends()]
    names = [backend for _, backend in pairs]
    devices = [(backend, run.device(backend)) for run, backend in pairs]
    places = {}
    for place, (run, backend) in zip(devices, pairs):
        which = f", run {runs.index(run) + 1}" if devices.count(place) > 1 else ""
        places[backend if names.count(backend) == 1 else f"{backend} ({place[1]}{which})"] = (run, backend)
    return places


def columns_of(runs, family):
    """The columns with a row of the family."""
    return {label: (run, backend) for label, (run, backend) in columns(runs).items() if results.cases(run, backend, family)}


def largest_cases(run, backend, family):
    """For every (algorithm, precision) with a row of Karman: the case of the largest size."""
    largest = {}
    for key, case in results.cases(run, backend, family).items():
        if not case.own:
            continue
        short = (key[1], key[2])
        if short not in largest or results.size_number(key[3]) > results.size_number(largest[short].own.size):
            largest[short] = case
    return largest


class Measured(NamedTuple):
    """A case and its run."""

    run: results.Run
    case: results.Case


@dataclass
class Platform:
    """A backend on a device with a number of threads: all runs there."""

    letter: str
    backend: str
    device: str
    threads: str
    runs: list = field(default_factory=list)

    @property
    def name(self):
        """OpenMP, a processor, 16 threads; a device without its threads in flight."""
        count = "" if self.backend == "cuda" else f"{self.threads} thread{'s' if self.threads != '1' else ''}"
        return ", ".join(filter(None, [text.backend(self.backend), self.device, count]))

    def measured(self, family):
        """{(algorithm, precision): Measured} of Karman's kernels that ran: the largest size, of equal sizes the newest run."""
        found = {}
        for run in sorted(self.runs, key=lambda run: str(run.context.get("date", ""))):
            for (_, algorithm, precision, size), case in results.cases(run, self.backend, family).items():
                if not case.own or case.own.skipped:
                    continue
                earlier = found.get((algorithm, precision))
                if earlier is None or results.size_number(size) >= results.size_number(earlier.case.own.size):
                    found[algorithm, precision] = Measured(run, case)
        return found


def _letter(number):
    """A to Z, then AA, AB, ..."""
    return (_letter(number // 26 - 1) if number >= 26 else "") + chr(ord("A") + number % 26)


def distinct(runs):
    """The platforms of all runs in the order of first appearance."""
    found = {}
    for run in runs:
        for backend in run.backends():
            place = (backend, run.device(backend), str(run.concurrency(backend)))
            found.setdefault(place, Platform(_letter(len(found)), *place)).runs.append(run)
    return list(found.values())
