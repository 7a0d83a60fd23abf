// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules for codes that embed the tridiagonal solver: no allocation, the caller's instance, labels, equal bits.
#include "solvers/common/bits_on_threads.hpp"
#include "solvers/common/recorded_events.hpp"
#include "tridiagonal_runs.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

namespace tridiagonal_embedding_test {

using namespace karman;
using namespace karman::test;
using A = TridiagonalAlgorithm;
using Kind = RecordedEvent::Kind;
using Events = std::vector<RecordedEvent>;

bool is_ours(std::string const& label) { return label.rfind("karman::tridiagonal::", 0) == 0; }
bool initialises_ours(std::string const& label) {
  return label.rfind("Kokkos::View::initialization [karman::tridiagonal::", 0) == 0;
}

/// Without the workspace of Kokkos for teams. A plan makes Kokkos allocate that, so that no solve does.
Events without_memory_of_kokkos(Events events) {
  auto const is_of_kokkos = [](RecordedEvent const& event) {
    return event.kind == Kind::allocation && (event.label == "[unlabeled]" || event.label.rfind("Kokkos::", 0) == 0);
  };
  events.erase(std::remove_if(events.begin(), events.end(), is_of_kokkos), events.end());
  return events;
}

template <class Parameter>
class TridiagonalEmbedding : public TridiagonalOn<Parameter> {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::scalar;
  using Plan = Tridiagonal<Exec, T>;

  static void expect_ours(Exec const& space, Events const& events, std::string const& what) {
    auto const device = Kokkos::Tools::Experimental::device_id(space);
    for (auto const& event : events) {
      if (event.kind == Kind::fence) {
        EXPECT_EQ(event.device, device) << what << ": " << event.label;
        continue;
      }
      EXPECT_TRUE(is_ours(event.label) || initialises_ours(event.label)) << what << ": " << event.label;
      if (event.kind == Kind::kernel && is_ours(event.label)) {
        EXPECT_EQ(event.device, device) << what << ": " << event.label;
      }
    }
  }

  static void expect_kernels_alone(Events const& events, bool may_fence, std::string const& what) {
    int kernels = 0;
    for (auto const& event : events) {
      EXPECT_NE(event.kind, Kind::allocation) << what << " allocates " << event.label;
      EXPECT_NE(event.kind, Kind::copy) << what << " copies " << event.label;
      if (!may_fence) {
        EXPECT_NE(event.kind, Kind::fence) << what << " waits in " << event.label;
      }
      if (event.kind == Kind::kernel) ++kernels;
    }
    EXPECT_GT(kernels, 0) << what;
  }
};
TYPED_TEST_SUITE(TridiagonalEmbedding, TwoScalars, ScalarNames);

// The first test: Kokkos keeps the scratch memory that it once allocated, so that later ones would show less.
TYPED_TEST(TridiagonalEmbedding, SolvesAllocateNothingAndStayOnTheirInstance) {
  for (auto const& space : instances(this->space)) {
    for (std::int64_t rows : {40, 700, 9000}) {
      if (!TestFixture::is_double && rows == 40) continue;
      for (bool periodic : {false, true}) {
        for (Order order : {Order::right, Order::left}) {
          typename TestFixture::Known known(space, Matrix::dominant, rows, {2, 3}, periodic, 2, order);
          auto const lower = known.placed.lower.view(), diagonal = known.placed.diagonal.view(),
                     upper = known.placed.upper.view(), rhs = known.placed.rhs.view(), x = known.placed.solution.view();
          for (A algorithm : every_algorithm) {
            std::string const what = std::string(name(algorithm)) + ", " + std::to_string(rows) + " rows" +
                                     (periodic ? ", periodic" : "") + ", " + name(order);
            std::unique_ptr<typename TestFixture::Plan> plan;
            TridiagonalSetup const setup{.algorithm = algorithm, .periodic = periodic, .check = true};
            auto const planned = record(
                [&] { plan = std::make_unique<typename TestFixture::Plan>(space, known.placed.shape(), setup); });
            // The listener works: the memory for the check is allocated.
            EXPECT_TRUE(std::any_of(planned.begin(), planned.end(), [](auto const& event) {
              return event.kind == Kind::allocation && event.label == "karman::tridiagonal::rhs";
            }));
            TestFixture::expect_ours(space, without_memory_of_kokkos(planned), what);
            auto const solved = record([&] { plan->solve(space, lower, diagonal, upper, rhs, x); });
            TestFixture::expect_kernels_alone(solved, false, what);
            TestFixture::expect_ours(space, solved, what);
            // Kokkos keeps the memory that its first reduction allocates.
            plan->solve_checked(space, lower, diagonal, upper, rhs, x);
            auto const checked = record([&] { plan->solve_checked(space, lower, diagonal, upper, rhs, x); });
            TestFixture::expect_kernels_alone(checked, true, what + ", checked");
            TestFixture::expect_ours(space, checked, what + ", checked");
            auto const factored = record([&] { plan->factor(space, lower, diagonal, upper); });
            TestFixture::expect_ours(space, factored, what + ", factor");
            auto const again = record([&] {
              plan->factor(space, lower, diagonal, upper);
              plan->solve(space, rhs, x);
            });
            TestFixture::expect_kernels_alone(again, false, what + ", factored again");
            TestFixture::expect_ours(space, again, what + ", factored again");
            space.fence();
          }
        }
      }
    }
  }
}

TYPED_TEST(TridiagonalEmbedding, SameBitsFromRunToRun) {
  for (std::int64_t rows : {300, 520, 5000, 70000}) {
    typename TestFixture::Known known(this->space, Matrix::barely_dominant, rows, {1, 3}, rows == 520);
    for (A algorithm : every_algorithm) {
      known.solve(this->space, {.algorithm = algorithm});
      auto const first = known.placed.bytes(this->space, known.placed.solution);
      for (int run = 0; run < 2; ++run) {
        known.solve(this->space, {.algorithm = algorithm}, run == 1 ? Target::in_place : Target::apart);
        auto const again = known.placed.bytes(this->space, run == 1 ? known.placed.rhs : known.placed.solution);
        EXPECT_EQ(std::memcmp(first.data(), again.data(), first.size() * sizeof(first[0])), 0)
            << name(algorithm) << ", " << rows << " rows, run " << run;
      }
    }
  }
}

/// Bits of the solutions by every algorithm.
template <class Exec, class T>
std::string solution_bits(Exec const& space) {
  std::string bits;
  for (std::int64_t rows : {5, 300, 5000, 70000}) {
    KnownBatch<Exec, T> known(space, Matrix::dominant, rows, {1, 3});
    for (A algorithm : every_algorithm) {
      known.solve(space, {.algorithm = algorithm});
      bits += std::string(name(algorithm)) + ' ' + std::to_string(rows) + ' ' +
              bits_of(known.placed.bytes(space, known.placed.solution)) + ' ';
    }
  }
  return bits;
}

TYPED_TEST(TridiagonalEmbedding, SameBitsOnAnyNumberOfThreads) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  if (!std::is_same_v<Exec, Kokkos::DefaultHostExecutionSpace>) GTEST_SKIP() << "for the parallel backend of the host";
  std::string const bits = solution_bits<Exec, T>(this->space);
#if defined(KOKKOS_ENABLE_SERIAL)
  EXPECT_EQ((solution_bits<Kokkos::Serial, T>(Kokkos::Serial())), bits);
#endif
  expect_bits_on_any_threads(bits);
}

}  // namespace tridiagonal_embedding_test
