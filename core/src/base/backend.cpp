// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "base/free_memory.hpp"
#include <karman/core/backend.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>

namespace karman {

namespace {

constexpr std::array all_backends{Backend::cuda, Backend::openmp, Backend::threads, Backend::serial};

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) {
      auto const colon = line.find(':');
      if (colon != std::string::npos && colon + 2 < line.size()) return line.substr(colon + 2);
    }
  }
  return "unknown processor";
}

void describe_host(BackendInfo& info) {
  info.device = processor_name();
  auto const page = static_cast<std::int64_t>(sysconf(_SC_PAGESIZE));
  info.memory_bytes = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * page;
  std::int64_t const free_bytes = free_host_memory();
  // 0 would mean unknown.
  if (free_bytes != detail::unknown_memory) info.free_memory_bytes = std::max<std::int64_t>(free_bytes, 1);
}

#if defined(KOKKOS_ENABLE_CUDA)
void describe_cuda(BackendInfo& info) {
  int device = 0;
  cudaDeviceProp properties{};
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
  if (cudaGetDevice(&device) == cudaSuccess && cudaGetDeviceProperties(&properties, device) == cudaSuccess &&
      cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess) {
    info.device = properties.name;
    info.memory_bytes = static_cast<std::int64_t>(total_bytes);
    info.free_memory_bytes = static_cast<std::int64_t>(free_bytes);
  }
}
#endif

}  // namespace

std::string_view name(Backend backend) {
  switch (backend) {
    case Backend::serial: return "serial";
    case Backend::openmp: return "openmp";
    case Backend::threads: return "threads";
    case Backend::cuda: return "cuda";
  }
  return "unknown";
}

std::optional<Backend> parse_backend(std::string_view word) {
  for (Backend backend : all_backends) {
    if (name(backend) == word) return backend;
  }
  return std::nullopt;
}

std::vector<Backend> enabled_backends() {
  std::vector<Backend> result;
  for (Backend candidate : all_backends) {
#define KARMAN_COLLECT(Exec) \
  if (candidate == backend_of<Exec>()) result.push_back(candidate);
    KARMAN_FOR_EACH_BACKEND(KARMAN_COLLECT)
#undef KARMAN_COLLECT
  }
  return result;
}

std::int64_t free_address_space() { return detail::measure_free_address_space(); }

std::int64_t free_host_memory() { return detail::measure_free_host_memory(); }

BackendInfo describe(Backend backend) {
  BackendInfo info;
  info.backend = backend;
  info.concurrency = dispatch(backend, [](auto const& space) { return static_cast<int>(space.concurrency()); });
#if defined(KOKKOS_ENABLE_CUDA)
  if (backend == Backend::cuda) {
    describe_cuda(info);
    return info;
  }
#endif
  describe_host(info);
  return info;
}

}  // namespace karman
