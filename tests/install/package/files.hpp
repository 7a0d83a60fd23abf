// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

/// Writes the values to a file, reads them back, and says whether they are the same.
bool survive_a_file(std::vector<double> const& values);
