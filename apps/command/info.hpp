// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `karman info`: versions, backends, devices.
#pragma once

#include <string>

namespace karman::app {

class Processes;

/// The answer as text, or as JSON. Initialises Kokkos during the call. Collective.
std::string info_report(bool json, Processes const& processes);

}  // namespace karman::app
