// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fields with known extremes and sums.
///
/// Values are small integers of period 2003 (a prime), so that sums are exact in double precision in any order. The
/// greatest and the least value are set at known places.
#pragma once

#include "space_work.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace karman::perf {

template <class Exec, class T>
using Values = Kokkos::View<T*, Kokkos::LayoutRight, typename Exec::memory_space>;

/// Result of a reduction.
enum class Quantity { min, max, sum, speed };

/// Three components of n values each (or one, the others empty).
template <class Exec, class T>
struct ReductionFields {
  Values<Exec, T> u, v, w;
};

namespace fields {

constexpr std::int64_t period = 2003;
constexpr double highest = 12000, lowest = -9000;
constexpr double speed = 13000;  // of (12000, 3000, 4000)

/// The value before the extremes are set. Integer arithmetic makes it equal on every backend.
KOKKOS_INLINE_FUNCTION double periodic(std::int64_t i, int component) {
  std::int64_t const factor = component == 0 ? 797 : component == 1 ? 1301 : 577;
  return double((i % period) * factor % period - period / 2);
}

inline std::int64_t place_of_highest(std::int64_t n) { return n - 1 - n / 3; }
inline std::int64_t place_of_lowest(std::int64_t n) { return n / 3; }

template <class Exec, class T>
void fill(Exec const& space, Values<Exec, T> const& x, int component) {
  auto const n = static_cast<std::int64_t>(x.extent(0));
  std::int64_t const top = place_of_highest(n), bottom = place_of_lowest(n);
  double const top_value = component == 0 ? highest : component == 1 ? 3000 : 4000;
  Kokkos::parallel_for(
      "karman::perf::fill", Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, n),
      KOKKOS_LAMBDA(std::int64_t i) {
        double value = periodic(i, component);
        if (i == bottom && component == 0) value = lowest;
        if (i == top) value = top_value;
        x(i) = T(value);
      });
}

/// The answer, computed from the formula alone.
inline double expected(Quantity quantity, std::int64_t n) {
  if (quantity == Quantity::max) return highest;
  if (quantity == Quantity::min) return lowest;
  if (quantity == Quantity::speed) return speed;
  double one_period = 0, rest = 0;
  for (std::int64_t i = 0; i < period; ++i) {
    one_period += periodic(i, 0);
    if (i < n % period) rest += periodic(i, 0);
  }
  std::int64_t const top = place_of_highest(n), bottom = place_of_lowest(n);
  return double(n / period) * one_period + rest + highest - periodic(top, 0) + lowest - periodic(bottom, 0);
}

/// Sums are exact in double precision. In single precision a partial sum on these values reaches at most a few million.
/// Its rounding error is below one in each of about 20 levels of a tree.
template <class T>
double tolerance(Quantity quantity) {
  return std::is_same_v<T, float> && quantity == Quantity::sum ? 32.0 : 0.0;
}

inline char const* name(Quantity quantity) {
  switch (quantity) {
    case Quantity::min: return "the minimum";
    case Quantity::max: return "the maximum";
    case Quantity::sum: return "the sum";
    case Quantity::speed: return "the maximum speed";
  }
  return "";
}

}  // namespace fields

/// One way to reduce. run() may leave its result in the memory of Exec; results() copies it to the host.
template <class Exec, class T>
class Reduction {
 public:
  virtual ~Reduction() = default;
  virtual void run(Exec const& space, ReductionFields<Exec, T> const& fields) = 0;
  /// Results in the order of the row's quantities. Fences.
  virtual std::vector<double> results(Exec const& space) = 0;
};

/// Makes a reduction for n values, including its workspace.
template <class Exec, class T>
using ReductionMaker = std::function<std::unique_ptr<Reduction<Exec, T>>(Exec const&, std::int64_t)>;

/// A reduction on fields with a known answer.
template <class Exec, class T>
class ReductionWork final : public SpaceWork<Exec> {
 public:
  ReductionWork(Exec const& space, std::int64_t n, std::vector<Quantity> quantities,
                ReductionMaker<Exec, T> const& make)
      : SpaceWork<Exec>(space), n_(n), quantities_(std::move(quantities)), reduction_(make(space, n)) {
    fields_.u = allocate<Values<Exec, T>>(space, "karman::perf::u", n);
    fields::fill<Exec, T>(space, fields_.u, 0);
    if (quantities_.front() == Quantity::speed) {
      fields_.v = allocate<Values<Exec, T>>(space, "karman::perf::v", n);
      fields_.w = allocate<Values<Exec, T>>(space, "karman::perf::w", n);
      fields::fill<Exec, T>(space, fields_.v, 1);
      fields::fill<Exec, T>(space, fields_.w, 2);
    }
    this->fence();
  }

  std::string check(bool spoil) override {
    run();
    std::vector<double> const found = reduction_->results(this->space());
    if (found.size() != quantities_.size()) return "a result is missing";
    for (std::size_t q = 0; q < found.size(); ++q) {
      Quantity const quantity = quantities_[q];
      double const answer = spoil ? found[q] + 1000 : found[q];
      std::string const complaint =
          compare(fields::name(quantity), answer, fields::expected(quantity, n_), fields::tolerance<T>(quantity));
      if (!complaint.empty()) return complaint;
    }
    return {};
  }

 protected:
  void run() override { reduction_->run(this->space(), fields_); }

 private:
  std::int64_t n_;
  std::vector<Quantity> quantities_;
  std::unique_ptr<Reduction<Exec, T>> reduction_;
  ReductionFields<Exec, T> fields_;
};

}  // namespace karman::perf
