// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How the library says that it was called wrongly.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace karman {

/// Throws std::invalid_argument with the source location and `message` unless `condition` holds. For preconditions
/// on the host; kernels use KOKKOS_ASSERT.
inline void require(bool condition, std::string_view message,
                    std::source_location where = std::source_location::current()) {
  if (!condition) {
    throw std::invalid_argument(std::string(where.file_name()) + ':' + std::to_string(where.line()) + ": " +
                                std::string(message));
  }
}

}  // namespace karman
