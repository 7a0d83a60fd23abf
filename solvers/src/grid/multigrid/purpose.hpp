// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Purpose of the parts of a multigrid plan.
#pragma once

namespace karman::detail {

/// Making a plan, or counting its memory alone: then nothing is allocated and no kernel runs.
enum class MultigridPurpose { solving, counting };

}  // namespace karman::detail
