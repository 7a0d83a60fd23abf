// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends.hpp"
#include <karman/core/host_copy.hpp>
#include <karman/core/reductions.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace karman::test {

// The device's algorithm on any backend: teams, packs of 16 bytes, the tree in scratch.
struct TeamTable {
  static constexpr bool teams = true;
  static constexpr int loads_in_flight = 4;
  static constexpr ReductionTuning tuning{.team_size = 1, .max_teams = 64};
};

template <class T>
std::vector<T> random_values(std::int64_t n, unsigned seed, double low = -1, double high = 1) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> distribution(low, high);
  std::vector<T> values(static_cast<std::size_t>(n));
  for (T& value : values) value = static_cast<T>(distribution(generator));
  return values;
}

template <class Exec, class T>
Kokkos::View<T*, Exec> upload(Exec const& space, std::vector<T> const& values) {
  return device_copy(space, values, "karman::test::values");
}

template <class Exec, class V>
auto download(Exec const& space, V const& view) {
  return host_copy(space, view).front();
}

// Reference results, computed one after the other in long double.
struct Reference {
  long double max = -std::numeric_limits<long double>::infinity();
  long double min = std::numeric_limits<long double>::infinity();
  long double sum = 0, sum_abs = 0, sum_squares = 0, max_abs = 0;

  template <class T>
  explicit Reference(std::vector<T> const& values) {
    for (T const value : values) {
      long double const x = static_cast<long double>(value);
      max = std::max(max, x);
      min = std::min(min, x);
      sum += x;
      sum_abs += std::abs(x);
      sum_squares += x * x;
      max_abs = std::max(max_abs, std::abs(x));
    }
  }
};

// Relative error of a sum to first order: the longest chain of additions, in units of eps. A host adds up to 16384
// values in 32 lanes or more, a device up to 4 + n / (threads * values per load). The trees on top are less than 64
// deep. For n <= 2^22 that is below 600.
template <class T>
long double sum_error() {
  return 600.0L * static_cast<long double>(std::numeric_limits<T>::epsilon());
}

template <class T>
std::vector<std::int64_t> sizes() {
  return {0,    1,    2,    3,    31,   32,   33,    63,    65,    127,    255,    256,          257,
          1023, 4095, 4096, 4097, 8191, 8193, 16385, 65536, 65537, 100007, 263167, (1 << 20) + 5};
}

template <class Param>
class Reductions : public ::testing::Test {
 public:
  using Exec = typename Param::execution_space;
  using Real = typename Param::real;
  Exec space;
  Reducer<Exec> reducer{space};
};
TYPED_TEST_SUITE(Reductions, AllBackends, BackendNames);

// Checks that are independent of the precision are compiled for one.
template <class Param>
class ReductionsOnce : public Reductions<Param> {};
TYPED_TEST_SUITE(ReductionsOnce, AllBackendsDouble, BackendNames);

TYPED_TEST(Reductions, AgreeWithTheSerialReferenceAtEverySize) {
  using T = typename TestFixture::Real;
  using Exec = typename TestFixture::Exec;
  for (std::int64_t const n : sizes<T>()) {
    SCOPED_TRACE(n);
    std::vector<T> const a = random_values<T>(n, 1), b = random_values<T>(n, 2), c = random_values<T>(n, 3);
    Reference const reference(a);
    auto const x = upload(this->space, a), y = upload(this->space, b), z = upload(this->space, c);
    auto& reducer = this->reducer;
    auto const& space = this->space;

    EXPECT_EQ(reducer.max(space, x), static_cast<T>(reference.max));
    EXPECT_EQ(reducer.min(space, x), static_cast<T>(reference.min));
    EXPECT_EQ(reducer.max_abs(space, x), static_cast<T>(reference.max_abs));
    EXPECT_EQ(reducer.norm_linf(space, x), static_cast<T>(reference.max_abs));
    auto const range = reducer.min_max(space, x);
    EXPECT_EQ(range.min, static_cast<T>(reference.min));
    EXPECT_EQ(range.max, static_cast<T>(reference.max));
    auto const all = reducer.min_max_sum(space, x);
    EXPECT_EQ(all.min, static_cast<T>(reference.min));
    EXPECT_EQ(all.max, static_cast<T>(reference.max));
    long double const sum_tolerance = sum_error<T>() * reference.sum_abs;
    EXPECT_NEAR(all.sum, reference.sum, sum_tolerance);
    EXPECT_NEAR(reducer.sum(space, x), reference.sum, sum_tolerance);
    EXPECT_NEAR(reducer.template sum<double>(space, x), reference.sum, sum_error<double>() * reference.sum_abs);
    EXPECT_NEAR(reducer.norm_l1(space, x), reference.sum_abs, sum_tolerance);
    EXPECT_NEAR(reducer.norm_l2(space, x), std::sqrt(reference.sum_squares),
                sum_error<T>() * std::sqrt(reference.sum_squares));

    T difference = 0;
    long double l1 = 0, l2 = 0, speed2 = 0, speed3 = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      long double const u = a[i], v = b[i], w = c[i];
      difference = std::max(difference, std::abs(a[i] - b[i]));
      l1 += std::abs(static_cast<long double>(a[i] - b[i]));
      l2 += static_cast<long double>(a[i] - b[i]) * static_cast<long double>(a[i] - b[i]);
      speed2 = std::max(speed2, u * u + v * v);
      speed3 = std::max(speed3, u * u + v * v + w * w);
    }
    EXPECT_EQ(reducer.max_abs_difference(space, x, y), difference);
    long double const eps = std::numeric_limits<T>::epsilon();
    EXPECT_NEAR(reducer.max_speed(space, x, y), std::sqrt(speed2), 4 * eps * std::sqrt(speed2));
    EXPECT_NEAR(reducer.max_speed(space, x, y, z), std::sqrt(speed3), 4 * eps * std::sqrt(speed3));
    if (n == 0) {
      EXPECT_EQ(reducer.relative_difference(space, x, y), T(0));
      EXPECT_EQ(reducer.relative_difference_l1(space, x, y), T(0));
      EXPECT_EQ(reducer.relative_difference_l2(space, x, y), T(0));
    } else {
      EXPECT_EQ(reducer.relative_difference(space, x, y), difference / static_cast<T>(reference.max_abs));
      EXPECT_NEAR(reducer.relative_difference_l1(space, x, y), l1 / reference.sum_abs,
                  2 * sum_error<T>() * l1 / reference.sum_abs);
      long double const quotient = std::sqrt(l2 / reference.sum_squares);
      EXPECT_NEAR(reducer.relative_difference_l2(space, x, y), quotient, 2 * sum_error<T>() * quotient);
    }

    // Left on the device: the same bits.
    Kokkos::View<T, Exec> const result("karman::test::result");
    reducer.max(space, x, result);
    EXPECT_EQ(download(space, result), static_cast<T>(reference.max));
    reducer.sum(space, x, result);
    EXPECT_EQ(download(space, result), reducer.sum(space, x));
    reducer.max_speed(space, x, y, z, result);
    EXPECT_EQ(download(space, result), reducer.max_speed(space, x, y, z));
    Kokkos::View<double, Exec> const wide("karman::test::result");
    reducer.sum(space, x, wide);
    EXPECT_EQ(download(space, wide), reducer.template sum<double>(space, x));
  }
}

TYPED_TEST(Reductions, GiveTheIdentityOfNothing) {
  using T = typename TestFixture::Real;
  Kokkos::View<T*, typename TestFixture::Exec> const nothing("karman::test::nothing", 0);
  Kokkos::View<T***, typename TestFixture::Exec> const flat("karman::test::flat", 4, 0, 3);
  constexpr T infinity = std::numeric_limits<T>::infinity();
  EXPECT_EQ(this->reducer.max(this->space, nothing), -infinity);
  EXPECT_EQ(this->reducer.min(this->space, nothing), infinity);
  EXPECT_EQ(this->reducer.max(this->space, flat), -infinity);
  EXPECT_EQ(this->reducer.sum(this->space, flat), T(0));
  EXPECT_EQ(this->reducer.max_abs(this->space, nothing), T(0));
  EXPECT_EQ(this->reducer.max_speed(this->space, nothing, nothing), T(0));
  EXPECT_EQ(this->reducer.norm_l2(this->space, nothing), T(0));
}

TYPED_TEST(Reductions, ReportNanWhereverItIs) {
  using T = typename TestFixture::Real;
  T const nan = std::numeric_limits<T>::quiet_NaN();
  for (std::int64_t const n : {1, 2, 33, 257, 4097, 16385, 100007}) {
    for (std::int64_t const place : std::set<std::int64_t>{0, 1 % n, 15 % n, n / 2, n - 1}) {
      SCOPED_TRACE(std::to_string(place) + " of " + std::to_string(n));
      std::vector<T> values = random_values<T>(n, 7);
      auto const clean = upload(this->space, values);
      values[static_cast<std::size_t>(place)] = nan;
      auto const spoilt = upload(this->space, values);
      EXPECT_TRUE(std::isnan(this->reducer.max(this->space, spoilt)));
      EXPECT_TRUE(std::isnan(this->reducer.min(this->space, spoilt)));
      EXPECT_TRUE(std::isnan(this->reducer.max_abs(this->space, spoilt)));
      EXPECT_TRUE(std::isnan(this->reducer.sum(this->space, spoilt)));
      EXPECT_TRUE(std::isnan(this->reducer.norm_l2(this->space, spoilt)));
      EXPECT_TRUE(std::isnan(this->reducer.max_abs_difference(this->space, clean, spoilt)));
      EXPECT_TRUE(std::isnan(this->reducer.relative_difference(this->space, clean, spoilt)));
      EXPECT_TRUE(std::isnan(this->reducer.relative_difference(this->space, spoilt, clean)));
      EXPECT_TRUE(std::isnan(this->reducer.max_speed(this->space, clean, clean, spoilt)));
      auto const all = this->reducer.min_max_sum(this->space, spoilt);
      EXPECT_TRUE(std::isnan(all.min) && std::isnan(all.max) && std::isnan(all.sum));
      auto const range = this->reducer.min_max(this->space, spoilt);
      EXPECT_TRUE(std::isnan(range.min) && std::isnan(range.max));
      EXPECT_FALSE(std::isnan(this->reducer.max(this->space, clean)));
    }
  }
}

TYPED_TEST(Reductions, TellInfinitiesFromNan) {
  using T = typename TestFixture::Real;
  constexpr T infinity = std::numeric_limits<T>::infinity();
  for (std::int64_t const n : {2, 64, 4097, 100007}) {
    SCOPED_TRACE(n);
    std::vector<T> values = random_values<T>(n, 8);
    std::size_t const last = values.size() - 1;
    values[last] = -infinity;
    EXPECT_EQ(this->reducer.min(this->space, upload(this->space, values)), -infinity);
    EXPECT_EQ(this->reducer.max(this->space, upload(this->space, values)),
              *std::max_element(values.begin(), values.end()));
    // Both signs, so that a sum over the values is NaN although none of them is.
    values[0] = infinity;
    auto const x = upload(this->space, values);
    EXPECT_EQ(this->reducer.max(this->space, x), infinity);
    EXPECT_EQ(this->reducer.min(this->space, x), -infinity);
    EXPECT_EQ(this->reducer.max_abs(this->space, x), infinity);
    auto const range = this->reducer.min_max(this->space, x);
    EXPECT_EQ(range.min, -infinity);
    EXPECT_EQ(range.max, infinity);
    auto const all = this->reducer.min_max_sum(this->space, x);
    EXPECT_EQ(all.min, -infinity);
    EXPECT_EQ(all.max, infinity);
    EXPECT_TRUE(std::isnan(all.sum));
  }
  // The largest numbers, whose sum overflows.
  T const largest = std::numeric_limits<T>::max();
  auto const huge = upload(this->space, std::vector<T>(5000, largest));
  EXPECT_EQ(this->reducer.max(this->space, huge), largest);
  EXPECT_EQ(this->reducer.min(this->space, huge), largest);
  EXPECT_EQ(this->reducer.sum(this->space, huge), infinity);
  auto const zeros = upload(this->space, std::vector<T>{-T(0), T(0), -T(0)});
  EXPECT_EQ(this->reducer.max(this->space, zeros), T(0));
  EXPECT_EQ(this->reducer.min(this->space, zeros), T(0));
  auto const least = upload(this->space, std::vector<T>{std::numeric_limits<T>::denorm_min(), T(0)});
  EXPECT_EQ(this->reducer.max(this->space, least), std::numeric_limits<T>::denorm_min());
}

TYPED_TEST(Reductions, KeepSumsAccurate) {
  using T = typename TestFixture::Real;
  // One tenth is no binary number: added one after the other, 2^22 of them in single precision are 10 % wrong.
  std::vector<T> const values(std::size_t(1) << 22, T(0.1));
  Reference const reference(values);
  EXPECT_NEAR(this->reducer.sum(this->space, upload(this->space, values)), reference.sum,
              sum_error<T>() * reference.sum);
}

// ---- Layouts

// A View of a host array, filled by loops: Kokkos' own fills and copies would be compiled for every layout.
template <class Block>
using Unmanaged = Kokkos::View<typename Block::data_type, typename Block::array_layout, Kokkos::HostSpace,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

// The values of a contiguous View of rank 3 on the host.
template <class Block>
Unmanaged<Block> on_host(std::vector<typename Block::non_const_value_type>& values, Block const& block) {
  return Unmanaged<Block>(values.data(), block.extent(0), block.extent(1), block.extent(2));
}

template <class V, class T>
void put(V const& view, std::vector<T> const& values) {
  std::size_t next = 0;
  for (std::size_t k = 0; k < view.extent(0); ++k) {
    if constexpr (int(V::rank) == 1) {
      view(k) = values[next++];
    } else {
      for (std::size_t j = 0; j < view.extent(1); ++j) {
        if constexpr (int(V::rank) == 2) {
          view(k, j) = values[next++];
        } else {
          for (std::size_t i = 0; i < view.extent(2); ++i) view(k, j, i) = values[next++];
        }
      }
    }
  }
}

// `part` cuts a field out of a block whose other values are NaN, which detects one value too many.
template <class R, class Exec, class Block, class Cut>
void check_part(R& reducer, Exec const& space, Block const& block, Cut const& cut) {
  using T = typename Block::non_const_value_type;
  std::vector<T> host(block.size(), std::numeric_limits<T>::quiet_NaN());
  auto const host_part = cut(on_host(host, block));
  std::vector<T> const values = random_values<T>(static_cast<std::int64_t>(host_part.size()), 11);
  put(host_part, values);
  copy_to_device(space, host, block);
  auto const part = cut(block);
  Reference const reference(values);
  EXPECT_EQ(reducer.max(space, part), static_cast<T>(reference.max));
  EXPECT_EQ(reducer.min(space, part), static_cast<T>(reference.min));
  EXPECT_NEAR(reducer.sum(space, part), reference.sum, sum_error<T>() * reference.sum_abs);
  EXPECT_EQ(reducer.max_abs_difference(space, part, part), T(0));
}

struct Whole {
  template <class V>
  auto operator()(V const& v) const {
    return v;
  }
};
struct Inside {
  std::pair<int, int> k, j, i;
  template <class V>
  auto operator()(V const& v) const {
    return Kokkos::subview(v, k, j, i);
  }
};
struct Plane {
  int i;
  template <class V>
  auto operator()(V const& v) const {
    return Kokkos::subview(v, Kokkos::ALL, Kokkos::ALL, i);
  }
};
struct Line {
  int j, i;
  template <class V>
  auto operator()(V const& v) const {
    return Kokkos::subview(v, Kokkos::ALL, j, i);
  }
};

template <class R, class Exec, class T, class Layout>
void check_layout(R& reducer, Exec const& space) {
  using Block = Kokkos::View<T***, Layout, Exec>;
  for (auto const& e : {std::array{5, 7, 11}, std::array{1, 7, 1}, std::array{3, 1, 2}, std::array{40, 50, 60},
                        std::array{2, 3, 40000}, std::array{9000, 3, 2}}) {
    SCOPED_TRACE(std::to_string(e[0]) + " x " + std::to_string(e[1]) + " x " + std::to_string(e[2]));
    Block const block("karman::test::block", e[0], e[1], e[2]);
    check_part(reducer, space, block, Whole{});
    check_part(reducer, space, block, Plane{e[2] / 2});
    check_part(reducer, space, block, Line{e[1] - 1, e[2] / 2});
    check_part(reducer, space, block, Inside{{0, e[0]}, {0, e[1]}, {e[2] / 2, e[2]}});
    check_part(reducer, space, block, Inside{{e[0] / 3, e[0]}, {e[1] / 2, e[1]}, {0, (e[2] + 1) / 2}});
    check_part(reducer, space, block, Inside{{e[0] / 3, e[0] / 3 + 1}, {0, e[1]}, {e[2] / 3, e[2] - e[2] / 4}});
  }
}

TYPED_TEST(Reductions, TakeEveryLayout) {
  using T = typename TestFixture::Real;
  using Exec = typename TestFixture::Exec;
  check_layout<Reducer<Exec>, Exec, T, Kokkos::LayoutRight>(this->reducer, this->space);
  check_layout<Reducer<Exec>, Exec, T, Kokkos::LayoutLeft>(this->reducer, this->space);
  // 30 x 20 values among NaNs.
  Kokkos::LayoutStride const places(30, 7, 20, 400);
  std::vector<T> memory(8000, std::numeric_limits<T>::quiet_NaN());
  for (std::size_t i = 0; i < 30; ++i)
    for (std::size_t j = 0; j < 20; ++j) memory[7 * i + 400 * j] = T(2);
  auto const values = upload(this->space, memory);
  using Strided = Kokkos::View<T**, Kokkos::LayoutStride, Exec, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  EXPECT_EQ(this->reducer.sum(this->space, Strided(values.data(), places)), T(1200));
}

TYPED_TEST(Reductions, CombineFieldsOfDifferentLayouts) {
  using T = typename TestFixture::Real;
  using Exec = typename TestFixture::Exec;
  Kokkos::View<T***, Kokkos::LayoutRight, Exec> const a("karman::test::a", 13, 14, 15);
  Kokkos::View<T***, Kokkos::LayoutLeft, Exec> const b("karman::test::b", 13, 14, 15);
  std::vector<T> values = random_values<T>(13 * 14 * 15, 12, 1, 2), in_a(values.size()), in_b(values.size());
  auto const ha = on_host(in_a, a);
  auto const hb = on_host(in_b, b);
  put(ha, values);
  put(hb, values);
  hb(7, 3, 9) += T(8);
  copy_to_device(this->space, in_a, a);
  copy_to_device(this->space, in_b, b);
  T const difference = hb(7, 3, 9) - ha(7, 3, 9);
  EXPECT_EQ(this->reducer.max_abs_difference(this->space, a, b), difference);
  EXPECT_EQ(this->reducer.max_abs_difference(this->space, b, a), difference);
  EXPECT_EQ(this->reducer.relative_difference(this->space, a, b),
            difference / *std::max_element(values.begin(), values.end()));
  T const speed = this->reducer.max_speed(this->space, a, b, a);
  T const x = ha(7, 3, 9), y = hb(7, 3, 9);
  EXPECT_NEAR(speed, std::sqrt(x * x + y * y + x * x), 4 * speed * std::numeric_limits<T>::epsilon());
}

// ---- The algorithm of a device

template <class R, class Exec, class T>
void check_teams(R& reducer, Exec const& space, int threads) {
  for (std::int64_t const n : sizes<T>()) {
    SCOPED_TRACE(n);
    std::vector<T> values = random_values<T>(n, 13);
    Reference const reference(values);
    auto const x = upload(space, values);
    EXPECT_EQ(reducer.max(space, x), static_cast<T>(reference.max));
    T const sum = reducer.sum(space, x);
    // A thread adds a value of every pack of two or more; four packs are joined before they are added.
    long double const chain = static_cast<long double>(n) / (4 * threads) * std::numeric_limits<T>::epsilon();
    EXPECT_NEAR(sum, reference.sum, (chain + sum_error<T>()) * reference.sum_abs);
    EXPECT_EQ(reducer.sum(space, x), sum);
    auto const all = reducer.min_max_sum(space, x);
    EXPECT_EQ(all.min, static_cast<T>(reference.min));
    // The same values at an address where no load of 16 bytes is allowed: the same bits.
    std::vector<T> longer{T(0)};
    longer.insert(longer.end(), values.begin(), values.end());
    auto const rest = Kokkos::subview(upload(space, longer), std::pair<std::size_t, std::size_t>(1, longer.size()));
    EXPECT_EQ(reducer.sum(space, rest), sum);
    if (n > 0) {
      values[static_cast<std::size_t>(n / 3)] = std::numeric_limits<T>::quiet_NaN();
      EXPECT_TRUE(std::isnan(reducer.max(space, upload(space, values))));
    }
  }
}

/// Norms and speeds of values m 2^e with 1/2 <= |m| <= 1. Exponents from `low` to `high`.
template <class R, class Exec, class T>
void check_squares(R& reducer, Exec const& space, std::int64_t n, int low, int high) {
  SCOPED_TRACE(std::to_string(n) + " values of 2^" + std::to_string(low) + " to 2^" + std::to_string(high));
  auto const made = [&](unsigned seed) {
    std::vector<T> values = random_values<T>(n, seed, 0.5, 1);
    std::mt19937 random(seed);
    for (T& value : values)
      value = std::ldexp(random() % 2 == 0 ? value : -value, low + int(random() % unsigned(high - low + 1)));
    return values;
  };
  std::vector<T> const a = made(1), b = made(2), c = made(3);
  std::vector<T> twice = a;
  for (T& value : twice) value *= T(2);
  long double speed2 = 0, speed3 = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    long double const u = a[i], v = b[i], w = c[i];
    speed2 = std::max(speed2, u * u + v * v);
    speed3 = std::max(speed3, u * u + v * v + w * w);
  }
  auto const x = upload(space, a), y = upload(space, b), z = upload(space, c);
  // A result below the normal numbers is rounded to their smallest distance.
  auto const expect = [](T found, long double exact, long double error) {
    EXPECT_NEAR(found, exact, error * exact + std::numeric_limits<T>::denorm_min());
  };
  constexpr long double eps = std::numeric_limits<T>::epsilon();
  expect(reducer.norm_l2(space, x), std::sqrt(Reference(a).sum_squares), sum_error<T>());
  expect(reducer.max_speed(space, x, y), std::sqrt(speed2), 4 * eps);
  expect(reducer.max_speed(space, x, y, z), std::sqrt(speed3), 4 * eps);
  // Halves of numbers below the normal ones are not exact.
  if (low > std::numeric_limits<T>::min_exponent) {
    expect(reducer.relative_difference_l2(space, upload(space, twice), x), 0.5, 2 * sum_error<T>());
  }
}

template <class R, class Exec, class T>
void check_range_of_squares(R& reducer, Exec const& space) {
  constexpr int most = std::numeric_limits<T>::max_exponent, least = std::numeric_limits<T>::min_exponent;
  for (std::int64_t const n : {1, 33, 5000, 40000}) {
    // Apart: where squares overflow, fit and vanish, down to the last digits.
    for (int const exponent :
         {most - 12, most / 2 + 9, most / 2 - 1, most / 2 - 8, 0, least / 2 + 1, least / 2 - 9, least, least - 9})
      check_squares<R, Exec, T>(reducer, space, n, exponent, exponent);
    // Together.
    check_squares<R, Exec, T>(reducer, space, n, least, most - 12);
    check_squares<R, Exec, T>(reducer, space, n, -20, most - 12);
    check_squares<R, Exec, T>(reducer, space, n, least, -20);
    check_squares<R, Exec, T>(reducer, space, n, least, least / 2);
    std::vector<T> values(static_cast<std::size_t>(n), std::ldexp(T(1), most / 2 + 9));
    values[static_cast<std::size_t>(n / 2)] = std::numeric_limits<T>::quiet_NaN();
    for (auto const& spoilt : {upload(space, values), upload(space, std::vector<T>(1, values[std::size_t(n / 2)]))}) {
      EXPECT_TRUE(std::isnan(reducer.norm_l2(space, spoilt)));
      EXPECT_TRUE(std::isnan(reducer.max_speed(space, spoilt, spoilt)));
    }
    values[static_cast<std::size_t>(n / 2)] = std::numeric_limits<T>::infinity();
    auto const infinite = upload(space, values);
    EXPECT_EQ(reducer.norm_l2(space, infinite), std::numeric_limits<T>::infinity());
    EXPECT_EQ(reducer.max_speed(space, infinite, infinite), std::numeric_limits<T>::infinity());
    auto const zeros = upload(space, std::vector<T>(static_cast<std::size_t>(n), T(0)));
    EXPECT_EQ(reducer.norm_l2(space, zeros), T(0));
    EXPECT_EQ(reducer.max_speed(space, zeros, zeros), T(0));
    EXPECT_EQ(reducer.relative_difference_l2(space, zeros, zeros), T(0));
  }
}

TYPED_TEST(Reductions, SquareNumbersOfAnySize) {
  using T = typename TestFixture::Real;
  using Exec = typename TestFixture::Exec;
  check_range_of_squares<Reducer<Exec>, Exec, T>(this->reducer, this->space);
  Reducer<Exec, TeamTable> teams(this->space);
  check_range_of_squares<Reducer<Exec, TeamTable>, Exec, T>(teams, this->space);
  using Complex = Kokkos::complex<T>;
  for (T const size : {std::ldexp(T(1), std::numeric_limits<T>::max_exponent - 8),
                       std::ldexp(T(1), std::numeric_limits<T>::min_exponent)}) {
    auto const z = upload(this->space, std::vector<Complex>(100, Complex(T(0.75) * size, size)));
    EXPECT_NEAR(this->reducer.norm_l2(this->space, z) / size, T(12.5), 12.5 * sum_error<T>());
  }
}

template <class Exec>
struct AnyTeam {
  KOKKOS_FUNCTION void operator()(typename Kokkos::TeamPolicy<Exec>::member_type const&) const {}
};

TYPED_TEST(ReductionsOnce, GoTheWayOfADeviceAsWell) {
  using T = typename TestFixture::Real;
  using Exec = typename TestFixture::Exec;
  int const most = Kokkos::TeamPolicy<Exec>(this->space, 1, 1).team_size_max(AnyTeam<Exec>{}, Kokkos::ParallelForTag());
  int largest = 1;
  for (int const team_size : {1, 2, 32, 96, 256, 1024}) {
    if (team_size > most) continue;
    largest = std::min(team_size, 256);
    for (int const max_teams : {1, 3, 64}) {
      SCOPED_TRACE("teams of " + std::to_string(team_size) + ", at most " + std::to_string(max_teams));
      Reducer<Exec, TeamTable> teams(this->space, {.team_size = team_size, .max_teams = max_teams});
      check_teams<Reducer<Exec, TeamTable>, Exec, T>(teams, this->space, team_size * max_teams);
    }
  }
  Reducer<Exec, TeamTable> teams(this->space, {.team_size = largest, .max_teams = 64});
  check_layout<Reducer<Exec, TeamTable>, Exec, T, Kokkos::LayoutRight>(teams, this->space);
  check_layout<Reducer<Exec, TeamTable>, Exec, T, Kokkos::LayoutLeft>(teams, this->space);
}

// ---- User-defined maps and operations

struct SquareOfIndex {
  KOKKOS_FUNCTION double operator()(std::int64_t i) const { return static_cast<double>(i) * static_cast<double>(i); }
};
struct IndexInBox {
  int ny, nx;
  KOKKOS_FUNCTION std::int64_t operator()(int k, int j, int i) const { return (std::int64_t(k) * ny + j) * nx + i; }
};
// The place of the greatest value.
struct Greatest {
  double value;
  std::int64_t place;
};
struct GreatestOf {
  using value_type = Greatest;
  KOKKOS_FUNCTION Greatest identity() const { return {-1, -1}; }
  KOKKOS_FUNCTION Greatest join(Greatest const& a, Greatest const& b) const {
    return b.value > a.value || (b.value == a.value && b.place < a.place) ? b : a;
  }
  KOKKOS_FUNCTION std::int64_t finish(Greatest const& g) const { return g.place; }
};
struct Parabola {
  std::int64_t top;
  KOKKOS_FUNCTION Greatest operator()(std::int64_t i) const {
    double const x = static_cast<double>(i - top);
    return {1e12 - x * x, i};
  }
};

TYPED_TEST(ReductionsOnce, TakeMapsOverIndices) {
  for (std::int64_t const n : {0, 1, 1000, 4097, 200000}) {
    double const m = static_cast<double>(n);
    EXPECT_EQ(this->reducer.reduce(this->space, n, SquareOfIndex{}, SumOf<double>{}) /
                  std::max(1.0, (m - 1) * m * (2 * m - 1) / 6),
              n > 1 ? 1.0 : 0.0);
    EXPECT_EQ(this->reducer.reduce(this->space, n, SquareOfIndex{}, MaxOf<double>{}),
              n > 0 ? (m - 1) * (m - 1) : -std::numeric_limits<double>::infinity());
    auto const all = this->reducer.reduce(this->space, n, SquareOfIndex{}, MinMaxSumOf<double>{});
    EXPECT_EQ(all.max, n > 0 ? (m - 1) * (m - 1) : -std::numeric_limits<double>::infinity());
  }
  for (std::int64_t const top : {0, 1, 4096, 77777, 99999}) {
    EXPECT_EQ(this->reducer.reduce(this->space, 100000, Parabola{top}, GreatestOf{}), top);
  }
  EXPECT_EQ(this->reducer.reduce(this->space, 0, Parabola{3}, GreatestOf{}), -1);
}

TYPED_TEST(ReductionsOnce, TakeMapsOverBoxes) {
  for (auto const& e : {std::array{1, 1, 1}, std::array{3, 5, 7}, std::array{31, 2, 1}, std::array{6, 70, 333},
                        std::array{2, 2, 70000}, std::array{50000, 1, 3}, std::array{0, 4, 4}, std::array{4, 4, 0}}) {
    SCOPED_TRACE(std::to_string(e[0]) + " x " + std::to_string(e[1]) + " x " + std::to_string(e[2]));
    std::int64_t const n = std::int64_t(e[0]) * e[1] * e[2];
    IndexInBox const index{e[1], e[2]};
    EXPECT_EQ(this->reducer.reduce(this->space, e, index, SumOf<std::int64_t>{}), n * (n - 1) / 2);
    EXPECT_EQ(this->reducer.reduce(this->space, e, index, MaxOf<std::int64_t>{}),
              n > 0 ? n - 1 : std::numeric_limits<std::int64_t>::lowest());
    Kokkos::View<std::int64_t, typename TestFixture::Exec> const result("karman::test::result");
    this->reducer.reduce(this->space, e, index, SumOf<std::int64_t>{}, result);
    EXPECT_EQ(download(this->space, result), n * (n - 1) / 2);
  }
}

TYPED_TEST(ReductionsOnce, TakeIntegers) {
  auto const& space = this->space;
  constexpr int lowest = std::numeric_limits<int>::lowest();
  constexpr int highest = std::numeric_limits<int>::max();
  std::vector<int> values(5000, highest);
  values[4321] = lowest;
  auto const x = upload(space, values);
  auto const y = upload(space, std::vector<int>(5000, highest));
  EXPECT_EQ(this->reducer.max(space, x), highest);
  EXPECT_EQ(this->reducer.min(space, x), lowest);
  EXPECT_EQ(this->reducer.sum(space, x), std::int64_t(4999) * highest + lowest);
  static_assert(std::is_same_v<decltype(this->reducer.max_abs(space, x)), unsigned>);
  EXPECT_EQ(this->reducer.max_abs(space, x), 2147483648U);
  EXPECT_EQ(this->reducer.max_abs_difference(space, x, y), 4294967295U);
  EXPECT_EQ(this->reducer.max_abs_difference(space, y, x), 4294967295U);
  EXPECT_EQ(this->reducer.relative_difference(space, y, x), 4294967295.0 / 2147483647.0);
  EXPECT_NEAR(this->reducer.norm_l1(space, x), 4999.0 * 2147483647.0 + 2147483648.0, 0.1);
  EXPECT_EQ(this->reducer.max(space, upload(space, std::vector<int>{})), lowest);

  std::vector<std::int64_t> wide(300);
  for (std::size_t i = 0; i < wide.size(); ++i) wide[i] = (std::int64_t(1) << 54) + static_cast<std::int64_t>(i);
  auto const w = upload(space, wide);
  EXPECT_EQ(this->reducer.max(space, w), (std::int64_t(1) << 54) + 299);
  EXPECT_EQ(this->reducer.sum(space, w), 300 * (std::int64_t(1) << 54) + 299 * 150);

  auto const u = upload(space, std::vector<unsigned>{0U, 4294967295U, 4294967295U});
  EXPECT_EQ(this->reducer.max(space, u), 4294967295U);
  EXPECT_EQ(this->reducer.sum(space, u), std::uint64_t(2) * 4294967295U);
  EXPECT_EQ(this->reducer.min_max_sum(space, u).min, 0U);
  auto const bytes = upload(space, std::vector<std::int8_t>(1000, std::int8_t(-128)));
  EXPECT_EQ(this->reducer.sum(space, bytes), -128000);
  EXPECT_EQ(int(this->reducer.max_abs(space, bytes)), 128);
}

TYPED_TEST(ReductionsOnce, TakeComplexNumbers) {
  using Complex = Kokkos::complex<double>;
  std::vector<Complex> values(1000, Complex(0.5, -0.25));
  values[700] = Complex(3, -4);
  auto const z = upload(this->space, values);
  Complex const sum = this->reducer.sum(this->space, z);
  EXPECT_DOUBLE_EQ(sum.real(), 999 * 0.5 + 3);
  EXPECT_DOUBLE_EQ(sum.imag(), -999 * 0.25 - 4);
  EXPECT_DOUBLE_EQ(this->reducer.max_abs(this->space, z), 5.0);
  EXPECT_NEAR(this->reducer.norm_l2(this->space, z), std::sqrt(999 * 0.3125 + 25), 1e-12);
  EXPECT_NEAR(this->reducer.norm_l1(this->space, z), 999 * std::sqrt(0.3125) + 5, 1e-10);
  EXPECT_DOUBLE_EQ(this->reducer.max_abs_difference(this->space, z, z), 0.0);
}

// ---- The map to [0, 1]

TYPED_TEST(Reductions, RescaleAFieldToUnit) {
  using T = typename TestFixture::Real;
  using Exec = typename TestFixture::Exec;
  for (std::int64_t const n : {0, 1, 2, 33, 100007}) {
    std::vector<T> const values = random_values<T>(n, 17, -3, 5);
    auto const x = upload(this->space, values);
    Kokkos::View<T*, Exec> const y("karman::test::unit", values.size());
    this->reducer.rescale_to_unit(this->space, x, y);
    this->reducer.rescale_to_unit(this->space, x, x);
    std::vector<T> const hy = host_copy(this->space, y), hx = host_copy(this->space, x);
    Reference const reference(values);
    T const low = static_cast<T>(reference.min), high = static_cast<T>(reference.max);
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(hy[i], n == 1 ? T(0) : (values[i] - low) / (high - low));
      ASSERT_EQ(hx[i], hy[i]);
      ASSERT_TRUE(hy[i] >= T(0) && hy[i] <= T(1));
    }
  }
  Kokkos::View<T***, Kokkos::LayoutRight, Exec> const block("karman::test::block", 6, 7, 8);
  Kokkos::View<float***, Kokkos::LayoutLeft, Exec> const unit("karman::test::unit", 4, 5, 6);
  std::vector<T> values(block.size());
  auto const host = on_host(values, block);
  put(host, random_values<T>(6 * 7 * 8, 18));
  copy_to_device(this->space, values, block);
  Inside const inside{{1, 5}, {1, 6}, {1, 7}};
  auto const part = inside(block);
  this->reducer.rescale_to_unit(this->space, part, unit);
  std::vector<float> units = host_copy(this->space, unit);
  auto const host_unit = on_host(units, unit);
  auto const host_part = inside(host);
  T const low = this->reducer.min(this->space, part), high = this->reducer.max(this->space, part);
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 5; ++j) {
      for (int i = 0; i < 6; ++i) {
        ASSERT_EQ(host_unit(k, j, i), static_cast<float>((host_part(k, j, i) - low) / (high - low)));
      }
    }
  }
}

TYPED_TEST(Reductions, RescaleTheUnusual) {
  using T = typename TestFixture::Real;
  using Exec = typename TestFixture::Exec;
  Kokkos::View<T*, Exec> const unit("karman::test::unit", 3);
  auto const rescaled = [&](std::vector<T> const& values) {
    this->reducer.rescale_to_unit(this->space, upload(this->space, values), unit);
    return host_copy(this->space, unit);
  };
  auto const constant = rescaled({T(4), T(4), T(4)});
  EXPECT_EQ(constant[0] + constant[1] + constant[2], T(0));
  auto const spoilt = rescaled({T(1), std::numeric_limits<T>::quiet_NaN(), T(4)});
  EXPECT_TRUE(std::isnan(spoilt[0]) && std::isnan(spoilt[1]) && std::isnan(spoilt[2]));
  T const largest = std::numeric_limits<T>::max();
  auto const wide = rescaled({-largest, T(0), largest});
  EXPECT_EQ(wide[0], T(0));
  EXPECT_EQ(wide[1], T(0.5));
  EXPECT_EQ(wide[2], T(1));
  Kokkos::View<T*, Exec> const other("karman::test::other", 4);
  EXPECT_THROW(this->reducer.rescale_to_unit(this->space, other, unit), std::invalid_argument);
}

/// Integers that differ by less than the spacing of the floating-point numbers beside them, and the widest range.
template <class Integer, class U, class Exec, class R>
void expect_integers_rescaled(Exec const& space, R& reducer, std::vector<Integer> const& values) {
  Kokkos::View<U*, Exec> const unit("karman::test::unit", values.size());
  reducer.rescale_to_unit(space, upload(space, values), unit);
  std::vector<U> const found = host_copy(space, unit);
  auto const [least, most] = std::minmax_element(values.begin(), values.end());
  long double const low = static_cast<long double>(*least), width = static_cast<long double>(*most) - low;
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Two conversions and a division.
    double const exact = double((static_cast<long double>(values[i]) - low) / width);
    EXPECT_NEAR(double(found[i]), exact, 1.5 * double(std::numeric_limits<U>::epsilon()) * exact) << i;
  }
}

TYPED_TEST(Reductions, RescaleOfIntegersKeepsTheRange) {
  using T = typename TestFixture::Real;
  using Exec = typename TestFixture::Exec;
  using Limits = std::numeric_limits<std::int64_t>;
  std::vector<std::int64_t> close;
  for (int i = 0; i < 9; ++i) close.push_back((std::int64_t(1) << 60) + 5 * i * i);
  expect_integers_rescaled<std::int64_t, T, Exec>(this->space, this->reducer, close);
  expect_integers_rescaled<std::int64_t, T, Exec>(this->space, this->reducer,
                                                  {Limits::min(), -1, 0, Limits::max() / 2, Limits::max()});
  expect_integers_rescaled<std::int32_t, T, Exec>(this->space, this->reducer,
                                                  {100000000, 100000001, 100000003, 100000007});
  expect_integers_rescaled<std::uint8_t, T, Exec>(this->space, this->reducer, {3, 200, 255, 4});
}

// ---- Guarantees beyond the numbers

TYPED_TEST(ReductionsOnce, OfTwoPlansDoNotDisturbEachOther) {
  using T = typename TestFixture::Real;
  using Exec = typename TestFixture::Exec;
  Reducer<Exec> other(this->space);
  Reducer<Exec> moved(std::move(other));
  auto const x = upload(this->space, random_values<T>(200000, 21));
  auto const y = upload(this->space, random_values<T>(300000, 22));
  T const sum_x = this->reducer.sum(this->space, x), max_y = this->reducer.max(this->space, y);
  Kokkos::View<T, Exec> const a("karman::test::a"), b("karman::test::b");
  for (int round = 0; round < 20; ++round) {
    this->reducer.sum(this->space, x, a);
    moved.max(this->space, y, b);
    EXPECT_EQ(moved.sum(this->space, x), sum_x);
    EXPECT_EQ(download(this->space, a), sum_x);
    EXPECT_EQ(download(this->space, b), max_y);
  }
}

TYPED_TEST(ReductionsOnce, RefuseWhatTheyCannotDo) {
  using T = typename TestFixture::Real;
  using Exec = typename TestFixture::Exec;
  Kokkos::View<T**, Kokkos::LayoutRight, Exec> const a("karman::test::a", 4, 5), b("karman::test::b", 5, 4);
  EXPECT_THROW(this->reducer.max_abs_difference(this->space, a, b), std::invalid_argument);
  EXPECT_THROW(this->reducer.max_speed(this->space, a, b), std::invalid_argument);
  EXPECT_THROW(this->reducer.reduce(this->space, -1, SquareOfIndex{}, SumOf<double>{}), std::invalid_argument);
  EXPECT_THROW(this->reducer.reduce(this->space, std::array{1, -1, 1}, IndexInBox{1, 1}, SumOf<std::int64_t>{}),
               std::invalid_argument);
  EXPECT_THROW(Reducer<Exec>(this->space, {.team_size = 1, .max_teams = 0}), std::invalid_argument);
  EXPECT_THROW(Reducer<Exec>(this->space, {.team_size = 0, .max_teams = 8}), std::invalid_argument);
  EXPECT_THROW(Reducer<Exec>(this->space, {.team_size = 2048, .max_teams = 8}), std::invalid_argument);
  static_assert(!OrderedField<Kokkos::View<Kokkos::complex<double>*, Exec>, Exec>);
  static_assert(!ScalarField<Kokkos::View<T****, Exec>, Exec>);
  static_assert(!ScalarField<Kokkos::View<T, Exec>, Exec>);
  static_assert(!ResultView<Kokkos::View<T const, Exec>, Exec, T>);
  static_assert(!std::is_copy_constructible_v<Reducer<Exec>>);
}

int kernels = 0;
int allocations = 0;
int foreign_labels = 0;
void count_kernel(char const* label, std::uint32_t, std::uint64_t*) {
  ++kernels;
  if (std::string(label).rfind("karman::reductions::", 0) != 0) ++foreign_labels;
}
void count_allocation(Kokkos::Tools::SpaceHandle, char const*, void const*, std::uint64_t bytes) {
  // With every team kernel on CUDA Kokkos announces a scratch "allocation" of no bytes, which allocates nothing.
  if (bytes > 0) ++allocations;
}

TYPED_TEST(ReductionsOnce, AreOneLabelledKernelAndAllocateNothing) {
  using T = typename TestFixture::Real;
  using Exec = typename TestFixture::Exec;
  auto const x = upload(this->space, random_values<T>(100000, 23));
  Kokkos::View<T, Exec> const result("karman::test::result");
  this->reducer.max(this->space, x);  // with any workspace that Kokkos sets up at the first kernel
  this->space.fence();
  kernels = allocations = foreign_labels = 0;
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(count_kernel);
  Kokkos::Tools::Experimental::set_allocate_data_callback(count_allocation);
  this->reducer.max(this->space, x, result);
  this->reducer.sum(this->space, x);
  this->reducer.min_max_sum(this->space, x);
  this->reducer.reduce(this->space, 1000, SquareOfIndex{}, SumOf<double>{});
  Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
  Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
  EXPECT_EQ(kernels, 4);
  EXPECT_EQ(foreign_labels, 0);
  EXPECT_EQ(allocations, 0);
}

// Runs the program beside this one, which prints the bits of sums, with a number of threads.
std::string bits_with_threads(int threads) {
  std::string const command =
      "OMP_PROC_BIND=false OMP_NUM_THREADS=" + std::to_string(threads) + " '" KARMAN_REDUCTIONS_BITS "'";
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  std::string output;
  std::array<char, 4096> part{};
  for (std::size_t got; (got = std::fread(part.data(), 1, part.size(), pipe)) > 0;) output.append(part.data(), got);
  return pclose(pipe) == 0 ? output : "";
}

TEST(ReductionsBits, AreTheSameForAnyNumberOfThreads) {
  std::string const one = bits_with_threads(1);
  ASSERT_NE(one.find("sum"), std::string::npos);
  for (int const threads : {2, 3, 4}) EXPECT_EQ(bits_with_threads(threads), one) << threads << " threads";
  EXPECT_EQ(bits_with_threads(2), one) << "a second run";
}

}  // namespace karman::test
