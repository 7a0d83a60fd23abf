// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Results of earlier runs in an output folder.
#pragma once

#include <karman/io/atomic_file.hpp>

#include <filesystem>

namespace karman::app {

/// With Overwrite::yes: removes a result of an earlier run that this run has not. Throws FileError.
void remove_earlier(std::filesystem::path const& file, Overwrite overwrite);

}  // namespace karman::app
