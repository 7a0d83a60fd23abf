// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Incomplete factors with fill in a build without Kokkos Kernels.
#include "refused_calls.hpp"
#include "sparse_backends.hpp"
#include <karman/solvers/sparse/ilu_preconditioner.hpp>

namespace ilu_absent_test {

using namespace karman;
using namespace karman::test;

template <class Parameter>
class IluAbsentOn : public SparseTest<Parameter> {};
TYPED_TEST_SUITE(IluAbsentOn, SparseBackends, SparseNames);

TYPED_TEST(IluAbsentOn, SaysWhatIsMissing) {
  using Exec = typename TestFixture::Exec;
  using Scalar = typename TestFixture::Scalar;
  using Number = typename TestFixture::Number;
  EXPECT_FALSE((IluPreconditioner<Exec, Scalar>::available()));
  auto const matrix = to_matrix_on<Exec, Scalar>(this->space, random_dominant<Number>(10, 4, 1.2, true, 3));
  for (char const* words : {"needs Kokkos Kernels", "KARMAN_KOKKOS_KERNELS"}) {
    expect_refused(words, [&] { IluPreconditioner<Exec, Scalar>(this->space, matrix.graph, 10); });
  }
}

}  // namespace ilu_absent_test
