// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "counted.hpp"
#include "euler_operations.hpp"
// After the functions of counted numbers: a qualified name finds only those declared before it.
#include "euler/element.hpp"

#include <gtest/gtest.h>

namespace operations_test {

using karman::perf::Counted;
using karman::perf::OperationCount;

TEST(Counted, CountsEveryOperationByItsKind) {
  OperationCount count;
  Counted const a(3, &count), b(4, &count);
  Counted c = sqrt(a * a + b * b) / 2 - fabs(-a);
  c += 1;
  c -= b;
  EXPECT_DOUBLE_EQ(c.value, -3.5);
  EXPECT_EQ(count.additions, 4);
  EXPECT_EQ(count.multiplications, 2);
  EXPECT_EQ(count.divisions, 1);
  EXPECT_EQ(count.roots, 1);
  EXPECT_EQ(count.total(), 8);
}

TEST(Counted, CountsNoConstants) {
  OperationCount count;
  Counted const a(3, &count);
  Counted const product = (Counted(2) * Counted(0.5) + 1) * a;
  EXPECT_DOUBLE_EQ(product.value, 6);
  EXPECT_EQ(count.total(), 1);
}

// Counted by hand in the source of euler_flux().
TEST(Counted, CountsAFlux) {
  OperationCount count;
  Counted const u[4] = {{1, &count}, {0.5, &count}, {0.25, &count}, {2, &count}};
  Counted flux[4];
  karman::detail::euler_flux(Counted(1.4, &count), u, Counted(1, &count), Counted(2, &count), flux);
  EXPECT_EQ(count.divisions, 2);
  EXPECT_EQ(count.multiplications, 12);
  EXPECT_EQ(count.additions, 7);
  EXPECT_EQ(count.roots, 0);
  double const plain[4] = {1, 0.5, 0.25, 2};
  double expected[4];
  karman::detail::euler_flux(1.4, plain, 1.0, 2.0, expected);
  for (int c = 0; c < 4; ++c) EXPECT_DOUBLE_EQ(flux[c].value, expected[c]);
}

TEST(EulerOperations, AreThoseOfTheIntegrals) {
  OperationCount const galerkin = karman::perf::euler_triangle_operations(false);
  OperationCount const all = karman::perf::euler_triangle_operations(true);
  // Sound and the longest side; the division that gives 1 / rho and 1 / (twice the area).
  EXPECT_EQ(galerkin.divisions, 1);
  EXPECT_GE(galerkin.roots, 3);
  EXPECT_GT(all.additions, galerkin.additions);
  EXPECT_GT(all.multiplications, 2 * galerkin.multiplications);
  EXPECT_GT(all.roots + all.divisions, galerkin.roots + galerkin.divisions);
  EXPECT_DOUBLE_EQ(karman::perf::euler_residual_flops(true), all.total() + 4 + 8 + 12 + 5);
  EXPECT_DOUBLE_EQ(karman::perf::euler_step_flops(),
                   4 * karman::perf::euler_residual_flops(true) + karman::perf::euler_residual_flops(false));
  for (auto const& [name, count] : {std::pair{"galerkin", galerkin}, std::pair{"all", all}}) {
    std::printf("%s: %d additions, %d multiplications, %d divisions, %d roots\n", name, count.additions,
                count.multiplications, count.divisions, count.roots);
  }
}

}  // namespace operations_test
