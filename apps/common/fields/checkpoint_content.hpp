// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Contents that the checkpoints of all applications share.
#pragma once

#include <karman/io/checkpoint.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

namespace karman {
class Case;
}

namespace karman::app {

/// Copy of a case without the values at these JSON pointers; pointers to absent values are ignored. Serves the
/// comparison of two cases by the values that determine the iterates.
nlohmann::json without(nlohmann::json whole, std::initializer_list<char const*> pointers);

/// Throws CaseError with the first difference when two cases differ: `then` from the checkpoint `file`, `now` from the
/// present run. Both exclude the entries that may change between runs.
void require_same_case(nlohmann::json const& then, nlohmann::json const& now, Case const& input,
                       std::filesystem::path const& file);

/// Values of a table of doubles (rows, columns), row by row. Throws FileError unless it has this number of columns.
std::vector<double> read_rows(Checkpoint const& checkpoint, std::string const& table, std::size_t columns);

}  // namespace karman::app
