// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case_file.hpp"

#include <karman/io/config.hpp>

namespace karman::wind {

std::filesystem::path file_of_case(Case const& input, std::string const& pointer) {
  std::filesystem::path const file = input.get<std::string>(pointer);
  return file.is_absolute() ? file : std::filesystem::path(input.source()).parent_path() / file;
}

}  // namespace karman::wind
