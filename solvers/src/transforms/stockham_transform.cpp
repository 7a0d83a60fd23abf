// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stockham_transform.hpp"

#include "butterflies.hpp"
#include "vector_targets.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace karman::detail {

namespace {

/// Time of a stage per value, relative to that of radix 4, as measured; 0: no such radix.
constexpr std::array<double, 9> radix_cost{0, 0, 0.8, 0.9, 1, 1.25, 1.35, 1.8, 1.45};

/// Cheapest factors from 2 to 8 of n, ascending: the first stage reads few distant rows. Empty for other factors.
std::vector<int> cheapest_radices(std::int64_t n, int most = 8) {
  auto const cost = [](std::vector<int> const& radices) {
    double sum = 0;
    for (int const radix : radices) sum += radix_cost[static_cast<std::size_t>(radix)];
    return sum;
  };
  std::vector<int> best;
  for (int radix = std::min<int>(most, static_cast<int>(std::min<std::int64_t>(n, 8))); radix >= 2; --radix) {
    if (n % radix != 0) continue;
    auto candidate = n == radix ? std::vector<int>{} : cheapest_radices(n / radix, radix);
    if (candidate.empty() && n != radix) continue;
    candidate.push_back(radix);
    if (best.empty() || cost(candidate) < cost(best)) best = std::move(candidate);
  }
  return best;
}

/// Forward transforms swap real and imaginary parts as they read and write the field: conj(F^-1 conj(x)).
template <class T, int radix, bool first, bool last, bool forward>
struct StageKernel {
  static KARMAN_INLINE void run(StockhamStage<T> const& s) {
    constexpr int lanes = StockhamTransform<T>::lanes;
    constexpr int re = forward ? 1 : 0, im = 1 - re;
    std::int64_t const rows_in = first ? 2 * s.in_stride : lanes, rows_out = last ? 2 * s.out_stride : lanes;
    std::int64_t const next_in = rows_in * s.stride * s.blocks, next_out = rows_out * s.stride;
    std::int64_t const plane = s.plane;
    for (std::int64_t p = 0; p < s.blocks; ++p) {
      Number<T> twiddle[radix];
      T const* const table = s.twiddles + 2 * (radix - 1) * p;
      for (int k = 1; k < radix && !last; ++k) twiddle[k] = {table[2 * k - 2], table[2 * k - 1]};
      for (std::int64_t q = 0; q < s.stride; ++q) {
        T const* __restrict const in = s.in + rows_in * (q + s.stride * p);
        T* __restrict const out = s.out + rows_out * (q + s.stride * radix * p);
        KARMAN_LANES
        for (int lane = 0; lane < lanes; ++lane) {
          Number<T> x[radix];
#pragma GCC unroll 8
          for (int k = 0; k < radix; ++k) {
            T const* const from = in + k * next_in;
            if constexpr (first) {
              x[k] = {from[2 * lane + re], from[2 * lane + im]};
            } else {
              x[k] = {from[lane], from[plane + lane]};
            }
          }
          Butterfly<radix>::run(x);
#pragma GCC unroll 8
          for (int k = 0; k < radix; ++k) {
            T* const to = out + k * next_out;
            if constexpr (last) {
              to[2 * lane + re] = x[k].re;
              to[2 * lane + im] = x[k].im;
            } else {
              auto const y = k == 0 ? x[0] : x[k] * twiddle[k];
              to[lane] = y.re;
              to[plane + lane] = y.im;
            }
          }
        }
      }
    }
  }
};

template <class T, bool first, bool last, bool forward>
auto stage_of(int radix) {
  switch (radix) {
    case 2: return vector_kernel<StageKernel<T, 2, first, last, forward>, StockhamStage<T>>();
    case 3: return vector_kernel<StageKernel<T, 3, first, last, forward>, StockhamStage<T>>();
    case 4: return vector_kernel<StageKernel<T, 4, first, last, forward>, StockhamStage<T>>();
    case 5: return vector_kernel<StageKernel<T, 5, first, last, forward>, StockhamStage<T>>();
    case 6: return vector_kernel<StageKernel<T, 6, first, last, forward>, StockhamStage<T>>();
    case 7: return vector_kernel<StageKernel<T, 7, first, last, forward>, StockhamStage<T>>();
    default: return vector_kernel<StageKernel<T, 8, first, last, forward>, StockhamStage<T>>();
  }
}

/// Stages between the first and the last one are the same for both directions.
template <class T>
auto stage_of(int radix, bool first, bool last, bool forward) {
  if (first) return forward ? stage_of<T, true, false, true>(radix) : stage_of<T, true, false, false>(radix);
  if (last) return forward ? stage_of<T, false, true, true>(radix) : stage_of<T, false, true, false>(radix);
  return stage_of<T, false, false, false>(radix);
}

}  // namespace

template <class T>
bool StockhamTransform<T>::suits(std::int64_t n) {
  return has_vector_targets() && cheapest_radices(n).size() > 1;
}

template <class T>
bool StockhamTransform<T>::suits_planes(std::int64_t n) {
  return has_vector_targets() && !cheapest_radices(n).empty();
}

template <class T>
bool StockhamTransform<T>::has_wide_vectors() {
  return detail::has_wide_vectors();
}

template <class T>
StockhamTransform<T>::StockhamTransform(std::int64_t n, bool forward) : n_(n), forward_(forward) {
  if (!suits_planes(n)) throw std::invalid_argument("StockhamTransform: no stages for this length");
  auto const radices = cheapest_radices(n);
  std::int64_t stride = 1, length = n;
  for (std::size_t s = 0; s < radices.size(); ++s) {
    int const radix = radices[s];
    bool const first = s == 0, last = s + 1 == radices.size();
    steps_.push_back({stage_of<T>(radix, first, last, forward), stage_of<T>(radix, false, false, forward),
                      length / radix, stride, twiddles_.size()});
    for (std::int64_t p = 0; p < length / radix; ++p) {
      for (int k = 1; k < radix; ++k) {
        long double const angle = 2 * std::numbers::pi_v<long double> * (p * k % length) / length;
        twiddles_.push_back(static_cast<T>(std::cos(angle)));
        twiddles_.push_back(static_cast<T>(std::sin(angle)));
      }
    }
    stride *= radix;
    length /= radix;
  }
}

template <class T>
std::int64_t StockhamTransform<T>::buffer_bytes() const {
  std::int64_t const buffers = steps_.size() > 2 ? 2 : 1;
  return buffers * 2 * plane() * static_cast<std::int64_t>(sizeof(T));
}

template <class T>
void StockhamTransform<T>::run(T const* in, std::int64_t in_stride, T* out, std::int64_t out_stride,
                               char* buffer) const {
  T* const buffers[2] = {reinterpret_cast<T*>(buffer), reinterpret_cast<T*>(buffer) + 2 * plane()};
  for (std::size_t s = 0; s < steps_.size(); ++s) {
    Step const& step = steps_[s];
    T const* const from = s == 0 ? in : buffers[(s + 1) % 2];
    T* const to = s + 1 == steps_.size() ? out : buffers[s % 2];
    step.run({from, to, in_stride, out_stride, plane(), twiddles_.data() + step.twiddles, step.blocks, step.stride});
  }
}

template <class T>
T const* StockhamTransform<T>::run_planes(T* planes) const {
  // Forward transforms swap real and imaginary parts.
  std::int64_t const swapped = forward_ ? plane() : 0, distance = forward_ ? -plane() : plane();
  T* from = planes;
  T* to = planes + 2 * plane();
  for (auto const& step : steps_) {
    step.run_planes(
        {from + swapped, to + swapped, 0, 0, distance, twiddles_.data() + step.twiddles, step.blocks, step.stride});
    std::swap(from, to);
  }
  return from;
}

template class StockhamTransform<float>;
template class StockhamTransform<double>;

}  // namespace karman::detail
