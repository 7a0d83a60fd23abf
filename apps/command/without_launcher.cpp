// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds without MPI: one process.
#include "common/run/processes.hpp"

namespace karman::app {

QuietBesideFirst::QuietBesideFirst() = default;
QuietBesideFirst::~QuietBesideFirst() = default;

std::shared_ptr<Processes> join_processes() { return std::make_shared<Processes>(); }

std::string message_library() { return {}; }

std::string transport_name(Processes const&, bool) { return "none"; }

}  // namespace karman::app
