// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// main() of tests that run as several processes. The first process reports; others print their failures. The exit code
/// of each is that of all together.
#include "world.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>

namespace {

/// Prints failures alone, each with the rank of its process.
class Failures final : public ::testing::EmptyTestEventListener {
 public:
  explicit Failures(int rank) : rank_(rank) {}
  void OnTestPartResult(::testing::TestPartResult const& result) override {
    if (!result.failed()) return;
    std::printf("process %d, %s:%d: %s\n", rank_, result.file_name() == nullptr ? "?" : result.file_name(),
                result.line_number(), result.message());
    std::fflush(stdout);
  }

 private:
  int rank_;
};

}  // namespace

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ::testing::InitGoogleTest(&argc, argv);
  auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
  if (rank != 0) {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new Failures(rank));
  }
  int failed = 0;
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    failed = RUN_ALL_TESTS();
    // NCCL ends without progress of messages that MPI still has to pass on.
    MPI_Barrier(MPI_COMM_WORLD);
    karman::test::world_of_tests().reset();
  }
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
