# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole runs of the shipped cases, measured by perf/applications.py: time to solution and its parts."""

from dataclasses import dataclass
from html import escape
from pathlib import Path

from . import text
from .results import ResultError, read_json

FORMAT = "karman.applications"
PARTS = {"set_up": "set-up", "solve": "solve", "output": "output", "rest": "rest"}
"""Parts of a run in their order; the rest is the start of the program, and files where a run does not time them."""


@dataclass
class Timed:
    """One case on one backend."""

    seconds: dict  # elapsed and parts; empty where the case failed
    failure: str = ""

    @property
    def shares(self):
        """Share of each part in the elapsed time."""
        elapsed = self.seconds["elapsed"]
        known = {part: min(self.seconds.get(part, 0.0) / elapsed, 1.0) for part in PARTS if part != "rest"}
        return {**known, "rest": max(0.0, 1 - sum(known.values()))}


@dataclass
class Platform:
    """All cases on one backend of one file."""

    label: str
    device: str
    context: dict
    cases: dict  # "application/case" -> Timed


def load(path):
    """The platforms of one file. Raises ResultError."""
    path = Path(path)
    data = read_json(path)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ResultError(f"{path}: not a result of perf/applications.py")
    platforms = {}
    try:
        for run in data["runs"]:
            place = (run["backend"], run["device"])
            platform = platforms.setdefault(place, Platform(text.backend(run["backend"]), run["device"], data["context"], {}))
            seconds = {key: float(value) for key, value in run.get("seconds", {}).items()}
            failure = str(run.get("failure", ""))
            if not failure and not seconds.get("elapsed", 0.0) > 0:
                raise ValueError(f"{run['application']}/{run['case']} has no time")
            platform.cases[f"{run['application']}/{run['case']}"] = Timed(seconds, failure)
    except (KeyError, TypeError, ValueError) as error:
        raise ResultError(f"{path}: {error!r}") from error
    if not platforms:
        raise ResultError(f"{path}: holds no run")
    return list(platforms.values())


def labels(platforms):
    """Names of platforms: the backend, with the device where another platform has that backend."""
    names = [platform.label for platform in platforms]
    return [f"{p.label}, {p.device}" if names.count(p.label) > 1 else p.label for p in platforms]


def names_of(platforms):
    return list(dict.fromkeys(name for platform in platforms for name in platform.cases))


def described(shares):
    """set-up 12 %, solve 60 %, rest 28 %: without parts that round to nothing."""
    return ", ".join(f"{PARTS[part]} {text.percent(share)}" for part, share in shares.items() if share >= 0.005)


def sentence(seconds):
    """0.52 s: set-up 12 %, solve 60 %, rest 28 %."""
    return f"{text.seconds(seconds['elapsed'])}: {described(Timed(seconds).shares)}"


def lines(platforms):
    """A table for a terminal."""
    yield "Whole runs of the shipped cases"
    for label, platform in zip(labels(platforms), platforms):
        yield ""
        yield f"  {label}: {platform.device}, Karman {platform.context.get('versions', {}).get('commit', '?')}, {platform.context.get('date', '')}"
        for name, timed in platform.cases.items():
            yield f"  {name:<34} {timed.failure or sentence(timed.seconds)}"


def _bar(timed):
    shares = timed.shares
    words = described(shares)
    pieces = "".join(f'<span class="{part}" style="width:{100 * share:.1f}%"></span>' for part, share in shares.items())
    return f'<span class="parts" role="img" aria-label="{words}">{pieces}</span><small>{escape(words)}</small>'


def _cell(timed, first, label):
    attributes = f'class="inline" data-label="{escape(label)}"'
    if timed is None:
        return f"<td {attributes}>–</td>"
    if timed.failure:
        return f'<td {attributes}><span class="note">–</span><small>{escape(timed.failure)}</small></td>'
    ratio = ""
    if first is not None and first is not timed and not first.failure:
        ratio = f"<small>{text.times(first.seconds['elapsed'] / timed.seconds['elapsed'])} the speed of the first column</small>"
    return f'<td {attributes}><span class="rate">{text.seconds(timed.seconds["elapsed"])}</span>{_bar(timed)}{ratio}</td>'


def _sources(heads, platforms):
    entries = []
    for label, platform in zip(heads, platforms):
        versions = platform.context.get("versions", {})
        kokkos = f"Kokkos {versions.get('kokkos', '?')}, {versions.get('compiler', '?')}, {platform.context.get('date', '?')}"
        entries.append(f"{label}: {platform.device}, commit {versions.get('commit', '?')}, {kokkos}")
    return f'<p class="note">{"<br>".join(escape(entry) for entry in entries)}</p>'


def section(platforms, heading=True):
    """Part of the page."""
    heads = labels(platforms)
    columns = "".join(f'<th scope="col">{escape(label)}<br>{escape(platform.device)}</th>' for label, platform in zip(heads, platforms))
    rows = []
    for name in names_of(platforms):
        timed = [platform.cases.get(name) for platform in platforms]
        application, case = name.split("/")
        head = f'<th scope="row">{escape(case.replace("_", " "))}<small>karman {escape(application)}</small></th>'
        rows.append(f"<tr>{head}{''.join(_cell(one, timed[0], label) for one, label in zip(timed, heads))}</tr>")
    keys = "".join(f'<span><i class="{part}"></i>{label}</span>' for part, label in PARTS.items())
    title = "<h2>Whole applications</h2>" if heading else ""
    return (f"{title}<p>Every case that ships with Karman, from the start of the program to its last file. The rest is the "
            "start of the program and of the device, and files where a run does not time them. On a sweep of many solves the rest also has "
            "their set-up.</p>"
            f'<p class="legend">{keys}</p><table class="summary"><thead><tr><th scope="col">Case</th>{columns}</tr></thead>'
            f"<tbody>{''.join(rows)}</tbody></table>{_sources(heads, platforms)}")
