// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Checks of preconditions on the host.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace karman {

/// Checks a precondition on the host. Kernels use KOKKOS_ASSERT instead.
/// \param condition required truth
/// \param message object, requirement, found value and fix
/// \param where location in the message: that of the caller
/// \throws std::invalid_argument with the location and the message unless `condition` holds
inline void require(bool condition, std::string_view message,
                    std::source_location where = std::source_location::current()) {
  if (!condition) {
    throw std::invalid_argument(std::string(where.file_name()) + ':' + std::to_string(where.line()) + ": " +
                                std::string(message));
  }
}

}  // namespace karman
