// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_memory.hpp"

#include <karman/core/host_memory.hpp>

#include <dlfcn.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdio>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace karman::detail {
namespace {

std::string in_gigabytes(std::int64_t bytes) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g GB", 1e-9 * static_cast<double>(bytes));
  return text;
}

/// C = A B by the BLAS of this process, if it has one.
void multiply_matrices() {
  using Product = void (*)(char const*, char const*, int const*, int const*, int const*, double const*, double const*,
                           int const*, double const*, int const*, double const*, double*, int const*);
  auto const product = reinterpret_cast<Product>(::dlsym(RTLD_DEFAULT, "dgemm_"));
  if (product == nullptr) return;
  // Just large enough for the kernels that pack their operands into the buffers.
  constexpr int n = 128;
  constexpr double zero = 0, one = 1;
  constexpr char plain = 'N';
  std::vector<double> const a(std::size_t{n} * n, 1), b = a;
  std::vector<double> c(a.size());
  product(&plain, &plain, &n, &n, &n, &one, a.data(), &n, b.data(), &n, &zero, c.data(), &n);
}

}  // namespace

void require_host_memory(std::int64_t bytes, std::string const& what) {
  std::int64_t const available = free_host_memory();
  if (bytes <= available) return;
  throw std::runtime_error(what + " need about " + in_gigabytes(bytes) + " of memory; " + in_gigabytes(available) +
                           " are free");
}

void acquire_blas_buffers() {
  static std::mutex one_at_a_time;
  static bool acquired = false;
  std::scoped_lock const lock(one_at_a_time);
  if (acquired) return;
  // OpenBLAS 0.3 takes up to 128 MB and keeps them. It writes to a small part.
  constexpr std::size_t probed = std::size_t{144} << 20;
  void* const probe = ::mmap(nullptr, probed, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (probe == MAP_FAILED)
    throw std::runtime_error("DirectSolver: out of memory: no " + in_gigabytes(probed) +
                             " of address space for the buffers of BLAS");
  ::munmap(probe, probed);
  multiply_matrices();
  acquired = true;
}

}  // namespace karman::detail
