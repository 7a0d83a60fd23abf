#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures whole runs: every case that ships with Karman, on every backend of a build.

  perf/applications.py --output applications.json
  perf/applications.py --karman build/cuda/bin/karman --cases 'euler/.*' wind/city --repeat 5 --output cuda.json
  perf/applications.py --karman build/cuda/bin/karman --backend cuda --output cuda.json
  perf/report.py --applications applications.json cuda.json --output index.html

A run is a program of its own, from its start to its last file. Its parts come from /timings of the results. A case that
fails, or takes longer than --limit, has no time.

Exit codes: 0 done, 1 a case failed, 2 usage, 4 a file cannot be read or written, or a package is missing.
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "perf"), str(ROOT / "tools")]

from plot_lib.interpreter import ensure_modules  # noqa: E402

ensure_modules("applications.py", ["h5py"])

import h5py  # noqa: E402

from karman_report import applications, files  # noqa: E402

PARTS = {
    "set_up": ("case", "system", "set_up", "initial_field"),
    "solve": ("solve", "march"),
    "output": ("output",),
}
"""Attributes of /timings that make up each part."""
MEMBERS = ("member-*/*.h5", "point-*/*.h5")
"""Results of the runs that a sweep or a study consists of."""


def shipped_cases():
    return [f"{path.parts[-3]}/{path.stem}" for path in sorted(ROOT.glob("apps/*/cases/*.json"))]


def machine(karman):
    """`karman info`, of this build on this machine."""
    done = subprocess.run([karman, "info", "--json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OSError(done.returncode, (done.stderr.strip() or "karman info failed").splitlines()[-1], karman)
    return json.loads(done.stdout)


def timings(paths):
    """Sums of the parts over files; those with none count nothing."""
    sums = dict.fromkeys(PARTS, 0.0)
    for path in paths:
        with h5py.File(path) as file:
            found = dict(file["timings"].attrs) if "timings" in file else {}
        for part, names in PARTS.items():
            sums[part] += sum(float(found.get(name, 0.0)) for name in names)
    return sums


def parts(folder):
    """Seconds of the parts. The file of a sweep has the elapsed time of its solves; its set-up is in the members."""
    whole = timings(folder.glob("*.h5"))
    members = timings(path for pattern in MEMBERS for path in folder.glob(pattern))
    return {part: whole[part] or members[part] for part in PARTS}


def run_once(command, folder, limit):
    """Elapsed seconds and parts of one run, or the reason why it has none."""
    start = time.monotonic()
    try:
        done = subprocess.run([*command, "--output", str(folder), "--overwrite"], capture_output=True, text=True, check=False,
                              timeout=limit)
    except subprocess.TimeoutExpired:
        return None, f"skipped: longer than {limit:g} s"
    elapsed = time.monotonic() - start
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        return None, f"exit code {done.returncode}: {lines[-1] if lines else 'no message'}"
    return {"elapsed": elapsed, **parts(folder)}, ""


def measure(karman, case, backend, options):
    """One entry of the result: the run with the median time of all repetitions."""
    application, name = case.split("/")
    entry = {"application": application, "case": name, "backend": backend["name"], "device": backend["device"]}
    command = [karman, application, str(ROOT / "apps" / application / "cases" / f"{name}.json"), "--backend", backend["name"]]
    found = []
    for _ in range(options.repeat):
        with tempfile.TemporaryDirectory() as folder:
            seconds, failure = run_once(command, Path(folder) / "run", options.limit)
        if failure:
            return {**entry, "failure": failure}
        found.append(seconds)
    found.sort(key=lambda seconds: seconds["elapsed"])
    return {**entry, "seconds": found[(len(found) - 1) // 2], "elapsed": [seconds["elapsed"] for seconds in found]}


def chosen_cases(patterns):
    cases = shipped_cases()
    chosen = [case for case in cases if any(re.fullmatch(pattern, case) for pattern in patterns)]
    for pattern in patterns:
        if not any(re.fullmatch(pattern, case) for case in cases):
            raise ValueError(f"--cases {pattern}: no case has this name; they are {', '.join(cases)}")
    return chosen


def chosen_backends(info, names):
    known = {backend["name"]: backend for backend in info["backends"]}
    for name in names:
        if name not in known:
            raise ValueError(f"--backend {name}: the program has {', '.join(known)}")
    return [known[name] for name in dict.fromkeys(names or known)]


def main(arguments):
    parser = argparse.ArgumentParser(prog="applications.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--karman", default=str(ROOT / "build" / "openmp" / "bin" / "karman"), metavar="PROGRAM", help="program to measure")
    parser.add_argument("--cases", nargs="+", default=[".*"], metavar="REGEX", help="names as application/case; default: all")
    parser.add_argument("--backend", nargs="+", default=[], metavar="NAME", help="only these backends; default: all of the program")
    parser.add_argument("--repeat", type=int, default=3, metavar="N", help="runs of each case, 1 or more (3)")
    parser.add_argument("--limit", type=float, default=600, metavar="SECONDS", help="most seconds of a run (600)")
    parser.add_argument("--output", required=True, metavar="JSON", help="write the result here")
    options = parser.parse_args(arguments)
    if options.repeat < 1 or not options.limit > 0:
        parser.error("--repeat must be at least 1 and --limit above 0")
    try:
        cases = chosen_cases(options.cases)
        info = machine(options.karman)
        backends = chosen_backends(info, options.backend)
        files.require_writable(options.output)
        context = {"date": time.strftime("%Y-%m-%d"), **{key: info[key] for key in ("versions", "host", "environment")}}
        runs = []
        for case in cases:
            for backend in backends:
                runs.append(measure(options.karman, case, backend, options))
                last = runs[-1]
                print(f"{case}, {backend['name']}: {last.get('failure') or applications.sentence(last['seconds'])}", flush=True)
            # After each case: a stopped run keeps its results.
            content = {"format": applications.FORMAT, "format_version": 1, "context": context, "runs": runs}
            files.write(options.output, json.dumps(content, indent=1) + "\n")
    except (ValueError, re.error) as error:
        print(f"applications.py: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"applications.py: {error.filename}: {error.strerror}", file=sys.stderr)
        return 4
    except KeyboardInterrupt:
        return 130
    failed = [run for run in runs if run.get("failure") and not run["failure"].startswith("skipped")]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
