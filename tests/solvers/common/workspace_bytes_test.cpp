// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The announced memory of solvers of sparse and tridiagonal systems equals the memory that they keep.
#include "backends.hpp"
#include "workspace_case.hpp"
#include <karman/core/host_copy.hpp>
#include <karman/solvers/sparse/block_preconditioners.hpp>
#include <karman/solvers/sparse/krylov.hpp>
#include <karman/solvers/sparse/sparse_preconditioners.hpp>
#include <karman/solvers/tridiagonal/tridiagonal.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace workspace_bytes_test {

using namespace karman;

/// A chain of nodes, each with its neighbours.
template <class Exec>
Graph<Exec> chain(Exec const& space, int n) {
  std::vector<int> offsets{0}, columns;
  for (int row = 0; row < n; ++row) {
    for (int other = row - 1; other <= row + 1; ++other) {
      if (other >= 0 && other < n) columns.push_back(other);
    }
    offsets.push_back(int(columns.size()));
  }
  Graph<Exec> graph;
  graph.offsets = device_copy(space, offsets, "karman::test::offsets");
  graph.entries = device_copy(space, columns, "karman::test::columns");
  return graph;
}

template <class Parameter>
class WorkspaceOn : public karman::test::WorkspaceCase<Parameter> {};
TYPED_TEST_SUITE(WorkspaceOn, karman::test::AllBackends, karman::test::BackendNames);

TYPED_TEST(WorkspaceOn, KrylovMethodsKeepTheAnnouncedBytes) {
  using Exec = typename TestFixture::Exec;
  using Solver = GeneralKrylov<Exec, Kokkos::complex<typename TestFixture::T>>;
  for (KrylovMethod const method : {KrylovMethod::cocg, KrylovMethod::bicgstab, KrylovMethod::gmres}) {
    for (int const n : {1, 1001, 70000}) {
      GeneralKrylovSetup const setup{method, 7};
      this->expect_kept(std::string(name(method)), Solver::workspace_bytes(n, setup),
                        [&] { return std::make_unique<Solver>(this->space, n, setup); });
    }
  }
}

TYPED_TEST(WorkspaceOn, PreconditionersKeepTheAnnouncedBytes) {
  using Exec = typename TestFixture::Exec;
  using Scalar = Kokkos::complex<typename TestFixture::T>;
  using Jacobi = SparseJacobiPreconditioner<Exec, Scalar>;
  using Colored = ColoredPreconditioner<Exec, Scalar>;
  using Shifted = ShiftedPreconditioner<Exec, Scalar>;
  for (int const n : {2, 333}) {
    auto const graph = chain(this->space, n);
    std::int64_t const entries = 3 * n - 2;
    this->expect_kept("Jacobi", Jacobi::workspace_bytes(n),
                      [&] { return std::make_unique<Jacobi>(this->space, graph, n); });
    this->expect_kept("ILU(0)", Colored::workspace_bytes(n, entries),
                      [&] { return std::make_unique<Colored>(this->space, graph, n); });
    for (int const steps : {1, 2}) {
      ShiftedSetup setup;
      setup.steps = steps;
      this->expect_kept("shifted", Shifted::workspace_bytes(n, entries, setup),
                        [&] { return std::make_unique<Shifted>(this->space, graph, n, setup); });
    }
  }
}

TYPED_TEST(WorkspaceOn, PreconditionersOfBlocksKeepTheAnnouncedBytes) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  using Jacobi = BlockJacobi<Exec, T, 4>;
  using Sweeps = BlockGaussSeidel<Exec, T, 4>;
  using Ilu = BlockIlu<Exec, T, 4>;
  for (int const n : {2, 333}) {
    auto const graph = chain(this->space, n);
    std::int64_t const entries = 3 * n - 2;
    this->expect_kept("block Jacobi", Jacobi::workspace_bytes(n),
                      [&] { return std::make_unique<Jacobi>(this->space, graph); });
    for (SweepOrder const order : {SweepOrder::colors, SweepOrder::rows}) {
      this->expect_kept("block Gauss-Seidel", Sweeps::workspace_bytes(n, entries), [&] {
        return std::make_unique<Sweeps>(this->space, graph, BlockGaussSeidelSetup{.sweeps = 2, .order = order});
      });
      this->expect_kept("block ILU(0)", Ilu::workspace_bytes(n, entries),
                        [&] { return std::make_unique<Ilu>(this->space, graph, BlockIluSetup{.order = order}); });
    }
  }
}

TYPED_TEST(WorkspaceOn, TridiagonalPlansKeepTheAnnouncedBytes) {
  using Exec = typename TestFixture::Exec;
  using Plan = Tridiagonal<Exec, typename TestFixture::T>;
  using A = TridiagonalAlgorithm;
  for (A const algorithm : {A::automatic, A::thomas, A::cyclic_reduction, A::parallel_cyclic_reduction, A::cr_pcr,
                            A::pcr_thomas, A::interleaved_thomas, A::partitioned, A::pivoting}) {
    for (std::int64_t const rows : {1, 5, 3000}) {
      for (bool const more : {false, true}) {
        auto const shape = TridiagonalShape::along(1, {7, rows});
        TridiagonalSetup const setup{.algorithm = algorithm, .periodic = more, .check = more};
        this->expect_kept(std::string(name(algorithm)), Plan::workspace_bytes(this->space, shape, setup),
                          [&] { return std::make_unique<Plan>(this->space, shape, setup); });
      }
    }
  }
}

}  // namespace workspace_bytes_test
