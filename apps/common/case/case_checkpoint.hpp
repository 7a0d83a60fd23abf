// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checkpoints of a case: contents that all applications share, comparison of a restart with its checkpoint.
#pragma once

#include <karman/io/checkpoint.hpp>

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
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

/// Throws CaseError where a checkpoint has gone beyond the limit of the case at a JSON pointer. `what`: "time" or
/// "step".
void require_within(double reached, double limit, char const* what, std::string const& pointer, Case const& input,
                    std::filesystem::path const& file);

/// Values of a table of doubles (rows, columns), row by row. Throws FileError unless it has this number of columns.
std::vector<double> read_rows(Checkpoint const& checkpoint, std::string const& table, std::size_t columns);

/// A checkpoint whose metadata are its case and a step. Where a state has more numbers, they are arrays.
struct CaseCheckpoint {
  Checkpoint file;
  std::int64_t step = 0;
};

/// Writes such a checkpoint, see write_checkpoint().
void write_case_checkpoint(std::filesystem::path const& file, CheckpointFormat const& format, Case const& input,
                           std::int64_t step, std::vector<CheckpointArray> const& arrays);

/// Opens a checkpoint of the same case, or its predecessor if it is damaged. `may_change`: JSON pointers to values that
/// may differ from the checkpoint. `limit`: pointer to the last step of the run. Throws FileError, CaseError
/// for another case and for a limit below the step.
CaseCheckpoint open_case_checkpoint(std::filesystem::path const& file, CheckpointFormat const& format,
                                    Case const& input, std::initializer_list<char const*> may_change,
                                    char const* limit);

}  // namespace karman::app
