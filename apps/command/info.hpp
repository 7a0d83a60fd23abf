// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// `karman info`: versions, backends, devices.
#pragma once

#include <string>

namespace karman::app {

/// The answer as text for people, or as JSON. Initialises Kokkos for the time of the call.
std::string info_report(bool json);

}  // namespace karman::app
