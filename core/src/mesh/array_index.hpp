// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace karman::detail {

/// Index of a node, edge or triangle into a standard container.
constexpr std::size_t at(int number) { return static_cast<std::size_t>(number); }

}  // namespace karman::detail
