# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Strategies of finite-element assembly side by side, on a mesh in three numberings."""

from html import escape

from . import charts, text

NUMBERINGS = ("ordered", "shuffled", "renumbered")
EQUATIONS = {"": "Laplacian", "mild_slope": "Complex mild-slope equation"}
STRATEGIES = {
    "atomic": "atomic additions",
    "colored": "colours",
    "colored_blocks": "coloured blocks in scratch",
    "row_gather": "row gather",
    "row_blocks": "blocks of rows in scratch",
    "expanded": "element storage, then sums",
}


def parts(algorithm):
    """(strategy, equation, numbering) of a row's algorithm, such as row_gather_mild_slope_shuffled."""
    rest, _, numbering = algorithm.rpartition("_")
    for equation in EQUATIONS:
        if equation and rest.endswith("_" + equation):
            return rest[:-len(equation) - 1], equation, numbering
    return rest, "", numbering


def side_by_side(rows):
    """{(equation, precision): {strategy: {numbering: row}}}, in the order of the rows."""
    found = {}
    for row in rows:
        strategy, equation, numbering = parts(row.algorithm)
        found.setdefault((equation, row.precision), {}).setdefault(strategy, {})[numbering] = row
    return found


def _cell(row, numbering):
    label = f' data-label="{escape(numbering)}" class="inline"'
    if row is None:
        return f"<td{label}>–</td>"
    return (f'<td{label}><span class="rate">{escape(text.rate(row))}</span>{charts.bar(row.share, "own", row.noisy)}'
            f"<small>{text.seconds(row.median)} · {text.percent(row.share)} of copy</small>{text.noise(row)}</td>")


def strategies(rows, place):
    """One table per equation and precision: one line per strategy, a column per numbering."""
    blocks = []
    for (equation, precision), lines in side_by_side(rows).items():
        columns = [n for n in NUMBERINGS if any(n in line for line in lines.values())]
        head = "".join(f'<th scope="col">{escape(n)}</th>' for n in columns)
        title = f"{EQUATIONS[equation]}, {text.PRECISIONS[precision]} precision, {place}"
        body = "".join(f'<tr><th scope="row">{escape(STRATEGIES.get(strategy, strategy.replace("_", " ")))}</th>'
                       + "".join(_cell(line.get(n), n) for n in columns) + "</tr>" for strategy, line in lines.items())
        blocks.append(f'<table class="summary"><thead><tr><th scope="col">{escape(title)}</th>{head}</tr></thead>'
                      f"<tbody>{body}</tbody></table>")
    return "".join(blocks)
