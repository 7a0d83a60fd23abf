// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kokkos for the lifetime of the program, and its description, without its headers.
#pragma once

#include <memory>
#include <string>

namespace karman::perf {

/// Initialises Kokkos with the program's arguments (Kokkos removes its own) and finalises it in the destructor.
class Runtime {
 public:
  Runtime(int& argc, char** argv);
  ~Runtime();
  Runtime(Runtime const&) = delete;
  Runtime& operator=(Runtime const&) = delete;

  /// Kokkos' own description of its configuration.
  std::string configuration() const;

 private:
  struct Guard;
  std::unique_ptr<Guard> guard_;
};

}  // namespace karman::perf
