// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of factors: the announced bytes against the bytes of the process; and too little memory.
#include "backends.hpp"
#include "sparse/direct/fill_count.hpp"
#include <karman/solvers/sparse/csr.hpp>
#include <karman/solvers/sparse/direct_solver.hpp>

#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace direct_memory_test {

using namespace karman;
using Exec = Kokkos::DefaultHostExecutionSpace;
using Scalar = Kokkos::complex<double>;

/// Nodes of an nx * ny mesh of right triangles: seven entries per row.
struct Plane {
  int n;
  std::vector<int> offsets{0}, columns;
  std::vector<Scalar> values;

  Plane(int nx, int ny) : n(nx * ny) {
    constexpr int steps[7][2] = {{-1, -1}, {0, -1}, {-1, 0}, {0, 0}, {1, 0}, {0, 1}, {1, 1}};
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        for (auto const& step : steps) {
          int const x = i + step[0], y = j + step[1];
          if (x < 0 || y < 0 || x >= nx || y >= ny) continue;
          bool const own = step[0] == 0 && step[1] == 0;
          columns.push_back(y * nx + x);
          values.push_back(own ? Scalar(5.7, i == 0 ? 0.1 : 0) : Scalar(-1.05, 0));
        }
        offsets.push_back(static_cast<int>(columns.size()));
      }
  }
};

CsrMatrix<Exec, Scalar> matrix_of(Exec const& space, Plane const& plane) {
  return {space, plane.offsets, plane.columns, plane.values};
}

TEST(FillCount, IsThatOfAnEliminationByHand) {
  // A dense elimination on the profile, in random orders.
  std::mt19937 random(3);
  Plane const plane(5, 4);
  std::vector<int> order(static_cast<std::size_t>(plane.n));
  for (int round = 0; round < 20; ++round) {
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    auto const n = static_cast<std::size_t>(plane.n);
    std::vector<std::vector<char>> full(n, std::vector<char>(n, 0));
    for (std::size_t row = 0; row < n; ++row) {
      full[std::size_t(order[row])][std::size_t(order[row])] = 1;
      for (int e = plane.offsets[row]; e < plane.offsets[row + 1]; ++e) {
        auto const a = std::size_t(order[row]), b = std::size_t(order[std::size_t(plane.columns[std::size_t(e)])]);
        full[a][b] = full[b][a] = 1;
      }
    }
    std::int64_t expected = 0;
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = k; i < n; ++i) expected += full[i][k];
      for (std::size_t i = k + 1; i < n; ++i)
        for (std::size_t j = k + 1; j < n; ++j)
          if (full[i][k] != 0 && full[j][k] != 0) full[i][j] = 1;
    }
    EXPECT_EQ(detail::count_fill(plane.n, plane.offsets, plane.columns, order), expected) << round;
  }
}

/// Bytes that this process has in memory now.
std::int64_t resident() {
  std::int64_t all = 0, pages = 0;
  std::ifstream("/proc/self/statm") >> all >> pages;
  return pages * sysconf(_SC_PAGESIZE);
}

std::int64_t most_resident() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::int64_t{usage.ru_maxrss} * 1024;
}

/// Greatest ratio of announced to necessary memory.
double most_announced(DirectLibrary library) { return library == DirectLibrary::superlu ? 2 : 1.2; }

/// Factors a plane: 0 when it takes at most the announced bytes, and not much less. MUMPS announces again for a matrix
/// that is not symmetric, which only its values show.
int factor_and_compare(DirectLibrary library, int nx, int ny, bool symmetric = true) {
  // Some systems round all large allocations up to huge pages: each adds up to 2 MiB, which no library asks for.
  if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0) return 2;
  Exec const space;
  Plane plane(nx, ny);
  if (!symmetric) {
    for (std::size_t entry = 0; entry < plane.values.size(); entry += 5) plane.values[entry] *= 1.01;
  }
  CsrMatrix<Exec, Scalar> const matrix = matrix_of(space, plane);
  DirectSolver<Exec, Scalar> solver(library);
  solver.analyse(space, matrix);
  // Pages that were freed return to the system: factors would not raise the peak in them. How many the analysis leaves
  // depends on the system's allocator.
  ::malloc_trim(0);
  std::int64_t const before = resident();
  FactorReport const report = solver.factor(space, matrix);
  std::int64_t const taken = most_resident() - before, announced = solver.factor_bytes();
  std::fprintf(stderr, "%d x %d: %.1f MB announced, %.1f MB taken\n", nx, ny, 1e-6 * double(announced),
               1e-6 * double(taken));
  bool const whole = !symmetric || DirectSolver<Exec, Scalar>::workspace_bytes(plane.n, plane.offsets, plane.columns,
                                                                               library) > announced;
  bool const close = double(announced) <= most_announced(library) * double(taken);
  return report.ok() && whole && announced >= taken && close ? 0 : 1;
}

/// Factors a plane with a third of the necessary memory: 0 when that is an error of one line.
int factor_without_memory(DirectLibrary library) {
  Exec const space;
  Plane const plane(300, 300);
  CsrMatrix<Exec, Scalar> const matrix = matrix_of(space, plane);
  DirectSolver<Exec, Scalar> solver(library);
  solver.analyse(space, matrix);
  std::int64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  auto const most = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE) + solver.factor_bytes() / 3);
  rlimit const limit{most, most};
  if (setrlimit(RLIMIT_AS, &limit) != 0) return 3;
  try {
    solver.factor(space, matrix);
  } catch (std::runtime_error const& error) {
    std::string const text = error.what();
    std::fprintf(stderr, "%s\n", text.c_str());
    return text.starts_with("DirectSolver") && text.find('\n') == text.npos && text.find("memory") != text.npos ? 0 : 1;
  }
  return 2;
}

/// Each in a new process: peak and limit belong to the process.
class DirectMemory : public ::testing::TestWithParam<DirectLibrary> {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_P(DirectMemory, IsThePeakAndLittleMore) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "an address sanitizer adds its own memory to the peak";
#endif
  // Small ones are lost in the pages of the program.
  EXPECT_EXIT(std::_Exit(factor_and_compare(GetParam(), 120, 120)), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::_Exit(factor_and_compare(GetParam(), 260, 240)), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::_Exit(factor_and_compare(GetParam(), 20, 2000)), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(std::_Exit(factor_and_compare(GetParam(), 260, 240, false)), ::testing::ExitedWithCode(0), "");
}

TEST_P(DirectMemory, TooLittleIsAnErrorAndNotTheEnd) {
  EXPECT_EXIT(std::_Exit(factor_without_memory(GetParam())), ::testing::ExitedWithCode(0), "");
}

std::string library_name(::testing::TestParamInfo<DirectLibrary> const& info) { return std::string(name(info.param)); }

INSTANTIATE_TEST_SUITE_P(Libraries, DirectMemory, ::testing::ValuesIn(direct_libraries()), library_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DirectMemory);

}  // namespace direct_memory_test
