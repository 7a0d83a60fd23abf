# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What perf/report.py is made of: reading results, statistics, tables, the page. Standard library only."""
