// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The conformance suite of the solvers on grids, in random parts. Runs as any number of processes.
#include "backends.hpp"
#include "chosen_cases.hpp"
#include "conformance_grid_solvers.hpp"
#include "world.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace distributed_conformance_test {

using karman::test::ConformanceOptions;
using karman::test::ConformingSolver;

/// The suite, and options that are wrong in the last process alone: all of them throw.
void expect_conformance_in_all(std::vector<ConformingSolver> const& solvers) {
  karman::test::expect_conformance(solvers);
  bool const last = karman::test::world().rank() == karman::test::world().size() - 1;
  for (ConformingSolver const& solver : solvers) {
    if (!solver.iterative) continue;
    SCOPED_TRACE(solver.name);
    ConformanceOptions const options{.tolerance = last ? -1 : solver.tolerance};
    EXPECT_THROW(solver.solve({}, solver.zero(), options), std::invalid_argument);
  }
}

template <class Case>
class DistributedConformanceOn : public ::testing::Test {
 public:
  using Exec = typename Case::execution_space;
  karman::test::GridSuite<Exec, typename Case::real> suite(unsigned seed) const {
    return karman::test::GridSuite<Exec, typename Case::real>(Exec(), {karman::test::world(), seed});
  }
};
TYPED_TEST_SUITE(DistributedConformanceOn, karman::test::AllBackends, karman::test::BackendNames);

TYPED_TEST(DistributedConformanceOn, Stationary) { expect_conformance_in_all(this->suite(0).stationary()); }

TYPED_TEST(DistributedConformanceOn, ConjugateGradients) { expect_conformance_in_all(this->suite(10).krylov()); }

/// Every third one has both ways, and in double both precisions of the cycles.
TYPED_TEST(DistributedConformanceOn, Multigrid) {
  using Exec = typename TypeParam::execution_space;
  expect_conformance_in_all(karman::test::chosen_cases<Exec>(this->suite(20).multigrid(), 3));
}

TYPED_TEST(DistributedConformanceOn, Direct) {
  using Exec = typename TypeParam::execution_space;
  std::vector<unsigned> const seeds{30, 31, 32, 33};
  for (unsigned const seed : karman::test::chosen_cases<Exec>(seeds, seeds.size()))
    expect_conformance_in_all(this->suite(seed).direct());
}

}  // namespace distributed_conformance_test
