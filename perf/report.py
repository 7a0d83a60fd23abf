#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns results of karman-perf into a page, a table, a CSV file, or a comparison of two runs.

  perf/report.py --benchmarks RESULT.json... [--wind DIR] --output index.html
  perf/report.py --applications RUNS.json... [--benchmarks RESULT.json...] --output index.html
  perf/report.py --benchmarks RESULT.json... --text
  perf/report.py --benchmarks RESULT.json... --csv TABLE.csv
  perf/report.py publish --benchmarks RESULT.json... --output FOLDER
  perf/report.py record --benchmarks RESULT.json... [--applications RUNS.json] --output perf/results/MACHINE
  perf/report.py compare OLD.json NEW.json
  perf/report.py readme [--check]

Exit codes: 0 done, 1 a row failed its check (or, in a comparison, became slower with --fail-on-slower), 2 usage or a
file that is no result, 4 a file cannot be read or written.
"""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

from karman_report import applications, compare, files, page, publish, readme, record, results, tables, wind  # noqa: E402


def add_sources(parser):
    parser.add_argument("--benchmarks", nargs="+", default=[], metavar="JSON", help="files written with karman-perf --benchmark_out=FILE")
    parser.add_argument("--applications", nargs="+", default=[], metavar="JSON", help="files written with perf/applications.py")
    parser.add_argument("--wind", metavar="DIR", help="output folder of `karman wind`, for its pictures and numbers")


def read_sources(parser, options):
    """Rows of kernels, whole runs, and the wind."""
    if not options.benchmarks and not options.applications and not options.wind:
        parser.error("needs --benchmarks, --applications or --wind")
    runs = [results.load(path) for path in options.benchmarks]
    platforms = [platform for path in options.applications for platform in applications.load(path)]
    return runs, platforms, wind.load(options.wind) if options.wind else None


def failed(runs):
    return any(not row.ok and not row.skipped for run in runs for row in run.rows)


def report(arguments):
    parser = argparse.ArgumentParser(prog="report.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_sources(parser)
    parser.add_argument("--output", metavar="HTML", help="write the page here")
    parser.add_argument("--text", action="store_true", help="print a table")
    parser.add_argument("--csv", metavar="FILE", help="write a table with the columns of p3-analysis; - for standard output")
    options = parser.parse_args(arguments)
    if not (options.output or options.text or options.csv):
        parser.error("needs --output, --text or --csv")
    runs, platforms, flow = read_sources(parser, options)
    if options.output:
        files.write(options.output, page.build(runs, flow, platforms))
        print(f"report.py: wrote {options.output}", file=sys.stderr)
    if options.text:
        print("\n".join([*tables.terminal(runs), *(applications.lines(platforms) if platforms else [])]))
    if options.csv == "-":
        tables.write_csv(runs, sys.stdout)
    elif options.csv:
        with open(options.csv, "w", encoding="utf-8", newline="") as stream:
            tables.write_csv(runs, stream)
    return 1 if failed(runs) else 0


def publish_page(arguments):
    parser = argparse.ArgumentParser(prog="report.py publish", description="The page as a folder for a web server.")
    add_sources(parser)
    parser.add_argument("--output", required=True, metavar="FOLDER", help="new or empty folder")
    parser.add_argument("--overwrite", action="store_true", help="replace an earlier page there")
    options = parser.parse_args(arguments)
    runs, platforms, flow = read_sources(parser, options)
    publish.publish(options.output, runs, flow, platforms, [*options.benchmarks, *options.applications], options.overwrite)
    return 1 if failed(runs) else 0


def record_run(arguments):
    parser = argparse.ArgumentParser(prog="report.py record", description="Medians of one machine and commit as a folder for the repository.")
    parser.add_argument("--benchmarks", nargs="+", required=True, metavar="JSON", help="files written with karman-perf --benchmark_out=FILE")
    parser.add_argument("--applications", default="", metavar="JSON", help="file written with perf/applications.py")
    parser.add_argument("--output", required=True, metavar="FOLDER", help="new or empty folder")
    parser.add_argument("--overwrite", action="store_true", help="replace an earlier record there")
    options = parser.parse_args(arguments)
    record.record(options.output, options.benchmarks, options.applications, options.overwrite)
    return 0


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


def readme_table(arguments):
    parser = argparse.ArgumentParser(prog="report.py readme", description="Makes README's table of figures from the recorded runs.")
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 where the table is another one")
    options = parser.parse_args(arguments)
    before = readme.README.read_text(encoding="utf-8")
    after = readme.updated(before, readme.recorded())
    if options.check and after != before:
        print("README.md: its figures differ from perf/results; run perf/report.py readme", file=sys.stderr)
        return 1
    if after != before:
        files.write(readme.README, after)
    return 0


def main(arguments):
    try:
        commands = {"compare": compare_runs, "readme": readme_table, "publish": publish_page, "record": record_run}
        if arguments and arguments[0] in commands:
            return commands[arguments[0]](arguments[1:])
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
