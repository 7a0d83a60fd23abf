// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Complex Fourier transforms of neighboring lines by vector instructions, one line per lane. Independent of Kokkos.
///
/// Stockham's self-sorting algorithm (Van Loan, Computational Frameworks for the Fast Fourier Transform, 1992, section
/// 1.7) with radices 2 to 8. The first stage reads the field and the last one writes it, so that lines with a stride
/// need no copies. Every line takes the same operations in any lane, by any vector instructions: the same bits.
#pragma once

#include <cstdint>
#include <vector>

namespace karman::detail {

/// Arguments of a stage: n / (radix * blocks * stride) = 1, in the notation of the book for decimation in frequency.
template <class T>
struct StockhamStage {
  T const* in;
  T* out;
  /// Between rows of complex numbers in the field, where the stage reads or writes it.
  std::int64_t in_stride, out_stride;
  /// Between real and imaginary parts in the buffers.
  std::int64_t plane;
  /// cos, sin of 2 pi p k / (radix * blocks), p = 0 ..., k = 1, ..., radix - 1.
  T const* twiddles;
  std::int64_t blocks, stride;
};

/// Plan for lines of one length.
template <class T>
class StockhamTransform {
 public:
  /// Neighboring lines that are transformed together.
  static constexpr int lanes = static_cast<int>(64 / sizeof(T));

  /// For run(): false for lengths with factors above 7, lengths of a single stage, and processors without vectors of 32
  /// bytes.
  static bool suits(std::int64_t n);
  /// For run_planes(): also for lengths of a single stage.
  static bool suits_planes(std::int64_t n);
  /// Whether vectors have 64 bytes.
  static bool has_wide_vectors();

  StockhamTransform(std::int64_t n, bool forward);

  /// Of one worker, in bytes; aligned to 64.
  std::int64_t buffer_bytes() const;
  /// Value i of line b is in[i * in_stride + b], b = 0, ..., lanes - 1, in complex numbers. `out` may be `in`.
  void run(T const* in, std::int64_t in_stride, T* out, std::int64_t out_stride, char* buffer) const;

  /// Between real and imaginary parts of run_planes().
  std::int64_t plane() const { return (n_ + 1) * lanes; }
  std::int64_t plane_buffer_bytes() const { return 4 * plane() * static_cast<std::int64_t>(sizeof(T)); }
  /// Real part i of line b is planes[i * lanes + b]; imaginary parts lie plane() behind. Returns such planes of the
  /// result, within plane_buffer_bytes() from `planes`, whose content is lost.
  T const* run_planes(T* planes) const;

 private:
  struct Step {
    void (*run)(StockhamStage<T> const&);
    void (*run_planes)(StockhamStage<T> const&);
    std::int64_t blocks, stride;
    std::size_t twiddles;  ///< the first one of this step
  };

  std::int64_t n_;
  bool forward_;
  std::vector<Step> steps_;
  std::vector<T> twiddles_;
};

}  // namespace karman::detail
