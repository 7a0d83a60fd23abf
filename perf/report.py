#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns results of karman-perf into a page, a table, a CSV file, or a comparison of two runs.

  perf/report.py --benchmarks RESULT.json... [--wind DIR] --output index.html
  perf/report.py --benchmarks RESULT.json... --text
  perf/report.py --benchmarks RESULT.json... --csv TABLE.csv
  perf/report.py compare OLD.json NEW.json

Exit codes: 0 done, 1 a row failed its check (or, in a comparison, became slower with --fail-on-slower), 2 usage or a
file that is no result, 4 a file cannot be read or written.
"""

import argparse
import os
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from karman_report import compare, page, results, tables, wind  # noqa: E402


def write(path, content):
    """Through a temporary file, so that an earlier page stays whole if the disk is full."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_text(content, encoding="utf-8")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def report(arguments):
    parser = argparse.ArgumentParser(prog="report.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--benchmarks", nargs="+", default=[], metavar="JSON", help="files written with karman-perf --benchmark_out=FILE")
    parser.add_argument("--wind", metavar="DIR", help="output folder of `karman wind`, for its pictures and numbers")
    parser.add_argument("--output", metavar="HTML", help="write the page here")
    parser.add_argument("--text", action="store_true", help="print a table")
    parser.add_argument("--csv", metavar="FILE", help="write a table with the columns of p3-analysis; - for standard output")
    options = parser.parse_args(arguments)
    if not options.benchmarks and not options.wind:
        parser.error("needs --benchmarks, --wind or both")
    if not (options.output or options.text or options.csv):
        parser.error("needs --output, --text or --csv")
    runs = [results.load(path) for path in options.benchmarks]
    if options.output:
        write(options.output, page.build(runs, wind.load(options.wind) if options.wind else None))
    if options.text:
        print("\n".join(tables.terminal(runs)))
    if options.csv == "-":
        tables.write_csv(runs, sys.stdout)
    elif options.csv:
        with open(options.csv, "w", encoding="utf-8", newline="") as stream:
            tables.write_csv(runs, stream)
    return 1 if any(not row.ok and not row.skipped for run in runs for row in run.rows) else 0


def compare_runs(arguments):
    parser = argparse.ArgumentParser(prog="report.py compare", description="SAME, FASTER or SLOWER for every row of two runs.")
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--fail-on-slower", action="store_true", help="exit with 1 when a row is SLOWER")
    options = parser.parse_args(arguments)
    lines, verdicts = compare.compare(results.load(options.old), results.load(options.new))
    print("\n".join(lines))
    words = set(verdicts.values())
    return 1 if "FAILED" in words or (options.fail_on_slower and "SLOWER" in words) else 0


def main(arguments):
    try:
        if arguments[:1] == ["compare"]:
            return compare_runs(arguments[1:])
        return report(arguments)
    except results.ResultError as error:
        print(f"report.py: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except OSError as error:
        print(f"report.py: {error.filename}: {error.strerror}", file=sys.stderr)
        return 4


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
