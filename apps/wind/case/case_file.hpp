// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Files that a case names.
#pragma once

#include <filesystem>
#include <string>

namespace karman {
class Case;
}

namespace karman::wind {

/// Path of the file named at a JSON pointer; relative names count from the folder of the case.
std::filesystem::path file_of_case(Case const& input, std::string const& pointer);

}  // namespace karman::wind
