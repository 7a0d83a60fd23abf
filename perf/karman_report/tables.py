# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The results as text for a terminal and as CSV for p3-analysis."""

import csv

from . import overview, platforms, processes, results, text


def terminal(runs):
    """Lines of a table: every case with Karman's row first."""
    lines = []
    for run in runs:
        context = run.context
        lines.append(
            f"{run.path.name}: Karman {context.get('karman_version', '?')} ({context.get('commit', '?')}), "
            f"Kokkos {context.get('kokkos_version', '?')}, {context.get('compiler', '?')}, {context.get('date', '')}"
        )
        for backend in run.backends():
            bandwidth = context.get(f"yardstick_{backend}_GBps")
            loop = context.get(f"yardstick_{backend}", "copy")
            copy = f", {loop} bandwidth {bandwidth} GB/s" if bandwidth else ""
            lines.append(f"  {backend}: {run.device(backend)}, concurrency {run.concurrency(backend)}{copy}")
        for family in results.families([run]):
            lines.append("")
            lines.append(f"{text.family(family)}")
            lines.append(f"  {'row':<62} {'time':>10} {'spread':>7} {'GB/s':>9} {'of copy':>8} {'peer/own':>10}")
            for backend in run.backends():
                for case in results.cases(run, backend, family).values():
                    lines.extend(_case_lines(case))
            if family == processes.FAMILY:
                lines.extend(processes.lines(run))
    lines.extend(overview.lines(runs))
    return lines


def _case_lines(case):
    for row in case.rows:
        name = row.name.split("/", 1)[1]
        if not row.ok:
            yield f"  {name:<62} {text.failure(row):>10}  {row.failure}"
            continue
        ratio = case.versus_best_peer if not row.peer else None
        noisy = "  NOISY" if row.noisy else ""
        flops = f"  {text.arithmetic(row)}" if row.flops else ""
        bandwidth = f"{row.bandwidth * 1e-9:.2f}" if row.has_bandwidth else "–"
        share = text.percent(row.share) if row.has_bandwidth else "–"
        yield (
            f"  {name:<62} {text.seconds(row.median):>10} {text.spread(row):>7} {bandwidth:>9}"
            f" {share:>8} {text.times(ratio) if ratio else '':>10}{flops}{noisy}"
        )


def write_csv(runs, stream):
    """Columns of the p3-analysis library; fom is elements or cell-iterations per second, higher is better."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["problem", "platform", "application", "fom", "arch eff", "seconds"])
    for label, (run, backend) in platforms.columns(runs).items():
        for row in run.rows:
            if row.backend != backend or row.family == "copy" or row.skipped:
                continue
            problem = "/".join(row.case)
            # A failed check is a platform on which the application does not run: no figure of merit.
            fom = f"{row.rate:.6g}" if row.ok else "0"
            share = "" if not row.has_bandwidth else f"{row.share:.4f}" if row.ok else "0"
            median = f"{row.median:.6g}" if row.ok else ""
            writer.writerow([problem, label, row.peer or "karman", fom, share, median])
