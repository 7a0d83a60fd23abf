// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of sparse matrices: profile and values against sums in double.
#include "sparse/amg/matrix_product.hpp"

#include "sparse_backends.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

namespace matrix_product_test {

using namespace karman;
using namespace karman::test;

template <class Parameter>
class MatrixProduct : public SparseTest<Parameter> {};
TYPED_TEST_SUITE(MatrixProduct, SparseBackends, SparseNames);

/// Rows of up to four entries, some empty; row `long_row` has an entry in every column.
template <class Number>
HostMatrix<Number> random_matrix(int rows, int columns, int long_row, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_int_distribution<int> length(0, 4), column(0, columns - 1);
  RandomNumbers<Number> numbers(seed);
  HostMatrix<Number> result(rows, columns);
  for (int i = 0; i < rows; ++i) {
    auto const values = numbers.vector(columns);
    auto& row = result.rows[std::size_t(i)];
    for (int n = length(generator); n > 0; --n) {
      int const j = column(generator);
      row[j] = values[std::size_t(j)];
    }
    for (int j = 0; i == long_row && j < columns; ++j) row[j] = values[std::size_t(j)];
  }
  return result;
}

struct Shape {
  int rows, inner, columns;
};

TYPED_TEST(MatrixProduct, AgreesWithPlainSums) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  // The long row takes none, one or two larger sets; there may be more columns than rows.
  for (Shape const shape : {Shape{1, 1, 1}, Shape{50, 40, 20}, Shape{300, 200, 190}, Shape{9, 600, 700}}) {
    SCOPED_TRACE(std::to_string(shape.rows) + " x " + std::to_string(shape.inner) + " x " +
                 std::to_string(shape.columns));
    auto const left = stored<Scalar>(random_matrix<Number>(shape.rows, shape.inner, shape.rows / 2, 3));
    auto const right = stored<Scalar>(random_matrix<Number>(shape.inner, shape.columns, 0, 4));
    auto const a = to_matrix_on<Exec, Scalar>(this->space, left), b = to_matrix_on<Exec, Scalar>(this->space, right);
    auto const plan = karman::detail::product_profile(
        this->space, karman::detail::ProductProfiles<Exec>{a.graph, b.graph}, shape.columns);
    CsrMatrix<Exec, Scalar> c{plan.graph, Vector<Exec, Scalar>("karman::test::c", plan.graph.entries.extent(0)),
                              shape.columns};
    karman::detail::multiply_matrices(this->space, "karman::test::product", a, b, c, plan.sets);
    this->space.fence();

    auto const offsets = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), c.graph.offsets);
    auto const columns = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), c.graph.entries);
    auto const values = to_vector(c.values);
    ASSERT_EQ(c.rows(), shape.rows);
    for (int i = 0; i < shape.rows; ++i) {
      std::map<int, Number> sums;
      std::map<int, double> sizes;
      for (auto const& [k, factor] : left.rows[std::size_t(i)]) {
        for (auto const& [j, value] : right.rows[std::size_t(k)]) {
          sums[j] += factor * value;
          sizes[j] += std::abs(factor * value);
        }
      }
      ASSERT_EQ(offsets(i + 1) - offsets(i), int(sums.size())) << "row " << i;
      int e = offsets(i);
      for (auto const& [j, sum] : sums) {
        EXPECT_EQ(columns(e), j) << "row " << i;
        EXPECT_LE(std::abs(values[std::size_t(e)] - sum), 700 * this->epsilon * sizes[j]) << "row " << i;
        ++e;
      }
    }
  }
}

}  // namespace matrix_product_test
