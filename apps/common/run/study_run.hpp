// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A parameter study, from its case to its table: whole members, over one process or several.
#pragma once

#include "common/case/study.hpp"
#include "needs.hpp"
#include "run_context.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace karman::app {

/// End of a member.
struct MemberEnd {
  int exit_code = 0;
  std::vector<double> figures = {};  ///< of the end, one per column; empty where a signal stopped it
  double seconds = 0;
};

/// Needs of a member.
struct MemberNeeds {
  Needs needs;
  std::string words;  ///< "about 1720 steps"
};

/// A member in the table.
struct StudyRow {
  int exit_code;
  std::vector<double> const& figures;  ///< as many as there are columns
};

/// Calls of an application for the members of its study.
struct StudyWork {
  std::vector<std::string> columns;  ///< of the figures
  char const* result;                ///< file of a finished member
  char const* checkpoint;            ///< file of an unfinished one
  char const* interval;              ///< pointer to the seconds between checkpoints
  std::vector<std::string> remarks;  ///< lines about the cases
  /// Estimates a member, after the start of Kokkos.
  std::function<MemberNeeds(std::size_t)> needs;
  /// Evaluates all values of a member, for a dry run. Throws CaseError.
  std::function<void(std::size_t)> evaluate;
  /// Runs a member from prepare() to its files.
  std::function<MemberEnd(RunContext&, std::size_t)> run;
  std::span<char const* const> outputs;  ///< files of a member at its end, beside its frames
  /// Whether a member that a signal has stopped continues from its own checkpoint; else it is computed again.
  bool continues_members = true;
  /// Whether the table has the values of the varied keys; else the figures have them.
  bool lists_values = true;
  std::vector<std::string> files = {};  ///< that finish() writes
  /// Writes files of its own after the table.
  std::function<void(std::vector<StudyRow> const&)> finish = {};
};

/// Removes the files of a run from its folder: these outputs, frames, and both checkpoints.
void remove_run(std::filesystem::path const& folder, std::span<char const* const> outputs, char const* checkpoint);

/// Removes the files of the members from number `first` on, and their folders where no other files are in them.
/// `member`: as StudyNames has it.
void remove_members(std::filesystem::path const& folder, std::string const& member, std::size_t first,
                    std::span<char const* const> outputs, char const* checkpoint);

/// Runs all members, each in a folder of its own, and writes the table: a row per member with its name, outcome,
/// values and figures. Several processes take whole members in rounds. Members whose result is wrong or that break down
/// do not end the study. Returns the exit code of the first of them. A restart computes only the members that its
/// checkpoint lacks, from their own checkpoints where there are some. Collective. Throws CaseError, FileError,
/// CannotRun.
int run_study(RunContext& context, Case const& input, Study const& study, StudyWork const& work);

}  // namespace karman::app
