// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Names of the backends, and facts about this build and this machine. Needs no Kokkos.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace karman {

/// Backend on which kernels run.
enum class Backend { serial, openmp, threads, cuda };

/// Name of a backend: "serial", "openmp", "threads" or "cuda".
std::string_view name(Backend backend);

/// Backend of that name, enabled in this build or not; empty for any other word.
std::optional<Backend> parse_backend(std::string_view word);

/// Backends of this build, fastest first: CUDA, then OpenMP, Threads, Serial.
std::vector<Backend> enabled_backends();

/// Device of a backend.
struct BackendInfo {
  Backend backend = Backend::serial;   ///< described backend
  int concurrency = 1;                 ///< number of threads in flight at once
  std::string device;                  ///< name of the processor or of the card
  std::int64_t memory_bytes = 0;       ///< total device memory; 0 when unknown
  std::int64_t free_memory_bytes = 0;  ///< free device memory; 0 when unknown
};

/// Facts about one enabled backend.
/// \pre Kokkos is initialised.
/// \throws std::invalid_argument for a backend that is not part of this build
BackendInfo describe(Backend backend);

/// Versions that identify a build.
struct BuildInfo {
  std::string karman_version;  ///< "major.minor.patch"
  std::string commit;          ///< of the source tree at build time, with "-dirty" after changes; "unknown"
  std::string kokkos_version;  ///< "major.minor.patch"
  std::string compiler;        ///< name and version
  std::string cuda_version;    ///< toolkit, empty without CUDA
};

/// Versions of this build.
BuildInfo build_info();

}  // namespace karman
