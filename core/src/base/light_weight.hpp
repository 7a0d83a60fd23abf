// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Launch of kernels with many arguments.
#pragma once

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// A policy whose kernels are launched without a wait. Functors above 512 bytes otherwise travel to a CUDA device
/// through one buffer: each such launch waits until the kernel before it has ended. With this hint up to 4 KB are
/// arguments of the launch itself. On a host it means nothing.
template <class Policy>
auto light_weight(Policy const& policy) {
  return Kokkos::Experimental::require(policy, Kokkos::Experimental::WorkItemProperty::HintLightWeight);
}

}  // namespace karman::detail
