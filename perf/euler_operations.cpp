// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "euler_operations.hpp"

#include "counted.hpp"
// After the functions of counted numbers: a qualified name finds only those declared before it.
#include "euler/element.hpp"

namespace karman::perf {

OperationCount euler_triangle_operations(bool stabilized) {
  OperationCount count;
  auto const number = [&count](double value) { return Counted(value, &count); };
  detail::EulerNumbers<Counted> const numbers{number(1.4), number(1), number(1000)};
  detail::EulerTriangle<Counted> t;
  t.x1 = number(1);
  t.y1 = number(0.1);
  t.x2 = number(0.2);
  t.y2 = number(0.9);
  // A different state at each node; the kernel has no branches, so that the numbers do not matter.
  for (int m = 0; m < 3; ++m) {
    double const rho = 1 + 0.1 * m;
    double const u[4] = {rho, 0.3 * rho, 0.2, 2.5 + 0.2 * m};
    for (int c = 0; c < 4; ++c) {
      t.u[c][m] = number(u[c]);
      t.g[c] = number(0.01 * c);
    }
    t.volume[m] = number(1 / rho);
  }
  Counted sum[4][3];
  if (stabilized) detail::euler_triangle<true>(numbers, t, sum);
  else detail::euler_triangle<false>(numbers, t, sum);
  return count;
}

double euler_residual_flops(bool stabilized) {
  double const differences = 4, projections = stabilized ? 8 : 0, sums = 12, node = 1 + (1 + 8);
  return euler_triangle_operations(stabilized).total() + differences + projections + sums + 0.5 * node;
}

double euler_step_flops() { return 4 * euler_residual_flops(true) + euler_residual_flops(false); }

}  // namespace karman::perf
