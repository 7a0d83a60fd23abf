// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Karman's reductions as rows of the comparison.
#pragma once

#include "peers/reduction_peers.hpp"

namespace karman::perf {

/// karman::Reducer, with its result on the host, or on the device for Task::max_on_device.
template <class Exec, class T>
ReductionMaker<Exec, T> karman_reduction(Task task);

}  // namespace karman::perf
