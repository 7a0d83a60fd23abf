// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Incomplete factors with fill in a build without Kokkos Kernels.
#include <karman/solvers/ilu_preconditioner.hpp>

#include <solvers/sparse_backends.hpp>

#include <stdexcept>
#include <string>

namespace {

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
  try {
    IluPreconditioner<Exec, Scalar>(this->space, matrix.graph, 10);
    FAIL() << "a build without Kokkos Kernels made factors";
  } catch (std::invalid_argument const& error) {
    std::string const message = error.what();
    EXPECT_NE(message.find("no Kokkos Kernels"), std::string::npos) << message;
    EXPECT_NE(message.find("KARMAN_KOKKOS_KERNELS"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

}  // namespace
