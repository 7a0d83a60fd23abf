// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

/// Writes the values to a file and reads them back. Returns true if they are equal.
bool survive_a_file(std::vector<double> const& values);
