// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Start and end of Kokkos, for the program that owns it. Usable from code that is compiled without Kokkos.
#pragma once

#include "processes.hpp"
#include <karman/core/backend_name.hpp>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace karman::app {

/// Whether to print a line on stdout when other programs need more cores than the machine has.
enum class LoadReport { print, none };

/// Place of this process among all of its run on this machine. They take the devices in turn.
struct MachinePlace {
  int rank = 0;
  int size = 1;
};

/// After a fault in a kernel. The device then takes no more work, and Kokkos ends a process that tries: destructors of
/// Views and of the runtime included.
class LostDevice : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Initialises Kokkos, and finalises it in the destructor. One at a time, in a program's main only.
class KokkosRuntime {
 public:
  /// `used`: the backends of the run. Kernels with known answers check each of them (karman::check_backend) before the
  /// first use. Throws std::runtime_error when a device or the threads cannot be started, and for a wrong answer;
  /// LostDevice after a fault in a kernel. It then leaves Kokkos as it is.
  explicit KokkosRuntime(std::vector<Backend> const& used, LoadReport load = LoadReport::print,
                         MachinePlace place = {});
  ~KokkosRuntime();
  KokkosRuntime(KokkosRuntime const&) = delete;
  KokkosRuntime& operator=(KokkosRuntime const&) = delete;

  /// Leaves Kokkos as it is, without an end: for a lost device.
  void abandon();

 private:
  struct Guard;
  std::unique_ptr<Guard> guard_;
};

/// Device of this process on a backend. Kokkos must be initialised.
DeviceIdentity device_identity(Backend backend);

/// Verdict of karman::check_backend, for code that is compiled without Kokkos. Kokkos must be initialised.
struct BackendCheck {
  std::string problem;  ///< one line, empty when the kernels are right
  bool device_lost = false;
  double seconds = 0;
};
BackendCheck check(Backend backend);

/// Whether the last call of this thread for a device has failed; false without CUDA.
bool device_failed();

/// Bytes per second, read and written together, of an array copy on a backend. Takes a few tens of milliseconds; serves
/// estimates of run times. Kokkos must be initialised.
double quick_copy_rate(Backend backend);

}  // namespace karman::app
