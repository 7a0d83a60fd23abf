// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kokkos, for the program that owns it; usable from code that is compiled without Kokkos.
#pragma once

#include <karman/core/backend_name.hpp>

#include <memory>
#include <string>
#include <vector>

namespace karman::app {

/// Whether a line on stdout tells that other programs want more cores than the machine has.
enum class LoadReport { print, none };

/// Initialises Kokkos, and finalises it when it goes. One at a time, in a program's main only.
class KokkosRuntime {
 public:
  /// `used`: the backends of the run. Each is checked by kernels with known answers (karman::check_backend) before
  /// anything else runs on it. Throws std::runtime_error when a device cannot be started and for a wrong answer. A
  /// fault in a kernel leaves no device to finalise: one line on stderr, and the process ends with exit code 5.
  explicit KokkosRuntime(std::vector<Backend> const& used, LoadReport load = LoadReport::print);
  ~KokkosRuntime();
  KokkosRuntime(KokkosRuntime const&) = delete;
  KokkosRuntime& operator=(KokkosRuntime const&) = delete;

 private:
  struct Guard;
  std::unique_ptr<Guard> guard_;
};

/// Verdict of karman::check_backend, for code that is compiled without Kokkos. Kokkos must be initialised.
struct BackendCheck {
  std::string problem;  ///< one line, empty when the kernels are right
  bool device_lost = false;
  double seconds = 0;
};
BackendCheck check(Backend backend);

/// Writes `text` and ends the process without finalising Kokkos, for a device that a kernel has lost. Exit code 5.
[[noreturn]] void leave_lost_device(std::string const& text);

/// Bytes a second, read and written together, of a copy from array to array on a backend: a quick look of a few tens
/// of milliseconds, for estimates of run times. Kokkos must be initialised.
double quick_copy_rate(Backend backend);

}  // namespace karman::app
