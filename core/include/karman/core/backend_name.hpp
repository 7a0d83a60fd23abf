// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Names of the backends and facts about this build and this machine, for code that does not itself use Kokkos.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace karman {

/// Where kernels run.
enum class Backend { serial, openmp, threads, cuda };

/// "serial", "openmp", "threads" or "cuda".
std::string_view name(Backend backend);

/// The backend of that name, whether or not it is part of this build; nothing for any other word.
std::optional<Backend> parse_backend(std::string_view word);

/// The backends of this build, the fastest first: CUDA, then OpenMP, Threads, Serial.
std::vector<Backend> enabled_backends();

/// What a backend runs on, as far as it can be asked.
struct BackendInfo {
  Backend backend = Backend::serial;
  int concurrency = 1;                 ///< threads that can be in flight at once
  std::string device;                  ///< name of the processor or of the card
  std::int64_t memory_bytes = 0;       ///< memory of the device, total; 0 when it cannot be told
  std::int64_t free_memory_bytes = 0;  ///< what of it is free now; 0 when it cannot be told
};

/// Facts about one enabled backend. Kokkos must be initialised. Throws std::invalid_argument for one not enabled.
BackendInfo describe(Backend backend);

/// Versions that tell one build from another.
struct BuildInfo {
  std::string karman_version;  ///< "major.minor.patch"
  std::string commit;          ///< of the source tree at build time, with "-dirty" when it had changes; "unknown"
  std::string kokkos_version;
  std::string compiler;
  std::string cuda_version;  ///< toolkit, empty without CUDA
};

BuildInfo build_info();

}  // namespace karman
