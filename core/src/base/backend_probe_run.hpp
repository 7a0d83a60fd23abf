// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Implementation of check_backend(), accessible to tests that falsify an answer on purpose.
#pragma once

#include "backend_probes.hpp"
#include <karman/core/backend_check.hpp>

#include <optional>

namespace karman::detail {

/// check_backend(). `spoiled` names a probe of which one answer is changed after the kernels have run.
template <ExecutionSpace Exec>
BackendVerdict run_backend_probes(Exec const& space, std::optional<Probe> spoiled);

#define KARMAN_EXTERN(Exec) extern template BackendVerdict run_backend_probes(Exec const&, std::optional<Probe>);
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman::detail
