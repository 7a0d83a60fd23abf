# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parts of perf/report.py: reading results, statistics, tables, the page. Standard library only."""
