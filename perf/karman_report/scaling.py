# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scaling of a kernel: time and speed-up over the number of elements, and over the number of threads with Amdahl's law."""

from . import charts, text

ONE_THREAD = "residual_1"
"""Rows of a host backend on one thread, in builds without Serial."""
VARIANTS = {
    "residual": "",
    ONE_THREAD: "one thread",
    "residual_pinned_transfers": "transfers, page-locked",
    "residual_plain_transfers": "transfers, plain memory",
}
FIT_POINTS = 24


def short(number):
    """2 k, 524 k, 8.4 M: numbers of elements on an axis."""
    for prefix, scale in (("M", 1e6), ("k", 1e3)):
        if number >= scale:
            value = number / scale
            return f"{value:.0f} {prefix}" if value >= 9.95 or abs(value - round(value)) < 0.05 else f"{value:.1f} {prefix}"
    return f"{number:g}"


def serial_fraction(times):
    """The f of Amdahl's law T(p) / T(1) = f + (1 - f) / p by least squares; None without T(1) or a second number of threads.
    `times`: {threads: seconds}. Negative where the speed-up exceeds the number of threads."""
    if 1 not in times or len(times) < 2:
        return None
    pairs = [(1 - 1 / p, seconds / times[1] - 1 / p) for p, seconds in times.items() if p > 1]
    return sum(a * b for a, b in pairs) / sum(a * a for a, _ in pairs)


def amdahl(fraction, threads):
    """Speed-up on this number of threads."""
    return 1 / (fraction + (1 - fraction) / threads)


def _rows(run, family, precision):
    return [row for row in run.rows if row.family == family and row.precision == precision and row.ok and not row.peer]


def _precisions(run, family):
    return [p for p in ("f64", "f32") if _rows(run, family, p)]


def _name(row):
    variant = VARIANTS.get(row.algorithm, row.algorithm.replace("_", " "))
    return ", ".join(filter(None, [text.backend(row.backend), variant]))


def over_sizes(run, precision):
    """{name: [Point, ...]}: milliseconds over the number of elements."""
    found = {}
    for row in _rows(run, "euler_sizes", precision):
        found.setdefault(_name(row), []).append(charts.Point(int(row.size), 1e3 * row.median, row.noisy))
    return found


def on_one_thread(run, precision):
    """{size: row}: the residual by Serial, else by the host backend on one thread; empty without either."""
    rows = _rows(run, "euler_sizes", precision)
    serial = {row.size: row for row in rows if row.backend == "serial" and row.algorithm == "residual"}
    return serial or {row.size: row for row in rows if row.algorithm == ONE_THREAD}


def speed_ups(run, precision):
    """{name: [Point, ...]}: time of the kernel on one thread over the time, at sizes that have both."""
    reference = on_one_thread(run, precision)
    found = {}
    for row in _rows(run, "euler_sizes", precision):
        one = reference.get(row.size)
        if one and row is not one:
            found.setdefault(_name(row), []).append(
                charts.Point(int(row.size), one.median / row.median, row.noisy or one.noisy))
    return found


def over_threads(run, backend, precision):
    """(points of the speed-up over threads, serial fraction, elements); None without two numbers of threads."""
    rows = {int(row.algorithm.rpartition("_")[2]): row
            for row in _rows(run, "euler_threads", precision) if row.backend == backend}
    fraction = serial_fraction({p: row.median for p, row in rows.items()})
    if fraction is None:
        return None
    one = rows[1]
    points = [charts.Point(p, one.median / row.median, row.noisy or one.noisy) for p, row in sorted(rows.items())]
    return points, fraction, int(one.size)


def _place(runs, run, *names):
    """Backends of the run, with their devices where several runs are shown."""
    if len(runs) == 1:
        return ""
    return ", " + "; ".join(dict.fromkeys(run.device(name) for name in names))


def sizes(runs):
    """Time and speed-up over the number of elements, for each run and precision."""
    parts = []
    for run in runs:
        backends = [b for b in run.backends() if any(r.family == "euler_sizes" and r.backend == b for r in run.rows)]
        for precision in _precisions(run, "euler_sizes"):
            title = f"{text.PRECISIONS[precision]} precision{_place(runs, run, *backends)}"
            times, ratios = over_sizes(run, precision), speed_ups(run, precision)
            of_one = ", ".join(dict.fromkeys(text.backend(row.backend) for row in on_one_thread(run, precision).values()))
            crossing = (" With transfers the variables come from the memory of the host, and the result goes back to it."
                        if any("transfers" in name for name in times) else "")
            parts.append(charts.figure(charts.curves(list(times.items()), "triangles", "time of a residual (ms)",
                                               f"Time over triangles, {title}", x_text=short),
                                 f"Time, {title}", "One residual on the same mesh everywhere. Lower is better. At the left the "
                                 f"launch of kernels dominates.{crossing}"))
            parts.append(charts.figure(charts.curves(list(ratios.items()), "triangles", "speed-up over one thread",
                                               f"Speed-up over triangles, {title}", x_text=short),
                                 f"Speed-up, {title}", f"Time of one thread ({of_one}, same source, same "
                                 f"machine, no transfers) over the time. Higher is better.{crossing}"))
    return "".join(parts)


def threads(runs):
    """Speed-up over the number of threads with the fit of Amdahl's law, for each run, backend and precision."""
    parts = []
    for run in runs:
        for backend in run.backends():
            for precision in _precisions(run, "euler_threads"):
                found = over_threads(run, backend, precision)
                if found is None:
                    continue
                points, fraction, elements = found
                most = points[-1].x
                fit = [charts.Point(x, amdahl(max(fraction, 0.0), x)) for x in _between(most)]
                models = [(f"Amdahl, f = {100 * fraction:.1f} %", fit), ("ideal", [charts.Point(x, x) for x in (1, most)])]
                where = f"{text.PRECISIONS[precision]} precision, {text.backend(backend)}{_place(runs, run, backend)}"
                caption = (f"{short(elements)} triangles; efficiency on {most} threads {points[-1].y / most:.2f}. Dashed: Amdahl's law "
                           "1 / (f + (1 - f) / p) with the serial fraction f by least squares, and the ideal. Each number of threads "
                           "runs in a program of its own.")
                parts.append(charts.figure(charts.curves([("measured", points)], "threads", "speed-up over one thread",
                                                   f"Speed-up over threads, {where}", lines=models), f"Threads, {where}", caption))
    return "".join(parts)


def _between(most):
    """Numbers of threads from 1 to the most, evenly on a logarithmic axis."""
    return [most ** (n / FIT_POINTS) for n in range(FIT_POINTS + 1)]
