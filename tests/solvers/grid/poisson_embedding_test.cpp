// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rules for codes that embed the iterative Poisson solvers: no allocation in a solve, the caller's instance, labels
// that start with karman::.
#include "backends.hpp"
#include "fields.hpp"
#include "solvers/common/recorded_events.hpp"
#include <karman/solvers/grid/adi.hpp>
#include <karman/solvers/grid/conjugate_gradients.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>
#include <karman/solvers/grid/relaxation.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace poisson_embedding_test {

using namespace karman;
using karman::test::HostField;
using karman::test::initialises_ours;
using karman::test::instances;
using karman::test::is_ours;
using karman::test::make_plane;
using karman::test::record;
using karman::test::RecordedEvent;
using karman::test::to_device;
using Kind = RecordedEvent::Kind;
using Events = std::vector<RecordedEvent>;

/// Kokkos 4 waits for the host's own memory when it fills or frees some, on an instance of its choice.
bool is_of_host_memory(std::string const& label) {
  return label.rfind("HostSpace", 0) == 0 || label == "Kokkos::View::initialization via memset";
}

/// Checks labels and instance of all events.
template <class Exec>
void expect_ours(Exec const& space, Events const& events, std::string const& what) {
  auto const device = Kokkos::Tools::Experimental::device_id(space);
  for (auto const& event : events) {
    switch (event.kind) {
      case Kind::fence:
        EXPECT_TRUE(event.device == device || is_of_host_memory(event.label)) << what << ": " << event.label;
        break;
      case Kind::copy:
        EXPECT_TRUE(is_ours(event.label) && is_ours(event.source))
            << what << ": " << event.label << " <- " << event.source;
        break;
      case Kind::allocation:
        // The scratch memory of an instance belongs to Kokkos, and some versions do not label it.
        EXPECT_TRUE(is_ours(event.label) || event.label.rfind("Kokkos::", 0) == 0 || event.label == "[unlabeled]")
            << what << ": " << event.label;
        break;
      case Kind::kernel:
        EXPECT_TRUE(is_ours(event.label) || initialises_ours(event.label)) << what << ": " << event.label;
        if (is_ours(event.label)) {
          EXPECT_EQ(event.device, device) << what << ": " << event.label;
        }
        break;
    }
  }
}

void expect_no_allocation(Events const& events, std::string const& what) {
  int kernels = 0;
  for (auto const& event : events) {
    EXPECT_NE(event.kind, Kind::allocation) << what << " allocates " << event.label;
    if (event.kind == Kind::kernel) {
      EXPECT_TRUE(is_ours(event.label)) << what << ": " << event.label;
      ++kernels;
    }
  }
  EXPECT_GT(kernels, 0) << what;
}

template <class Parameter>
class PoissonEmbedding : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
};
TYPED_TEST_SUITE(PoissonEmbedding, karman::test::AllBackends, karman::test::BackendNames);

/// A problem, its fields, and a check of one call.
template <class Exec, class T>
struct Setting {
  Exec space;
  std::string name;
  UniformGrid grid;
  Boundaries sides;
  SevenPointProblem<Exec, T> problem{grid, sides, make_wall_codes<Exec>(space, grid, sides)};
  Field<Exec, T> lambda = to_device(space, HostField<T>(grid.extents(Location::cell)));
  Field<Exec, T> rhs = to_device(space, HostField<T>(grid.extents(Location::cell)).fill([](int k, int j, int i) {
    return k + 0.5 * j - 0.25 * i;
  }));
  Plane<Exec, T> plane = make_plane<T>(space, grid.nz(), grid.ny(), [](int k, int j) { return k + 0.5 * j; });

  void check(std::string const& method, std::function<void()> const& plan, std::function<void()> const& use) const {
    std::string const what = method + ", " + name;
    space.fence();
    expect_ours(space, record(plan), what + ", plan");
    auto const events = record(use);
    expect_ours(space, events, what);
    expect_no_allocation(events, what);
  }
};

template <class Exec, class T>
void check_methods(Setting<Exec, T> const& setting) {
  auto const& space = setting.space;
  auto const extents = setting.grid.extents(Location::cell);
  std::unique_ptr<SevenPoint<Exec, T>> a;
  setting.check(
      "operator", [&] { a = std::make_unique<SevenPoint<Exec, T>>(space, setting.problem); },
      [&] {
        if (!setting.sides.periodic()[0]) a->set_boundary_values(space, Side::east, setting.plane);
        a->apply(space, setting.rhs, setting.lambda);
        space.fence();
      });
  std::unique_ptr<ConjugateGradients<Exec, T>> cg;
  DiagonalPreconditioner<Exec, T> diagonal(*a);
  setting.check(
      "conjugate gradients", [&] { cg = std::make_unique<ConjugateGradients<Exec, T>>(space, extents); },
      [&] {
        KrylovOptions const options{.tolerance = 0, .max_iterations = 5, .check_every = 2};
        cg->solve(space, *a, setting.lambda, setting.rhs, options);
        cg->solve(space, *a, diagonal, setting.lambda, setting.rhs, options);
      });
  RelaxationOptions const few{.omega = 0.9, .tolerance = 0, .max_iterations = 3, .check_every = 3};
  std::unique_ptr<Jacobi<Exec, T>> jacobi;
  setting.check(
      "Jacobi", [&] { jacobi = std::make_unique<Jacobi<Exec, T>>(space, *a); },
      [&] { jacobi->solve(space, setting.lambda, setting.rhs, few); });
  std::unique_ptr<GaussSeidel<Exec, T>> gauss_seidel;
  setting.check(
      "Gauss-Seidel", [&] { gauss_seidel = std::make_unique<GaussSeidel<Exec, T>>(space, *a); },
      [&] { gauss_seidel->solve(space, setting.lambda, setting.rhs, few); });
  std::unique_ptr<Adi<Exec, T>> adi;
  setting.check(
      "ADI", [&] { adi = std::make_unique<Adi<Exec, T>>(space, *a); },
      [&] { adi->solve(space, setting.lambda, setting.rhs, {.tolerance = 0, .max_iterations = 3}); });
  std::unique_ptr<HeatAdi<Exec, T>> heat;
  setting.check(
      "heat", [&] { heat = std::make_unique<HeatAdi<Exec, T>>(space, *a); },
      [&] {
        heat->step(space, setting.lambda, setting.rhs, 0.1);
        space.fence();
      });
  std::unique_ptr<RedBlackSor<Exec, T>> sor;
  setting.check(
      "red-black SOR", [&] { sor = std::make_unique<RedBlackSor<Exec, T>>(space, setting.problem); },
      [&] { sor->solve(space, setting.lambda, setting.rhs, {.tolerance = 0, .max_iterations = 3}); });
}

// The first test: Kokkos keeps the scratch memory that it once allocated, so that later ones would show less.
TYPED_TEST(PoissonEmbedding, SolvesAllocateNothingAndStayOnTheirInstance) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  Boundaries around = Boundaries::all(Boundary::periodic);
  around.top = around.bottom = Boundary::neumann;
  for (auto const& space : instances(this->space)) {
    check_methods<Exec, T>({space, "open box", UniformGrid({36, 5, 9}, {1, 1, 1}), {}});
    check_methods<Exec, T>({space, "odd periodic axes, singular", UniformGrid({37, 5, 3}, {1, 1, 1}), around});
    check_methods<Exec, T>(
        {space, "plane", UniformGrid({37, 11, 1}, {1, 1, 1}), Boundaries::planar(Boundary::dirichlet)});
  }
}

}  // namespace poisson_embedding_test
