// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime.hpp"

#include <Kokkos_Core.hpp>

#include <sstream>

namespace karman::perf {

struct Runtime::Guard {
  Guard(int& argc, char** argv) : kokkos(argc, argv) {}
  Kokkos::ScopeGuard kokkos;
};

Runtime::Runtime(int& argc, char** argv) : guard_(std::make_unique<Guard>(argc, argv)) {}
Runtime::~Runtime() = default;

std::string Runtime::configuration() const {
  std::ostringstream text;
  Kokkos::print_configuration(text);
  return text.str();
}

}  // namespace karman::perf
