// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Order in which the rows of a comparison run.
#pragma once

#include "row.hpp"

#include <string>
#include <vector>

namespace karman::perf {

/// Sorts rows by backend, in the order of `backends`; within a backend they keep their order. With `limited`, for a run
/// that may end early, every family comes first with one row and its peers. Then follow the next rows of every family.
/// A family begins with its first row that has a peer. A row of Karman is before its peers in `rows`.
std::vector<Row> running_order(std::vector<Row> rows, std::vector<std::string> const& backends, bool limited);

}  // namespace karman::perf
