# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Performance portability after Pennycook, Sewall and Lee (2019): the harmonic mean of an efficiency over platforms,
zero when the answer is wrong on one of them. Platforms without a measurement are not counted."""

from dataclasses import dataclass
from typing import NamedTuple

from . import results

WAYS = ("application", "architectural")
"""The two efficiencies: against the fastest implementation of the same run, and as share of the copy bandwidth."""


class Efficiency(NamedTuple):
    """An efficiency; noisy where one of its times is."""

    value: float
    noisy: bool = False


def harmonic_mean(values):
    """Zero if a value is zero, or without values."""
    if not values or any(value <= 0 for value in values):
        return 0.0
    return len(values) / sum(1 / value for value in values)


def mean(efficiencies):
    """The metric over {platform: Efficiency}; None with fewer than two platforms."""
    return harmonic_mean([e.value for e in efficiencies.values()]) if len(efficiencies) > 1 else None


def _against(row, best):
    """Efficiency of a row against the fastest one; zero after a wrong answer."""
    return Efficiency(best.median / row.median, row.noisy or best.noisy) if row.ok else Efficiency(0.0)


@dataclass
class Kernel:
    """One kernel on the platforms with a measurement, by their letters; each at the largest size there."""

    row: results.Row  # for its name
    cases: dict

    @property
    def application(self):
        """Efficiency against the fastest implementation, where the run has a peer; zero after a wrong answer."""
        return {letter: _against(case.own, case.best) for letter, case in self.cases.items() if not case.own.ok or case.best_peer}

    @property
    def architectural(self):
        """Share of the copy bandwidth; empty where memory is no bound."""
        if not self.row.has_bandwidth:
            return {}
        return {letter: Efficiency(case.own.share, case.own.noisy) if case.own.ok else Efficiency(0.0)
                for letter, case in self.cases.items() if not case.own.ok or case.own.yardstick}

    def efficiencies(self, way):
        return getattr(self, way)


def kernels(places, family):
    """The kernels of a family, by the platforms where they ran."""
    found = {}
    for platform in places:
        for key, measured in platform.measured(family).items():
            found.setdefault(key, {})[platform.letter] = measured.case
    return [Kernel(next(iter(cases.values())).own, cases) for cases in found.values()]


@dataclass
class Family:
    """Kernels of a family that have an efficiency on all of its platforms."""

    name: str
    counted: list
    of: int  # kernels with an efficiency on any platform
    letters: list  # platforms of the family
    efficiencies: dict  # letter -> Efficiency: harmonic mean over the counted kernels; empty without such a kernel

    @property
    def mean(self):
        return mean(self.efficiencies)

    def lowest(self, way):
        """(Efficiency, kernel, letter) of the lowest efficiency."""
        return min(((kernel.efficiencies(way)[letter], kernel, letter) for kernel in self.counted for letter in self.letters),
                   key=lambda entry: entry[0].value)


def family(places, name, way):
    """A family over all platforms with an efficiency of any of its kernels; None with fewer than two such platforms."""
    present = [kernel for kernel in kernels(places, name) if kernel.efficiencies(way)]
    letters = [platform.letter for platform in places if any(platform.letter in kernel.efficiencies(way) for kernel in present)]
    if len(letters) < 2:
        return None
    counted = [kernel for kernel in present if len(kernel.efficiencies(way)) == len(letters)]
    over = {}
    for letter in letters if counted else ():
        values = [kernel.efficiencies(way)[letter] for kernel in counted]
        over[letter] = Efficiency(harmonic_mean([e.value for e in values]), any(e.noisy for e in values))
    return Family(name, counted, len(present), letters, over)


def implementations(kernel):
    """{peer, empty for Karman: {letter: Efficiency}} of every implementation of a kernel, on the platforms of its application
    efficiency; zero after a wrong answer, no entry without a measurement."""
    found = {"": kernel.application}
    for letter in kernel.application:
        for row in kernel.cases[letter].peers:
            if not row.skipped:
                found.setdefault(row.peer, {})[letter] = _against(row, kernel.cases[letter].best)
    return found
