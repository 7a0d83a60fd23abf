# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page: one self-contained HTML file."""

from html import escape
from pathlib import Path

from . import applications, charts, curves, overview, platforms, results, roofline, text
from .markup import tag

STYLE = Path(__file__).with_name("page.css")

GOOD_RESULTS = {
    "copy": "The yardsticks: memory bandwidth of the simplest loops on each backend. A kernel can hardly exceed it: "
            "every bar below is a share of it. Where operations are counted, the peak of arithmetic is that of fused "
            "multiplications and additions in registers.",
    "reductions": "A reduction reads every value once and writes almost nothing. A full bar at the largest size is optimal: "
                  "memory is the limit. A processor may exceed the mark, since the yardstick also "
                  "writes. At small sizes data are in cache, and launching the kernel dominates the time.",
    "sor": "One iteration updates one colour, then the other. The figure of merit is cell-iterations per second. Packed wall "
           "codes move 18 bytes per cell in single precision, nine coefficient arrays 52; they should win even with a "
           "shorter bar. The peers solve with constant coefficients: they read no walls and cannot run a city.",
    "poisson": "A solve from zero, without the set-up of its plan. The figure of merit is cells solved per second; times are below. The bar "
               "of a direct solve counts one read of the right-hand side and one write of the solution, the minimum. "
               "It transforms twice; the peer is the transforms alone. Iterations to a tolerance have no bar, "
               "since no minimum traffic bounds them; hypre and AMReX run cycles of their own to the same residual.",
    "tridiagonal": "Per row, three coefficients and a right-hand side are read and the solution is written: 40 bytes in double "
                   "precision, 16 with one matrix for all systems. Only an algorithm that keeps a system on chip moves no "
                   "more. Sizes are rows per system times systems. cuSPARSE and LAPACK overwrite their inputs, "
                   "Karman keeps them. LAPACK pivots, the others do not unless noted.",
    "tridiagonal_algorithms": "The same systems by every named algorithm.",
    "tridiagonal_hybrid": "Cyclic reduction halves the rows per step and runs out of parallel work; parallel cyclic reduction keeps "
                          "all lanes busy and does more work. The hybrid switches between them.",
    "assembly": "The matrix of a triangle mesh is reassembled: coordinates in, matrix values out. Row gather "
                "moves 53 bytes per triangle in double precision; element-by-element assembly needs 140 and atomic additions. "
                "Karman and the peers use the same mesh numbering.",
    "assembly_strategies": "Every strategy on the same mesh: in generator order, shuffled, and renumbered along a curve by "
                           "its user. The figure of merit is triangles per second; bars use the minimum traffic of each strategy.",
    "coloring": "Triangle colours, so that triangles of one colour share no node: computed once per mesh. Kokkos Kernels colours the graph of "
                "conflicts, built first. Conflicts determine the time, not memory, so there are no bars.",
    "amg": "Laplace matrices of triangles: set-up, new values on the same aggregates, one cycle, and conjugate gradients to 1e-8 in double, "
           "1e-5 in single precision. Only the cycle has a bar: its traffic follows from the levels. Sizes are triangles, half as many nodes. "
           "The peers set up and solve the same matrix to the same residual; BoomerAMG with one process per thread.",
    "euler": "Right-hand side of the Euler equations with stabilisation and shock capturing, and steps of four stages with a projection "
             "each. The peers sum the same integrals with atomic additions, colour by colour, or over nodal values "
             "copied per triangle. Arithmetic and latency set the limit, not memory.",
    "euler_sizes": "The same residual from 2 048 triangles on, by every backend.",
    "euler_threads": "The same residual on one thread, on all, and on numbers between, against Amdahl's law: a part f of the work "
                     "runs on one thread, the rest is shared.",
    "scaling": "Solvers on grids by 1, 2, 4, ... processes of MPI. As many groups as fit measure at the same time: the memory of a "
               "machine is as busy in every row. Overlap is 1 where the shorter one of computing and messages is hidden. It is 0 where "
               "one follows the other, and negative where cutting the grid costs more than it hides. Share of the model: the dashed "
               "time over the measured one. Answers are compared with one process on a small grid.",
    "vorticity": "Steps of the vorticity equation in a periodic box, by Fourier modes. Each stage has one complex transform in each "
                 "direction, the work of four real ones. The peer is these transforms and nothing else: the limit of any such method.",
    "waves": "The shipped harbour of karman waves, about 40 000 nodes: the complete solve, then its parts. The "
             "matrix of this small mesh is in cache, and kernel launches dominate the time per iteration; on two million "
             "nodes memory is the limit, and a full bar is optimal. A whole solve has no bar: no minimum traffic "
             "bounds it.",
}


# --- the wind -------------------------------------------------------------------------------------------------------------

def _figure(picture, wide=False):
    image = f'<img src="{picture["data"]}" alt="{escape(picture["title"] + ". " + picture["caption"])}" loading="lazy">'
    caption = f'<figcaption><b>{escape(picture["title"])}.</b> {escape(picture["caption"])}</figcaption>'
    return f'<figure class="{"wide" if wide else ""}"><div class="picture">{image}</div>{caption}</figure>'


def _facts(entries):
    items = "".join(f"<div><dt>{escape(label)}</dt><dd>{escape(value)}{f'<small>{escape(small)}</small>' if small else ''}</dd></div>"
                    for label, value, small in entries)
    return f'<dl class="facts">{items}</dl>'


def _cells(description):
    numbers = [int(part) for part in str(description).replace("×", "x").split("x") if part.strip().isdigit()]
    if len(numbers) != 3:
        return str(description), ""
    total = numbers[0] * numbers[1] * numbers[2]
    return f"{total / 1e6:.1f} million" if total >= 1e6 else f"{total:,}".replace(",", " "), " × ".join(map(str, numbers))


def wind_facts(facts):
    """Facts of the run, as (label, value, small print)."""
    entries = []
    if "cells" in facts:
        total, extents = _cells(facts["cells"])
        entries.append(("Cells", total, extents))
    if "size" in facts:
        entries.append(("Domain (m)", " × ".join(f"{length:.0f}" for length in facts["size"]), f"{facts.get('buildings', 0)} buildings"))
    if "iterations" in facts:
        omega = f"ω = {facts['omega']:.3g}" if "omega" in facts else ""
        entries.append(("Iterations", str(facts["iterations"]), omega))
    timings = facts.get("timings", {})
    if "solve" in timings:
        total = sum(value for value in timings.values())
        entries.append(("Solve", text.seconds(timings["solve"]), f"{text.seconds(total)} with set-up and output" if total > 0 else ""))
    if "relative_divergence" in facts:
        state = "converged" if facts.get("converged") else "DID NOT CONVERGE"
        entries.append(("Relative divergence", f"{facts['relative_divergence']:.1e}", state))
    if "backend" in facts:
        precision = {"f32": "single precision", "f64": "double precision"}.get(facts.get("precision"), "")
        entries.append(("Backend", text.backend(facts["backend"]), ", ".join(filter(None, [precision, facts.get("device", "")]))))
    return entries


def wind_section(wind):
    facts, pictures = wind["facts"], wind["pictures"]
    by_section = {}
    for picture in pictures:
        by_section.setdefault(picture["section"], []).append(picture)
    parts = [_figure(picture) for picture in by_section.get("hero", [])]
    parts.append(_facts(wind_facts(facts)))
    if "converged" in facts and not facts["converged"]:
        parts.append('<p class="alarm">The solver stopped above its tolerance: the field still has divergence.</p>')
    if by_section.get("wind"):
        parts.append("<h2>The wind</h2><p>The initial field is the open profile with cavities and wakes around buildings. The solver "
                     "makes it conserve mass with the smallest change.</p>")
        parts.append(_gallery(by_section["wind"]))
    parts.append("<h2>The solver</h2>")
    history = wind.get("history", {})
    chart = charts.convergence(history.get("iteration", []), history.get("relative_divergence", []))
    if chart:
        parts.append("<p>Red-black relaxation until the divergence, relative to that of the initial field, "
                     "is below the tolerance. A straight line means a constant factor per iteration.</p>")
        parts.append(f"<figure>{chart}<figcaption><b>Convergence.</b> Relative divergence at every check of the solver.</figcaption></figure>")
    moving = [p for p in by_section.get("iteration", []) if p["file"].endswith(".gif")] or by_section.get("iteration", [])
    parts.append(_gallery(moving[:1] + by_section.get("solver", []) + by_section.get("more", [])))
    return "".join(parts)


HALVES = ("zones.png", "lambda_horizontal.png")
"""Pictures shown in pairs."""


def _gallery(pictures):
    return '<div class="gallery">' + "".join(_figure(p, wide=p["file"] not in HALVES) for p in pictures) + "</div>"


# --- performance ----------------------------------------------------------------------------------------------------------

def _share(row):
    return charts.bar(row.share, "" if row.peer or row.family == "copy" else "own", row.noisy) if row.has_bandwidth else ""


def _missing(row):
    word = text.failure(row)
    return f'<span class="{"note" if row.skipped else "failed"}">{word}</span><small>{escape(row.failure)}</small>'


def _spread(row):
    value = text.spread(row)
    return f'<span class="noisy">NOISY {value}</span>' if row.noisy else value


def _summary_cell(case, label):
    if case is None:
        return tag("td", "–", data_label=label, class_="inline")
    row = case.own
    if not row.ok:
        return tag("td", _missing(row), data_label=label, class_="inline")
    notes = [text.size(row.size) + (f" · {text.percent(row.share)} of copy" if row.has_bandwidth else f" · {text.seconds(row.median)}")]
    if row.flops:
        notes.append(text.arithmetic(row))
    ratio = case.versus_best_peer
    if ratio:
        notes.append(f"{text.times(ratio)} the best peer ({text.implementation(case.best_peer)})")
    small = "".join(f"<small>{escape(note)}</small>" for note in notes)
    content = f'<span class="rate">{escape(text.rate(row))}</span>{_share(row)}{small}{text.noise(row)}'
    return tag("td", content, data_label=label, class_="inline")


def _summary(runs, family):
    places = platforms.columns_of(runs, family)
    found = {label: platforms.largest_cases(run, backend, family) for label, (run, backend) in places.items()}
    keys = list(dict.fromkeys(key for kernels in found.values() for key in kernels))
    head = "".join(f'<th scope="col">{escape(_platform(label))}</th>' for label in places)
    lines = []
    for key in keys:
        sample = next(kernels[key].own for kernels in found.values() if key in kernels)
        name = f'<th scope="row">{escape(text.algorithm(sample))}<small>{text.PRECISIONS[sample.precision]} precision</small></th>'
        lines.append(f"<tr>{name}{''.join(_summary_cell(found[label].get(key), _platform(label)) for label in places)}</tr>")
    return (f'<div class="scroll" style="--columns:{len(places)}"><table class="summary"><thead><tr>'
            f'<th scope="col">Karman, at the largest size of each backend</th>{head}</tr></thead><tbody>{"".join(lines)}</tbody></table></div>')


def _platform(label):
    name, _, rest = label.partition(" ")
    return f"{text.backend(name)} {rest}".strip()


def _versus(row, case):
    """Speed of a peer relative to Karman."""
    if not row.peer or not case.own or not case.own.ok:
        return ""
    return text.times(case.own.median / row.median)


def _who(run, row):
    """Name of the implementation; a yardstick or a plain loop in the family "copy"."""
    if row.family != "copy":
        return text.implementation(row)
    yardstick = row.algorithm in (run.context.get(f"yardstick_{row.backend}"), "fma_peak")
    return "yardstick" if yardstick else "plain loop"


def _detail_row(run, row, case, first):
    name = f"{text.algorithm(row)}"
    kernel = (f'<th scope="row">{escape(name)}<small>{text.PRECISIONS[row.precision]} · {text.size(row.size)}</small></th>'
              if first else '<td class="empty"></td>')
    classes = " ".join(filter(None, ["case" if first else "", "" if row.peer or row.family == "copy" else "own-row"]))
    who = tag("td", escape(_who(run, row)))
    if not row.ok:
        rest = f'<td colspan="5">{_missing(row)}</td>'
    else:
        batch = f"<small>{row.batch} calls between fences</small>" if row.batch > 1 else ""
        flops = f"<small>{escape(text.arithmetic(row))}</small>" if row.flops else ""
        rest = (tag("td", f"{text.seconds(row.median)}{batch}{flops}", class_="number", data_label="Time")
                + tag("td", text.bandwidth(row.bandwidth) if row.has_bandwidth else "–", class_="number", data_label="Modelled traffic")
                + tag("td", f"{_share(row)}<small>{text.percent(row.share)}</small>" if row.has_bandwidth else "–",
                       data_label="Share of the copy bandwidth")
                + tag("td", _versus(row, case), class_="number", data_label="Speed next to Karman" if row.peer else "")
                + tag("td", _spread(row), class_="number", data_label="Spread"))
    return f'<tr class="{classes}">{kernel}{who}{rest}</tr>'


def _details(runs, family):
    blocks = []
    for label, (run, backend) in platforms.columns(runs).items():
        cases = results.cases(run, backend, family)
        if not cases:
            continue
        lines = [_detail_row(run, row, case, n == 0) for case in cases.values() for n, row in enumerate(case.rows)]
        head = ('<thead><tr><th scope="col">Kernel</th><th scope="col">Implementation</th><th scope="col" class="number">Time</th>'
                '<th scope="col" class="number">Modelled traffic</th><th scope="col">Share of the copy bandwidth</th>'
                '<th scope="col" class="number">Speed next to Karman</th><th scope="col" class="number">Spread</th></tr></thead>')
        table = f"<table>{head}<tbody>{''.join(lines)}</tbody></table>"
        blocks.append(f"<details><summary>{escape(_platform(label))}: every row</summary>{table}</details>")
    return "".join(blocks)


def _machines(runs):
    entries = []
    for label, (run, backend) in platforms.columns(runs).items():
        bandwidth = run.context.get(f"yardstick_{backend}_GBps")
        threads = run.concurrency(backend)
        what = "threads in flight" if backend == "cuda" else "thread" if threads == "1" else "threads"
        loop = run.context.get(f"yardstick_{backend}", "copy")
        peaks = "; ".join(f"peak {text.significant(float(peak))} GFlop/s {text.PRECISIONS[precision]}"
                          for precision in text.PRECISIONS
                          if (peak := run.context.get(f"peak_{backend}_{precision}_GFlops")))
        entries.append((_platform(label), f"{bandwidth} GB/s" if bandwidth else "–",
                        "; ".join(filter(None, [f"{loop} bandwidth", peaks, f"{run.device(backend)}, {threads} {what}"]))))
    return _facts(entries)


def _failures(runs):
    failed = [row for run in runs for row in run.rows if not row.ok and not row.skipped]
    if not failed:
        return ""
    return (f'<p class="alarm">{len(failed)} row{"s" if len(failed) != 1 else ""} FAILED: wrong answer, no time shown.</p>')


def _left_out(runs):
    """How many rows have no time, by reason and family."""
    skipped = [row for run in runs for row in run.rows if row.skipped]
    if not skipped:
        return ""
    reasons = {}
    for row in skipped:
        reasons.setdefault(row.failure.split(": ", 1)[-1], []).append(row)
    parts = []
    for reason, rows in reasons.items():
        families = {family: sum(row.family == family for row in rows) for family in dict.fromkeys(row.family for row in rows)}
        named = ", ".join(f"{text.family(family)} {count}" for family, count in families.items())
        parts.append(f"<p class=\"note\">{len(rows)} row{'s' if len(rows) != 1 else ''} left out: {escape(reason)}. By family: {escape(named)}.</p>")
    return "".join(parts)


def _legend(runs):
    noisy = any(row.noisy for run in runs for row in run.rows if row.ok)
    unsure = (f'<span><i class="unsure"></i>NOISY: the middle half of the repetitions spreads over more than {text.percent(results.NOISY)} '
              "of the median; open marks on curves</span>") if noisy else ""
    return ('<p class="legend"><span><i class="own"></i>Karman</span><span><i></i>peers</span>'
            f'<span><i class="mark"></i>100 % of the copy bandwidth</span>{unsure}</p>')


def performance_section(runs, heading):
    rows = sum(not row.skipped for run in runs for row in run.rows)
    parts = [
        "<h2>Performance of each kernel</h2>" if heading else "",
        f"<p>{rows} rows, each checked against a known answer before timing; medians of several repetitions. Modelled traffic is "
        "the minimum of an operation; bars show it as a share of the copy bandwidth in the same run.</p>",
        _failures(runs),
        _left_out(runs),
        _machines(runs),
        overview.section(runs),
        roofline.section(runs),
        _legend(runs),
    ]
    compared = curves.with_table(runs)
    for family in results.families(runs):
        parts.append(f"<h3>{escape(text.family(family))}</h3>")
        if family in GOOD_RESULTS:
            parts.append(f"<p>{GOOD_RESULTS[family]}</p>")
        if family in curves.FAMILIES:
            parts.append(curves.section(runs, family, _platform))
        if family in compared:
            parts.append(curves.above_table(runs, family))
            parts.append(_summary(runs, family))
        parts.append(_details(runs, family))
        if family in compared:
            parts.append(overview.family_section(runs, family))
    return "".join(parts)


def _footer(runs):
    blocks = []
    for run in runs:
        context = run.context
        kokkos = context.get("kokkos_version", "?")
        entries = [
            ("Command", f"<code>{escape(context.get('command', 'karman-perf'))}</code>"),
            ("Karman", escape(f"{context.get('karman_version', '?')}, commit {context.get('commit', '?')}")),
            ("Kokkos", escape(kokkos)), ("Compiler", escape(context.get("compiler", "?"))),
        ]
        if context.get("cuda_version"):
            entries.append(("CUDA", escape(context["cuda_version"])))
        environment = [f"{name}={context[name]}" for name in ("OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES")
                       if context.get(name, "not set") != "not set"]
        entries.append(("Environment", escape(", ".join(environment) or "no OMP variable set")))
        entries.append(("Date", escape(context.get("date", "?"))))
        blocks.append("<dl>" + "".join(f"<dt>{key}</dt><dd>{value}</dd>" for key, value in entries) + "</dl>")
    return f"<footer>{''.join(blocks)}</footer>"


def build(runs, wind=None, platforms=()):
    """The whole page as text."""
    title = str(wind["facts"].get("title", "Wind")) if wind else \
        "Performance of each kernel" if runs else "Time of whole applications"
    head = (f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)} – Karman</title>'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<link rel="icon" href="data:,">'
            f"<style>{STYLE.read_text(encoding='utf-8')}</style></head><body><main>")
    parts = [head, '<p class="kicker">Karman</p>', f"<h1>{escape(title)}</h1>"]
    if wind:
        parts.append('<p class="lead">A mass-conserving wind field through buildings, computed on this machine. Then the speed of every '
                     "kernel behind it, next to the usual alternatives.</p>")
        parts.append(wind_section(wind))
    if platforms:
        parts.append(applications.section(platforms, heading=bool(runs) or wind is not None))
    if runs:
        parts.append(performance_section(runs, heading=wind is not None or bool(platforms)))
        parts.append(_footer(runs))
    parts.append("</main></body></html>\n")
    return "".join(parts)
