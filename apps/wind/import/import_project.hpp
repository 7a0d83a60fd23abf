// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Projects of QES-Winds and QUIC as cases of `karman wind`.
#pragma once

#include "foreign_value.hpp"

#include <filesystem>
#include <string>

namespace karman::wind {

/// A case from a project of another program.
struct ImportedCase {
  std::string text;       ///< JSON of a case that fits the schema
  ImportRemarks remarks;  ///< inputs without a counterpart, in the order of the files
};

/// Converts a project. docs/wind_import.md lists the elements and their keys.
/// \param path XML file of QES-Winds, or QU_simparams.inp of QUIC, or the folder of that file
/// \return the case, with absolute paths of the files that it names
/// \throws CaseError for a project that is malformed, incomplete or beyond the ranges of a case, one line per problem
/// \throws FileError for a path that cannot be read
ImportedCase import_project(std::filesystem::path const& path);

/// Prints the case on stdout and the remarks on stderr, one line each. Returns the exit code.
int print_import(std::filesystem::path const& path);

}  // namespace karman::wind
