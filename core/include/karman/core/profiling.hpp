// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Names for profiling tools. Every kernel, allocation and region of Karman is called `karman::<module>::<step>`.
#pragma once

#include <karman/core/compat.hpp>

namespace karman {

/// Region of Kokkos Tools, open for the life of the object: `Region region("karman::sor::solve");`.
using Region = compat::ScopedRegion;

}  // namespace karman
