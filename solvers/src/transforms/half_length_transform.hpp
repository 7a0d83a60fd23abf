// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Real transforms of even length through complex ones of half the length, for neighboring lines by vector
/// instructions. Independent of Kokkos.
///
/// Even and odd values are the real and imaginary parts of a complex line (Cooley, Lewis and Welch 1970). Cosines of
/// the kinds 2 and 3 order the values first (Makhoul 1980), cosines of kind 4 rotate them. Sines reverse lines and
/// alternate signs. As in StockhamTransform, every line has the same bits in any lane.
#pragma once

#include "stockham_transform.hpp"

#include <cstdint>
#include <vector>

namespace karman::detail {

/// With the factors of FFTW: see Trigonometric. `real_backward` ignores the imaginary parts of the ends, as FFTW does.
enum class HalfLengthKind { real_forward, real_backward, dct2, dct3, dct4, dst2, dst3, dst4 };

/// Arguments of the steps before and after the complex transform, of lines of 2 * half values.
template <class T>
struct HalfLengthStep {
  T const* in;
  T* out;
  /// Between rows of the field.
  std::int64_t row;
  /// Between real and imaginary parts in the buffers.
  std::int64_t plane;
  std::int64_t half;
  /// Up to three complex factors for each index.
  T const* factors;
};

/// Plan for lines of one length and kind.
template <class T>
class HalfLengthTransform {
 public:
  static constexpr int lanes = StockhamTransform<T>::lanes;

  /// False for odd lengths, factors above 7, and processors without vectors of 32 bytes.
  static bool suits(std::int64_t n);

  /// With `pairs`, for real_forward and real_backward, a real row has two neighboring values of each line, as the parts
  /// of a complex number.
  HalfLengthTransform(std::int64_t n, HalfLengthKind kind, bool pairs);

  /// Of one worker, in bytes; aligned to 64.
  std::int64_t buffer_bytes() const { return complex_.plane_buffer_bytes(); }
  /// Rows of `lanes` neighboring lines, `in_row` and `out_row` real numbers apart: real rows, or complex ones on the
  /// side of a spectrum. `out` may be `in`.
  void run(T const* in, std::int64_t in_row, T* out, std::int64_t out_row, char* buffer) const;

 private:
  std::int64_t half_;
  StockhamTransform<T> complex_;
  void (*before_)(HalfLengthStep<T> const&);
  void (*after_)(HalfLengthStep<T> const&);
  std::vector<T> factors_before_, factors_after_;
};

}  // namespace karman::detail
