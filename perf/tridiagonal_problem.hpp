// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Batches of tridiagonal systems with a known solution, so that any implementation can be checked at full size.
///
/// Coefficients and solution are small multiples of 1/64 from integers, different in every row of every system. The
/// right-hand side is the product, in double precision, rounded once. Rows are dominant: a diagonal of 4 to 5 and
/// off-diagonals of 1 to 3/2.
#pragma once

#include "space_work.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <string>

namespace karman::perf {

/// Sizes and place in memory.
struct TridiagonalSize {
  std::int64_t rows = 0, systems = 0;
  bool interleaved = false;  ///< value k of all systems side by side, instead of all values of a system
  bool shared = false;       ///< one matrix for all systems

  double values() const { return double(rows) * double(systems); }
  std::string text() const { return std::to_string(rows) + 'x' + std::to_string(systems); }
  std::int64_t row_stride() const { return interleaved ? systems : 1; }
  std::int64_t system_stride() const { return interleaved ? 1 : rows; }
};

namespace tridiagonal {

/// A multiple of 1/64 in [0, 1/2), from integers, the same on every backend.
KOKKOS_INLINE_FUNCTION double fraction(std::int64_t k, std::int64_t system, int which) {
  return double((k * (3 + 2 * which) + system * 11 + which * 7) % 32) / 64.0;
}
KOKKOS_INLINE_FUNCTION double lower(std::int64_t k, std::int64_t system) { return -1.0 - fraction(k, system, 0); }
KOKKOS_INLINE_FUNCTION double upper(std::int64_t k, std::int64_t system) { return 1.0 + fraction(k, system, 1); }
KOKKOS_INLINE_FUNCTION double diagonal(std::int64_t k, std::int64_t system) { return 4.0 + 2 * fraction(k, system, 2); }
KOKKOS_INLINE_FUNCTION double solution(std::int64_t k, std::int64_t system) {
  return 1.0 + 2 * fraction(k, system, 3) - (k % 3 == 0 ? 1.5 : 0.0);
}

/// Bound of the error by round-off. |A^-1| |A| |x| is at most (5 + 3) 2 / (4 - 3) = 16 on these matrices. A row is
/// combined with others `levels` times, with some ten roundings of 2^-p each.
template <Real T>
double tolerance(std::int64_t rows) {
  double const levels = 2 + std::log2(double(rows) + 1);
  return 16 * 10 * levels * double(std::numeric_limits<T>::epsilon()) / 2;
}

}  // namespace tridiagonal

/// The arrays; the right-hand side stays, the solution is written.
template <class Exec, class T>
struct TridiagonalBatch {
  using Array = Kokkos::View<T*, typename Exec::memory_space>;
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;
  TridiagonalSize size;
  Array lower, diagonal, upper, rhs, solution;

  TridiagonalBatch(Exec const& space, TridiagonalSize const& given) : size(given) {
    auto const all = static_cast<std::size_t>(size.rows * size.systems);
    auto const matrix = size.shared ? static_cast<std::size_t>(size.rows) : all;
    lower = allocate<Array>(space, "karman::perf::lower", matrix);
    diagonal = allocate<Array>(space, "karman::perf::diagonal", matrix);
    upper = allocate<Array>(space, "karman::perf::upper", matrix);
    rhs = allocate<Array>(space, "karman::perf::rhs", all);
    solution = allocate<Array>(space, "karman::perf::solution", all);
    fill(space);
  }

  void fill(Exec const& space) const {
    auto const a = lower, b = diagonal, c = upper, d = rhs, x = solution;
    std::int64_t const rows = size.rows, systems = size.systems;
    bool const interleaved = size.interleaved, shared = size.shared;
    Kokkos::parallel_for(
        "karman::perf::fill", Policy(space, 0, rows * systems), KOKKOS_LAMBDA(std::int64_t i) {
          std::int64_t const k = interleaved ? i / systems : i % rows, s = interleaved ? i % systems : i / rows;
          std::int64_t const matrix = shared ? 0 : s;
          double sum = tridiagonal::diagonal(k, matrix) * tridiagonal::solution(k, s);
          if (k > 0) sum += tridiagonal::lower(k, matrix) * tridiagonal::solution(k - 1, s);
          if (k + 1 < rows) sum += tridiagonal::upper(k, matrix) * tridiagonal::solution(k + 1, s);
          d(i) = T(sum);
          x(i) = T(0);
          if (shared && s > 0) return;
          std::int64_t const place = shared ? k : i;
          // Values that cuSPARSE and LAPACK read outside of the matrix.
          a(place) = k > 0 ? T(tridiagonal::lower(k, matrix)) : T(0);
          b(place) = T(tridiagonal::diagonal(k, matrix));
          c(place) = k + 1 < rows ? T(tridiagonal::upper(k, matrix)) : T(0);
        });
  }

  /// max |x - solution| over all rows of all systems. Fences.
  double error(Exec const& space) const {
    auto const x = solution;
    std::int64_t const rows = size.rows, systems = size.systems;
    bool const interleaved = size.interleaved;
    double largest = 0;
    Kokkos::parallel_reduce(
        "karman::perf::check", Policy(space, 0, rows * systems),
        KOKKOS_LAMBDA(std::int64_t i, double& worst) {
          std::int64_t const k = interleaved ? i / systems : i % rows, s = interleaved ? i % systems : i / rows;
          double const difference = compat::math::fabs(double(x(i)) - tridiagonal::solution(k, s));
          if (!(difference <= worst)) worst = difference;
        },
        Kokkos::Max<double>(largest));
    return largest;
  }
};

/// A way to solve a batch: Karman's or a peer's.
template <class Exec, class T>
class TridiagonalImplementation {
 public:
  virtual ~TridiagonalImplementation() = default;
  /// Restores the inputs that a solve overwrites; not timed.
  virtual void load(Exec const&, TridiagonalBatch<Exec, T> const&) {}
  /// Solves into batch.solution. Repeated without load(), a peer that works in place takes its last answer as input:
  /// other values, the same work.
  virtual void run(Exec const& space, TridiagonalBatch<Exec, T> const& batch) = 0;
};

template <class Exec, class T>
using TridiagonalMaker =
    std::function<std::unique_ptr<TridiagonalImplementation<Exec, T>>(Exec const&, TridiagonalBatch<Exec, T> const&)>;

template <class Exec, class T>
class TridiagonalWork final : public SpaceWork<Exec> {
 public:
  TridiagonalWork(Exec const& space, TridiagonalSize const& size, TridiagonalMaker<Exec, T> const& make)
      : SpaceWork<Exec>(space), batch_(space, size), implementation_(make(space, batch_)) {
    this->fence();
  }

  std::string check(bool spoil) override {
    implementation_->load(this->space(), batch_);
    run();
    // Spoiled: an error of 1 %, which a sound check must refuse.
    double const error = batch_.error(this->space()) + (spoil ? 0.01 : 0.0);
    return compare("the largest error", error, 0, tridiagonal::tolerance<T>(batch_.size.rows));
  }

 protected:
  void run() override { implementation_->run(this->space(), batch_); }

 private:
  TridiagonalBatch<Exec, T> batch_;
  std::unique_ptr<TridiagonalImplementation<Exec, T>> implementation_;
};

}  // namespace karman::perf
