# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Performance portability on the page and as text: Karman's families over all platforms, and the kernels of each family."""

from html import escape

from . import cascade, curves, platforms, portability, text
from .markup import tag

TITLES = {"application": "Application efficiency", "architectural": "Architectural efficiency"}
MOST_LETTERS = 4
"""With more platforms than this, their number replaces their letters where all are meant."""
DEFINITION = (
    "The metric of Pennycook, Sewall and Lee (2019): the harmonic mean of an efficiency over platforms, 1 at best. "
    "A platform is a backend on a device with its number of threads; all files of a platform together are one. "
    "Application efficiency: time of the fastest implementation in the same run over Karman's. "
    "Architectural efficiency: share of the copy bandwidth of the same run; it can pass 1."
)
COUNTED = (
    "Counted is each kernel at the largest size of a platform, of equal sizes by the newest run. "
    "A wrong answer counts as 0, which makes the mean 0. A kernel without a time on a platform cannot run there, was left out, "
    "or was not selected; the files do not distinguish these. It is not measured there and not counted as 0. "
    "A family counts the kernels that have an efficiency on all of its platforms, by their harmonic mean. "
    "Application efficiency needs a peer in the same run, since Karman alone would always be the fastest. "
    "Peers that do less work, such as transforms alone, count too: with these the efficiency is a lower bound. "
    "Means over different platforms cannot be compared."
)
CASCADE = {
    "application": "One line per family. First chart: efficiency on the best platform, the second best, and so on. "
                   "Second chart: the metric over the platforms so far; its last point is the value of the table. "
                   "A flat line near 1 is portable; a late fall is one slow platform. Letters give the platform at each place.",
    "architectural": "The same for the share of the copy bandwidth. Families bound by arithmetic or latency are low everywhere; "
                     "their lines are flat if the platforms suit them equally.",
}
NOISY = '<small class="noisy">NOISY</small>'


def families(runs):
    """[(name, {way: Family or None})] of the families with an efficiency on two platforms."""
    places = platforms.distinct(runs)
    found = [(name, {way: portability.family(places, name, way) for way in portability.WAYS}) for name in curves.with_table(runs)]
    return [(name, ways) for name, ways in found if any(ways.values())]


def described(family, number):
    """6 of 8 kernels on A B C; `number` platforms in all."""
    kernels = f"{family.of} kernel{'s' if family.of != 1 else ''}"
    if not family.counted:
        return f"none of {kernels} is on every one of {' '.join(family.letters)}"
    return f"{len(family.counted)} of {kernels} on {_letters(family.letters, number)}"


def _letters(letters, number):
    return f"all {number}" if len(letters) == number > MOST_LETTERS else " ".join(letters)


def _value(value):
    return "–" if value is None else f"{value:.2f}"


def _kernel(row):
    return f"{text.algorithm(row)}, {text.PRECISIONS[row.precision]}"


def _cell(value, small, label, noisy=False):
    return tag("td", f'<span class="rate">{_value(value)}</span><small>{escape(small)}</small>{NOISY if noisy else ""}',
               data_label=label, class_="inline")


def _mean_cell(family, way, number):
    if family is None:
        return _cell(None, "", TITLES[way])
    return _cell(family.mean, described(family, number), TITLES[way], any(e.noisy for e in family.efficiencies.values()))


def _lowest_cell(family, way):
    label = f"Lowest {way}"
    if family is None or not family.counted:
        return _cell(None, "", label)
    efficiency, kernel, letter = family.lowest(way)
    return _cell(efficiency.value, f"{letter}: {_kernel(kernel.row)}", label, efficiency.noisy)


def _keys(places):
    """Letters and names of platforms."""
    entries = []
    for platform in places:
        files = f" ({len(platform.runs)} files)" if len(platform.runs) > 1 else ""
        entries.append(f"<span><b>{platform.letter}</b> {escape(platform.name + files)}</span>")
    return f'<p class="legend">{"".join(entries)}</p>'


def section(runs):
    """Part of the page; empty with fewer than two platforms."""
    places = platforms.distinct(runs)
    found = families(runs)
    if not found:
        return ""
    rows = []
    for name, ways in found:
        cells = [_mean_cell(ways[way], way, len(places)) for way in portability.WAYS]
        cells.append(_lowest_cell(ways["application"], "application"))
        rows.append(f'<tr><th scope="row">{escape(text.family(name))}</th>{"".join(cells)}</tr>')
    head = "".join(f'<th scope="col">{title}</th>' for title in ("Karman", *TITLES.values(), "Lowest application efficiency"))
    table = f'<table class="summary"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    plots = "".join(_families_cascade(found, way, len(places)) for way in portability.WAYS)
    return (f"<h3>Performance portability over {len(places)} platforms</h3><p>{DEFINITION}</p>{_keys(places)}{table}"
            f'<p class="note">{COUNTED}</p>{plots}')


def _families_cascade(found, way, number):
    lines = [(text.short_family(name), ways[way].efficiencies if ways[way] else {}) for name, ways in found]
    return cascade.plot(lines, number, f"{TITLES[way]}, Karman by family", CASCADE[way], TITLES[way].lower())


def _implementations_cascade(kernels, number):
    kernel = cascade.leading(kernels)
    if kernel is None:
        return ""
    lines, left_out = cascade.chosen(kernel)
    more = f" {left_out} more in the table of rows." if left_out else ""
    sizes = ", ".join(f"{letter} {text.size(kernel.cases[letter].own.size)}" for letter in kernel.application)
    caption = (f"Sizes: {sizes}. A line ends where an implementation has no row. If it cannot run there, its metric over all platforms "
               f"is 0.{more}")
    return cascade.plot(lines, number, f"Implementations of one kernel: {_kernel(kernel.row)}", caption, TITLES["application"].lower())


def _kernel_mean(kernel, way, number):
    over = kernel.efficiencies(way)
    short = number <= MOST_LETTERS or len(over) == number
    named = f"<small>{_letters(over, number) if short else f'{len(over)} of {number}'}</small>" if len(over) > 1 else ""
    return tag("td", f"{_value(portability.mean(over))}{named}", class_="number", data_label=f"Portability, {way}")


def _kernel_cell(kernel, letter):
    """Both efficiencies on a platform."""
    found = [kernel.efficiencies(way).get(letter) for way in portability.WAYS]
    application, architectural = (_value(efficiency and efficiency.value) for efficiency in found)
    noisy = NOISY if any(efficiency and efficiency.noisy for efficiency in found) else ""
    return tag("td", f"{application}<small>{architectural}</small>{noisy}", class_="number", data_label=letter)


def family_section(runs, name):
    """The kernels of a family, and the implementations of one of them; empty without a kernel on two platforms."""
    places = platforms.distinct(runs)
    kernels = [kernel for kernel in portability.kernels(places, name)
               if any(len(kernel.efficiencies(way)) > 1 for way in portability.WAYS)]
    if not kernels:
        return ""
    places = [platform for platform in places if any(platform.letter in kernel.cases for kernel in kernels)]
    rows = []
    for kernel in kernels:
        head = f'{escape(text.algorithm(kernel.row))}<small>{text.PRECISIONS[kernel.row.precision]} precision</small>'
        means = "".join(_kernel_mean(kernel, way, len(places)) for way in portability.WAYS)
        cells = "".join(_kernel_cell(kernel, platform.letter) for platform in places)
        rows.append(f'<tr><th scope="row">{head}</th>{means}{cells}</tr>')
    heads = [*(f"Portability<br>{way}" for way in portability.WAYS), *(platform.letter for platform in places)]
    head = "".join(f'<th scope="col" class="number">{column}</th>' for column in heads)
    table = f'<table><thead><tr><th scope="col">Kernel</th>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'
    return ('<details><summary>Performance portability</summary><p class="note">Each mean is over the platforms under it. '
            "Columns of platforms: application efficiency, below it architectural efficiency. "
            "–: not measured, or no peer in the same run.</p>"
            f'{_keys(places)}<div class="scroll">{table}</div>{_implementations_cascade(kernels, len(places))}</details>')


def lines(runs):
    """The tables as text; none with fewer than two platforms."""
    places, found = platforms.distinct(runs), families(runs)
    if not found:
        return
    yield ""
    yield f"Performance portability over {len(places)} platforms: harmonic mean of an efficiency"
    for platform in places:
        yield f"  {platform.letter}: {platform.name}"
    yield "  (application efficiency: against the fastest implementation in the same run, with a peer; architectural: share of copy bandwidth;"
    yield "  a kernel that is not measured on a platform is not counted there; a family counts kernels that are on all of its platforms)"
    for name, ways in found:
        yield ""
        yield f"{text.family(name)}"
        parts = [f"{way} {_value(family.mean)} ({described(family, len(places))})" for way, family in ways.items() if family]
        yield f"  {'all':<62} {', '.join(parts)}"
        for kernel in portability.kernels(places, name):
            parts = [f"{way} {_value(portability.mean(over))} ({_letters(over, len(places))})"
                     for way in portability.WAYS if len(over := kernel.efficiencies(way)) > 1]
            if parts:
                yield f"  {_kernel(kernel.row):<62} {', '.join(parts)}"
