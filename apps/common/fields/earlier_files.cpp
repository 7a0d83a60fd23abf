// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "earlier_files.hpp"

#include <karman/io/error.hpp>

#include <system_error>

namespace karman::app {

void remove_earlier(std::filesystem::path const& file, Overwrite overwrite) {
  if (overwrite == Overwrite::no) return;
  std::error_code error;
  std::filesystem::remove(file, error);
  if (error) throw FileError(file.string(), "remove", error.message());
}

}  // namespace karman::app
