// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "refused_calls.hpp"
#include "solvers/common/recorded_events.hpp"
#include "sparse_backends.hpp"
#include <karman/solvers/sparse/sparse_operator.hpp>
#include <karman/solvers/sparse/spmv.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

namespace spmv_test {

using namespace karman;
using namespace karman::test;

template <class Parameter>
class SpmvOn : public SparseTest<Parameter> {};
TYPED_TEST_SUITE(SpmvOn, SparseBackends, SparseNames);

/// y = alpha A x + beta y against the serial product. Each row has its own bound of rounding, (entries + 4) eps *
/// (|alpha| sum |a||x| + |beta y|), doubled for the two roundings of a complex product.
template <class Fixture>
void expect_product(Fixture& fixture, HostMatrix<typename Fixture::Number> const& host, SpmvMethod method, double alpha,
                    double beta) {
  using Exec = typename Fixture::Exec;
  using Scalar = typename Fixture::Scalar;
  using Number = typename Fixture::Number;
  auto const matrix = to_matrix_on<Exec, Scalar>(fixture.space, host);
  RandomNumbers<Number> random(7);
  auto const x = to_vector_on<Exec, Scalar>(fixture.space, random.vector(host.columns));
  auto const y = to_vector_on<Exec, Scalar>(fixture.space, random.vector(host.n()));
  auto const given = to_vector(y), rounded_x = to_vector(x);
  SpmvOptions<Scalar> const options{Scalar(alpha), Scalar(beta), method};
  multiply(fixture.space, matrix, x, y, options);
  fixture.space.fence();
  auto const found = to_vector(y);
  for (int i = 0; i < host.n(); ++i) {
    Number sum = 0;
    double size = 0;
    for (auto const& [j, value] : host.rows[std::size_t(i)]) {
      Number const a = exact<Scalar>(rounded<Scalar>(value));
      sum += a * rounded_x[std::size_t(j)];
      size += std::abs(a) * std::abs(rounded_x[std::size_t(j)]);
    }
    Number const expected = alpha * sum + beta * given[std::size_t(i)];
    double const scale = std::abs(alpha) * size + std::abs(beta * given[std::size_t(i)]);
    double const entries = double(host.rows[std::size_t(i)].size());
    ASSERT_LE(std::abs(found[std::size_t(i)] - expected), 2 * (entries + 4) * Fixture::epsilon * scale)
        << "row " << i << " of " << host.n();
  }
}

/// The methods that this build has.
std::vector<SpmvMethod> methods() {
  std::vector<SpmvMethod> all{SpmvMethod::own};
  if (has_kokkos_kernels()) all.push_back(SpmvMethod::kokkos_kernels);
  return all;
}

/// Rows of every length from none to some hundred, one full row among them, more columns than rows or fewer.
template <class Number>
HostMatrix<Number> uneven(int n, int columns, unsigned seed) {
  RandomNumbers<Number> random(seed);
  HostMatrix<Number> a(n, columns);
  for (int i = 0; i < n && columns > 0; ++i) {
    int const entries = i % 5 == 0 ? 0 : i % 7 == 3 ? random.below(130) : random.below(9);
    for (int m = 0; m < entries; ++m) a.rows[std::size_t(i)][random.below(columns)] = random();
    if (i == n / 2) {
      for (int j = 0; j < columns; ++j) a.rows[std::size_t(i)][j] = random();
    }
  }
  return a;
}

/// [1 0 2; 0 0 0], from arrays of the host.
TYPED_TEST(SpmvOn, TakesMatricesFromArraysOfTheHost) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  std::vector<int> const offsets{0, 2, 2}, columns{0, 2};
  std::vector<Scalar> const values{Scalar(1), Scalar(2)};
  CsrMatrix<Exec, Scalar> const matrix(this->space, offsets, columns, values, 3);
  EXPECT_EQ(matrix.rows(), 2);
  EXPECT_EQ(matrix.columns, 3);
  Vector<Exec, Scalar> const y("karman::test::y", 2);
  multiply(this->space, matrix, to_vector_on<Exec, Scalar>(this->space, {Number(3), Number(5), Number(7)}), y);
  this->space.fence();
  EXPECT_EQ(to_vector(y), (std::vector<Number>{Number(17), Number(0)}));

  CsrMatrix<Exec, Scalar> const empty(this->space, {}, {}, {});
  EXPECT_EQ(empty.rows(), 0);
  EXPECT_EQ(empty.columns, 0);

  auto const make = [&](std::vector<int> const& rows, std::vector<int> const& entries, std::size_t numbers) {
    CsrMatrix<Exec, Scalar>(this->space, rows, entries, std::vector<Scalar>(numbers));
  };
  make({0, 1, 2}, {1, 0}, 2);
  expect_refused("1 values for 2 entries", [&] { make({0, 1, 2}, {1, 0}, 1); });
  expect_refused("end with the 2 entries", [&] { make({0, 1, 3}, {1, 0}, 2); });
  expect_refused("begin with 0", [&] { make({1, 1, 2}, {1, 0}, 2); });
  expect_refused("begin with 0", [&] { make({}, {1}, 1); });
  expect_refused("row 1 of the profile has offsets that descend", [&] { make({0, 3, 2}, {1, 0}, 2); });
  for (std::vector<int> const& entries : {std::vector<int>{1, 0}, {0, 0}, {0, 2}, {-1, 0}}) {
    expect_refused("row 1 of the profile has columns", [&] { make({0, 0, 2}, entries, 2); });
  }
}

TYPED_TEST(SpmvOn, AgreesWithTheSerialProduct) {
  using Number = typename TestFixture::Number;
  for (auto const method : methods()) {
    for (int n : {0, 1, 2, 31, 32, 33, 255, 256, 257, 3001}) {
      expect_product(*this, uneven<Number>(n, n, unsigned(n)), method, 1, 0);
    }
    expect_product(*this, uneven<Number>(300, 77, 5), method, 1, 0);
    expect_product(*this, uneven<Number>(77, 300, 6), method, 1, 0);
    expect_product(*this, HostMatrix<Number>(50), method, 1, 0);
    expect_product(*this, random_dominant<Number>(5000, 14, 1, true, 3), method, 1, 0);
  }
}

/// Second differences, row by row.
template <class Exec, class Scalar>
struct FillDifferences {
  CsrMatrix<Exec, Scalar> matrix;
  Kokkos::View<int*, typename Exec::memory_space> offsets, columns;
  Vector<Exec, Scalar> x;
  int n;

  KOKKOS_FUNCTION static int begin(int row) { return row == 0 ? 0 : 3 * row - 1; }
  KOKKOS_FUNCTION static int number(int i) { return i * 37 % 101; }
  KOKKOS_FUNCTION void operator()(int row) const {
    offsets(row) = begin(row);
    if (row == n - 1) offsets(n) = 3 * n - 2;
    x(row) = Scalar(number(row));
    int e = begin(row);
    for (int column = row - 1; column <= row + 1; ++column) {
      if (column < 0 || column >= n) continue;
      columns(e) = column;
      matrix.values(e++) = Scalar(column == row ? 2 : -1);
    }
  }
};

TYPED_TEST(SpmvOn, TakesMoreRowsThanADeviceHoldsAtOnce) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  constexpr int n = 700'001;
  auto const entries = std::size_t(3 * n - 2);
  using Numbers = Kokkos::View<int*, typename Exec::memory_space>;
  FillDifferences<Exec, Scalar> fill{{},
                                     Numbers("karman::test::offsets", std::size_t(n) + 1),
                                     Numbers("karman::test::columns", entries),
                                     Vector<Exec, Scalar>("karman::test::x", std::size_t(n)),
                                     n};
  fill.matrix = {{fill.offsets, fill.columns}, Vector<Exec, Scalar>("karman::test::values", entries), n};
  Vector<Exec, Scalar> const y("karman::test::y", std::size_t(n));
  Kokkos::parallel_for("karman::test::fill", Kokkos::RangePolicy<Exec>(this->space, 0, n), fill);
  multiply(this->space, fill.matrix, fill.x, y);
  this->space.fence();
  auto const found = to_vector(y);
  auto const x = [&](int i) { return i < 0 || i >= n ? 0.0 : double(fill.number(i)); };
  // Whole numbers: no rounding.
  for (int i = 0; i < n; ++i) ASSERT_EQ(std::abs(found[std::size_t(i)] - (2 * x(i) - x(i - 1) - x(i + 1))), 0) << i;
}

TYPED_TEST(SpmvOn, ScalesAndAdds) {
  using Number = typename TestFixture::Number;
  for (auto const method : methods()) {
    for (double alpha : {1.0, -2.5, 0.0}) {
      for (double beta : {0.0, 1.0, -0.75}) expect_product(*this, uneven<Number>(513, 513, 9), method, alpha, beta);
    }
  }
}

TYPED_TEST(SpmvOn, DoesNotReadTheResultWhereBetaIsZero) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, uneven<Number>(100, 100, 2));
  std::vector<Number> const nothing(100, Number(std::numeric_limits<double>::quiet_NaN()));
  auto const x = to_vector_on<Exec, Scalar>(this->space, std::vector<Number>(100, Number(1)));
  auto const y = to_vector_on<Exec, Scalar>(this->space, nothing);
  multiply(this->space, matrix, x, y);
  for (auto const& value : to_vector(y)) EXPECT_TRUE(std::isfinite(std::abs(value)));
}

TYPED_TEST(SpmvOn, IsTheSameMapAsAnOperator) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, uneven<Number>(700, 700, 4));
  auto const x = to_vector_on<Exec, Scalar>(this->space, RandomNumbers<Number>(1).vector(700));
  Vector<Exec, Scalar> const by_call("karman::test::y", 700), by_operator("karman::test::y", 700);
  multiply(this->space, matrix, x, by_call);
  SparseOperator<Exec, Scalar> a(matrix);
  EXPECT_EQ(a.extents(), (std::array<int, 3>{1, 1, 700}));
  a.apply(this->space, x, by_operator);
  this->space.fence();
  EXPECT_EQ(to_vector(by_call), to_vector(by_operator));
}

TYPED_TEST(SpmvOn, RunsOnTheInstanceAndAllocatesNothing) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, uneven<Number>(700, 700, 4));
  Vector<Exec, Scalar> const x("karman::test::x", 700), y("karman::test::y", 700);
  multiply(this->space, matrix, x, y);
  this->space.fence();
  auto const events = record([&] { multiply(this->space, matrix, x, y); });
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].label, "karman::spmv::multiply");
}

TYPED_TEST(SpmvOn, RefusesWhatDoesNotFit) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  auto matrix = to_matrix_on<Exec, Scalar>(this->space, uneven<Number>(20, 30, 4));
  Vector<Exec, Scalar> const twenty("karman::test::20", 20), thirty("karman::test::30", 30);
  EXPECT_NO_THROW(multiply(this->space, matrix, thirty, twenty));
  EXPECT_THROW(multiply(this->space, matrix, twenty, twenty), std::invalid_argument);
  EXPECT_THROW(multiply(this->space, matrix, thirty, thirty), std::invalid_argument);
  EXPECT_THROW((SparseOperator<Exec, Scalar>(matrix)), std::invalid_argument);
  if (!has_kokkos_kernels()) {
    SpmvOptions<Scalar> const other{Scalar(1), Scalar(0), SpmvMethod::kokkos_kernels};
    EXPECT_THROW(multiply(this->space, matrix, thirty, twenty, other), std::invalid_argument);
  }
  matrix.values = twenty;
  EXPECT_THROW(multiply(this->space, matrix, thirty, twenty), std::invalid_argument);
}

}  // namespace spmv_test
