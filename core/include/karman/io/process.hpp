// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Standard descriptors and streams of a program, settled before its first file.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace karman {

/// Opens each of the descriptors 0, 1 and 2 that is closed on /dev/null. Without, the first file that the program opens
/// gets that number, and what is printed is written into it. To be called before any file is opened.
void open_standard_descriptors() noexcept;

/// Sends what stdout (and std::cout) still hold on its way; whether all that was ever printed there arrived.
bool flush_standard_output() noexcept;

/// A variable of the environment.
using EnvironmentVariable = std::pair<std::string, std::string>;

/// The variable in which restart_with() leaves the names of those that it has set, with commas between them.
inline constexpr char const* restarted_variable = "KARMAN_ENVIRONMENT";

/// Makes the program start anew, once, with these variables, for libraries that read their environment when they are
/// loaded (OpenMP's runtime). Returns when they have these values already, when this is the new start, or where a
/// program cannot be started anew (no /proc); the variables are set in any case. `arguments` are those of main(). To be
/// called before any thread is started, any file opened or anything printed.
void restart_with(std::vector<EnvironmentVariable> const& variables, char* const* arguments);

}  // namespace karman
