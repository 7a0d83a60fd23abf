# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Performance portability after Pennycook, Sewall and Lee (2019): the harmonic mean of an efficiency over platforms,
zero when one of them has no result."""

from dataclasses import dataclass

from . import results


def harmonic_mean(efficiencies):
    if not efficiencies or any(e is None or e <= 0 for e in efficiencies):
        return 0.0
    return len(efficiencies) / sum(1 / e for e in efficiencies)


@dataclass
class Portability:
    """One kernel over all platforms, at the largest size that each platform ran."""

    row: results.Row  # for its name
    application: dict  # platform -> efficiency against the fastest implementation of the run, None when missing
    architectural: dict  # platform -> share of the copy bandwidth, None when missing; empty where memory is no bound

    @property
    def application_mean(self):
        return harmonic_mean(list(self.application.values()))

    @property
    def architectural_mean(self):
        """None where memory is no bound."""
        return harmonic_mean(list(self.architectural.values())) if self.architectural else None


def platforms(runs):
    """(run, backend) pairs with distinct labels: the device where needed, the run where the device is the same."""
    pairs = [(run, backend) for run in runs for backend in run.backends()]
    names = [backend for _, backend in pairs]
    devices = [(backend, run.device(backend)) for run, backend in pairs]
    places = {}
    for place, (run, backend) in zip(devices, pairs):
        which = f", run {runs.index(run) + 1}" if devices.count(place) > 1 else ""
        places[backend if names.count(backend) == 1 else f"{backend} ({place[1]}{which})"] = (run, backend)
    return places


def platforms_of(runs, family):
    """The platforms with a row of the family."""
    return {label: (run, backend) for label, (run, backend) in platforms(runs).items() if results.cases(run, backend, family)}


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


def portability(runs, family):
    """One entry for every kernel of the family that is meant for all platforms."""
    places = platforms_of(runs, family)
    if len(places) < 2:
        return []
    found = {label: largest_cases(run, backend, family) for label, (run, backend) in places.items()}
    keys = list(dict.fromkeys(key for kernels in found.values() for key in kernels))
    entries = []
    for key in keys:
        present = [kernels[key] for kernels in found.values() if key in kernels]
        # A kernel that only one kind of backend has, such as a result on a device, is excluded from portability. One
        # skipped somewhere by the time budget has no value.
        if len(present) < 2 or any(case.own.skipped for case in present):
            continue
        application, architectural = {}, {}
        for label, kernels in found.items():
            case = kernels.get(key)
            usable = case is not None and case.own.ok
            application[label] = case.best.median / case.own.median if usable else None
            if present[0].own.has_bandwidth:
                architectural[label] = case.own.share if usable else None
        entries.append(Portability(present[0].own, application, architectural))
    return entries
