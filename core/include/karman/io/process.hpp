// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Standard descriptors, streams and environment of a program.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace karman {

/// Opens closed descriptors 0, 1 and 2 on /dev/null. Otherwise the first file of the program would get that number, and
/// printed text would go into it.
/// \pre No file was opened yet.
void open_standard_descriptors() noexcept;

/// Flushes stdout and std::cout.
/// \return true when all printed text ever arrived
bool flush_standard_output() noexcept;

/// Variable of the environment: name and value.
using EnvironmentVariable = std::pair<std::string, std::string>;

/// Variable in which restart_with() stores the names that it has set, with commas between them.
inline constexpr char const* restarted_variable = "KARMAN_ENVIRONMENT";

/// Restarts the program once, with new variables, for libraries that read their environment when loaded (OpenMP).
/// Returns when the variables have these values already, in the restarted program, and where a restart is impossible
/// (no /proc). The variables are set in any case.
/// \param variables names and values
/// \param arguments arguments of main()
/// \pre No thread was started, no file opened, nothing printed.
void restart_with(std::vector<EnvironmentVariable> const& variables, char* const* arguments);

}  // namespace karman
