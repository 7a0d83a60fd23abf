# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a parameter study: its table study.csv, and the histories of its members."""

import csv
import re

import numpy as np

from .output_file import PlotError, PlotFileError

MOST_BYTES = 256 << 20
MEMBER = re.compile(r"member-\d{3}")
LABELS = ("member", "outcome")
FIRST_FIGURE = "step"


def read_table(path):
    """Names of the columns, and rows of texts."""
    try:
        if not path.is_file():
            raise PlotFileError(f"{path}: no such file")
        if path.stat().st_size > MOST_BYTES:
            raise PlotError(f"{path}: expected at most {MOST_BYTES >> 20} MiB")
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
    except (UnicodeDecodeError, csv.Error) as error:
        raise PlotError(f"{path}: damaged: {error}") from error
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise PlotError(f"{path}: damaged: expected a table with rows of equal length")
    return rows[0], rows[1:]


class StudyFile:
    """One table; a context manager."""

    def __init__(self, path):
        self.path = path
        self.columns, self.rows = read_table(path)
        if tuple(self.columns[:2]) != LABELS or FIRST_FIGURE not in self.columns or not self.rows:
            raise PlotError(f"{path}: expected the table of a study, which begins with the columns {' and '.join(LABELS)}")
        self.paths = self.columns[2 : self.columns.index(FIRST_FIGURE)]
        if any(MEMBER.fullmatch(row[0]) is None for row in self.rows):
            raise PlotError(f"{path}: damaged: expected members named member-000")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def attributes(self):
        return {"members": len(self.rows), "varied": ", ".join(self.paths)}

    def table(self, _name):
        return {}

    def words(self, row):
        return ", ".join(f"{path} {value}" for path, value in zip(self.paths, row[2:]))

    def history(self, row):
        """Columns of the history of a member; nothing where it has no result."""
        path = self.path.parent / row[0] / "history.csv"
        if not path.exists():
            return {}
        names, rows = read_table(path)
        try:
            values = np.asarray(rows, dtype=float)
        except ValueError as error:
            raise PlotError(f"{path}: damaged: {error}") from error
        return {name: values[:, n] for n, name in enumerate(names)} if len(rows) > 0 else {}
