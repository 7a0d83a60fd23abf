// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kokkos_runtime.hpp"

#include "machine_load.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/backend_check.hpp>
#include <karman/core/compat.hpp>

#include <Kokkos_Core.hpp>

#if defined(KOKKOS_ENABLE_OPENMP)
#include <omp.h>
#endif

#include <algorithm>
#include <array>
#include <charconv>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

namespace karman::app {
namespace {

/// Devices that this process may choose from; 0 without CUDA.
int device_count() {
#if defined(KOKKOS_ENABLE_CUDA)
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
#else
  return 0;
#endif
}

// Silences Kokkos: users should read the messages of the command alone. Every version understands this argument; the
// type of such settings differs between versions.
struct KokkosArguments {
  explicit KokkosArguments(MachinePlace place) {
    int const devices = device_count();
    // One process leaves the choice to Kokkos.
    if (place.size == 1 || devices == 0) return;
    device += std::to_string(place.rank % devices);
    words[2] = device.data();
    count = 3;
  }

  std::array<char, 7> program{"karman"};
  std::array<char, 26> quiet{"--kokkos-disable-warnings"};
  std::string device = "--kokkos-device-id=";
  std::array<char*, 4> words{program.data(), quiet.data(), nullptr, nullptr};
  int count = 2;
};

/// Threads that the OpenMP runtime will start beside this one.
int other_host_threads() {
#if defined(KOKKOS_ENABLE_OPENMP)
  return omp_get_max_threads() - 1;
#else
  return 0;
#endif
}

/// Starts this number of threads, which live at the same time, and ends them. GNU's OpenMP runtime ends the process
/// where it can start no thread. Throws std::runtime_error in one line.
void require_threads(int count) {
  std::mutex lock;
  std::condition_variable ended;
  bool end = false;
  auto const wait = [&] {
    std::unique_lock held(lock);
    ended.wait(held, [&] { return end; });
  };
  std::vector<std::jthread> threads;
  std::string trouble;
  try {
    threads.reserve(static_cast<std::size_t>(std::max(count, 0)));
    for (int n = 0; n < count; ++n) threads.emplace_back(wait);
  } catch (std::exception const& error) {
    trouble = error.what();
  }
  {
    std::scoped_lock const held(lock);
    end = true;
  }
  ended.notify_all();
  std::size_t const started = threads.size();
  threads.clear();  // waits for them
  if (trouble.empty()) return;
  throw std::runtime_error("cannot start " + std::to_string(count + 1) + " threads, only " +
                           std::to_string(started + 1) + ": " + trouble +
                           "; reduce --threads, or raise the limits of processes (ulimit -u) and memory (ulimit -v)");
}

/// Kokkos 4 ends the process with a backtrace where it cannot convert these variables. Throws std::runtime_error in one
/// line.
void require_whole_numbers() {
  for (char const* name : {"KOKKOS_NUM_THREADS", "KOKKOS_DEVICE_ID"}) {
    char const* const text = std::getenv(name);
    if (text == nullptr) continue;
    char const* const last = text + std::strlen(text);
    int number = 0;
    if (auto const [end, trouble] = std::from_chars(text, last, number); trouble != std::errc() || end != last)
      throw std::runtime_error("the environment variable " + std::string(name) + " must be a whole number, it is \"" +
                               text + "\"");
  }
}

template <class Exec>
double copy_rate(Exec const& space) {
  constexpr std::int64_t count = std::int64_t{1} << 23;
  constexpr int repetitions = 3;
  using Array = Kokkos::View<float*, typename Exec::memory_space>;
  Array const from(Kokkos::view_alloc(space, "karman::app::copy_from"), count);
  Array const to(Kokkos::view_alloc(space, "karman::app::copy_to"), count);
  double best = 0;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    compat::fence(space, "karman::app::before_copy");
    Kokkos::Timer const timer;
    Kokkos::parallel_for(
        "karman::app::copy", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, count),
        KOKKOS_LAMBDA(std::int64_t n) { to(n) = from(n); });
    compat::fence(space, "karman::app::after_copy");
    best = std::max(best, 2.0 * count * sizeof(float) / timer.seconds());
  }
  return best;
}

}  // namespace

struct KokkosRuntime::Guard {
  explicit Guard(MachinePlace place) : arguments(place) {}
  KokkosArguments arguments;
  Kokkos::ScopeGuard scope{arguments.count, arguments.words.data()};
};

KokkosRuntime::KokkosRuntime(std::vector<Backend> const& used, LoadReport load, MachinePlace place) {
  // Measured before the threads start, so that the load excludes their work.
  int const others = other_host_threads();
  std::string const warning =
      load == LoadReport::print ? load_warning(load_average(), online_cores(), others + 1) : std::string();
  require_threads(others);
  require_whole_numbers();
  guard_ = std::make_unique<Guard>(place);
  if (!warning.empty()) std::printf("%s\n", warning.c_str());
  for (Backend const backend : used) {
    BackendCheck const verdict = check(backend);
    if (verdict.problem.empty()) continue;
    if (verdict.device_lost) {
      abandon();
      throw LostDevice(verdict.problem);
    }
    throw std::runtime_error(verdict.problem);
  }
}
KokkosRuntime::~KokkosRuntime() = default;

void KokkosRuntime::abandon() { static_cast<void>(guard_.release()); }

DeviceIdentity device_identity(Backend backend) {
  DeviceIdentity identity{};
#if defined(KOKKOS_ENABLE_CUDA)
  int device = 0;
  cudaDeviceProp properties{};
  if (backend == Backend::cuda && cudaGetDevice(&device) == cudaSuccess &&
      cudaGetDeviceProperties(&properties, device) == cudaSuccess)
    std::copy_n(properties.uuid.bytes, identity.size(), identity.begin());
#endif
  (void)backend;
  return identity;
}

BackendCheck check(Backend backend) {
  Kokkos::Timer const timer;
  BackendVerdict const verdict = dispatch(backend, [](auto const& space) { return check_backend(space); });
  return {verdict.problem, verdict.device_lost, timer.seconds()};
}

bool device_failed() {
#if defined(KOKKOS_ENABLE_CUDA)
  return cudaPeekAtLastError() != cudaSuccess;
#else
  return false;
#endif
}

double quick_copy_rate(Backend backend) {
  return dispatch(backend, [](auto const& space) { return copy_rate(space); });
}

}  // namespace karman::app
