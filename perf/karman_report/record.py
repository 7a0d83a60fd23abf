# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A recorded run: a folder for one machine and one commit, small enough for the repository."""

import io
import json
from pathlib import Path

from . import applications, files, results, tables
from .results import ResultError, read_json

RESULT, ROWS, TABLE, APPLICATIONS = "result.json", "rows.csv", "table.txt", "applications.json"
LICENCE = "# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
"""First line of the table, as of every file of the repository that has comments."""
ONE = ("commit", "karman_version", "kokkos_version", "compiler", "cuda_version")
"""Entries of the context that all files of a record share."""


def _median(row, entries):
    """The repetition nearest to the median, as an entry of the median with the spread of all repetitions."""
    def seconds(entry):
        return float(entry["real_time"]) * results.TO_SECONDS[entry["time_unit"]]

    own = [entry for entry in entries if entry.get("run_name", entry.get("name")) == row.name and not entry.get("error_occurred")]
    own = [entry for entry in own if entry.get("run_type") == "iteration"] or own
    nearest = min(own, key=lambda entry: abs(seconds(entry) - row.median))
    kept = {key: value for key, value in nearest.items() if key not in ("family_index", "per_family_instance_index", "repetition_index")}
    kept.update(name=f"{row.name}_median", run_name=row.name, run_type="aggregate", aggregate_name="median",
                real_time=row.median / results.TO_SECONDS[nearest["time_unit"]])
    return {**kept, "spread": round(row.spread, 6)} if row.has_spread else kept


def _command(context):
    """The command without the folder of its output."""
    words = str(context.get("command", "")).split(" ")
    return " ".join(f"{word.partition('=')[0]}={Path(word.partition('=')[2]).name}" if word.startswith("--benchmark_out=") else word
                    for word in words)


def _require_one(runs):
    """Raises ResultError unless all files are of one commit and machine, without a wrong answer."""
    first = runs[0]
    commit = str(first.context.get("commit", "unknown"))
    if commit == "unknown" or commit.endswith("-dirty"):
        raise ResultError(f"{first.path}: measured at {commit}; expected a commit without changes")
    devices = {}
    for run in runs:
        for key in ONE:
            if run.context.get(key) != first.context.get(key):
                raise ResultError(f"{run.path}: its {key} is {run.context.get(key)}, that of {first.path} {first.context.get(key)}")
        for backend in run.backends():
            device = (run.device(backend), run.concurrency(backend))
            if devices.setdefault(backend, device) != device:
                raise ResultError(f"{run.path}: {backend} is another device: {', '.join(devices[backend])}; {', '.join(device)}")
        wrong = next((row for row in run.rows if not row.ok and not row.skipped), None)
        if wrong:
            raise ResultError(f"{run.path}: {wrong.name} FAILED: {wrong.failure}")
    return commit


def _result(runs):
    """Text of the result: the context, then a row per line. Of a row that two files have, the first counts."""
    contents = [read_json(run.path)["benchmarks"] for run in runs]
    rows = {}
    for run, entries in zip(runs, contents):
        for row in run.rows:
            if row.ok and row.name not in rows:
                rows[row.name] = _median(row, entries)
    # A yardstick may be in one of the files only; otherwise the first counts.
    context = {key: value for run in reversed(runs) for key, value in run.context.items() if key != "host_name"}
    context["executable"] = Path(str(context.get("executable", "karman-perf"))).name
    context["command"] = "; ".join(dict.fromkeys(_command(run.context) for run in runs))
    lines = ",\n".join(json.dumps(entry) for entry in rows.values())
    return f'{{\n "context": {json.dumps(context, indent=1)},\n"benchmarks": [\n{lines}\n]\n}}\n'


def _applications(path, commit):
    platforms = applications.load(path)
    for platform in platforms:
        found = platform.context["versions"]["commit"]
        if found != commit:
            raise ResultError(f"{path}: measured at {found}, the rows at {commit}")
        failed = next((case for case, timed in platform.cases.items() if timed.failure and not timed.failure.startswith("skipped")), None)
        if failed:
            raise ResultError(f"{path}: {failed} FAILED: {platform.cases[failed].failure}")
    content = read_json(Path(path))
    lines = ",\n".join(json.dumps(run) for run in content.pop("runs"))
    return f'{json.dumps(content, indent=1)[:-2]},\n "runs": [\n{lines}\n]\n}}\n'


def record(folder, paths, runs_of_cases="", overwrite=False):
    """Writes the folder from files of karman-perf, and from one of perf/applications.py. Raises ResultError."""
    folder = Path(folder)
    runs = [results.load(path) for path in paths]
    commit = _require_one(runs)
    table = io.StringIO()
    tables.write_csv(runs, table)
    contents = {RESULT: _result(runs), ROWS: table.getvalue(), TABLE: "\n".join([LICENCE, *tables.terminal(runs)]) + "\n"}
    if runs_of_cases:
        contents[APPLICATIONS] = _applications(runs_of_cases, commit)
    there = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    if others := sorted(there - {RESULT, ROWS, TABLE, APPLICATIONS}):
        raise ResultError(f"{folder}: holds other files ({others[0]}); expected a new or empty folder, or an earlier record")
    if there and not overwrite:
        raise ResultError(f"{folder}: holds a record already; --overwrite replaces it")
    for name, content in contents.items():
        files.write(folder / name, content)
    for name in there - contents.keys():
        (folder / name).unlink()
