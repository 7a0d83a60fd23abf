// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kokkos, for the program that owns it; usable from code that is compiled without Kokkos.
#pragma once

#include <karman/core/backend_name.hpp>

#include <memory>

namespace karman::app {

/// Initialises Kokkos, and finalises it when it goes. One at a time, in a program's main only. Throws
/// std::runtime_error when a device cannot be started.
class KokkosRuntime {
 public:
  KokkosRuntime();
  ~KokkosRuntime();
  KokkosRuntime(KokkosRuntime const&) = delete;
  KokkosRuntime& operator=(KokkosRuntime const&) = delete;

 private:
  struct Guard;
  std::unique_ptr<Guard> guard_;
};

/// Bytes a second, read and written together, of a copy from array to array on a backend: a quick look of a few tens
/// of milliseconds, for estimates of run times. Kokkos must be initialised.
double quick_copy_rate(Backend backend);

}  // namespace karman::app
