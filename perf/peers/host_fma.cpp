// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_fma.hpp"

namespace karman::perf::simd {

namespace {

#if defined(__AVX512F__)
constexpr int vector_bytes = 64;
#elif defined(__AVX__)
constexpr int vector_bytes = 32;
#else
constexpr int vector_bytes = 16;
#endif
// Two units with a latency of four or five cycles need ten; twelve and the two factors fit in sixteen registers.
constexpr int chains = 12;

template <class T>
struct Packed {
  typedef T Vector __attribute__((vector_size(vector_bytes)));
  static constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));
};

}  // namespace

template <class T>
std::int64_t fma_flops_per_step() {
  return 2 * std::int64_t(chains) * Packed<T>::lanes;
}

template <class T>
T fma_chains(std::int64_t steps, T start, T a, T b, int threads) {
  using Vector = typename Packed<T>::Vector;
  T total = 0;
#pragma omp parallel num_threads(threads) reduction(+ : total)
  {
    Vector x[chains];
    Vector const factor = Vector{} + a, shift = Vector{} + b;
    for (auto& v : x) v = Vector{} + start;
    for (std::int64_t step = 0; step < steps; ++step) {
      for (auto& v : x) v = v * factor + shift;
    }
    for (auto const& v : x) {
      for (int lane = 0; lane < Packed<T>::lanes; ++lane) total += v[lane];
    }
  }
  return total;
}

#define KARMAN_INSTANTIATE(T)                    \
  template std::int64_t fma_flops_per_step<T>(); \
  template T fma_chains(std::int64_t, T, T, T, int);
KARMAN_INSTANTIATE(float)
KARMAN_INSTANTIATE(double)
#undef KARMAN_INSTANTIATE

}  // namespace karman::perf::simd
