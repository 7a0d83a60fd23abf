// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Messages on files from which a flow cannot start or continue: the fault in plain words, and the fix.
#pragma once

#include <karman/io/error.hpp>

#include <filesystem>

namespace karman::euler {

/// Error of `/initial/file`, for the user: without the words of the HDF5 library, with the files that are possible.
/// Errors of other files, and of a file that is absent or cannot be opened, are unchanged.
FileError start_fault(std::filesystem::path const& path, FileError const& error);

/// The same of a checkpoint from which a run continues. Recognises results.
FileError restart_fault(std::filesystem::path const& path, FileError const& error);

}  // namespace karman::euler
