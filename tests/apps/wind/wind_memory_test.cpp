// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dry run announces the memory of a wind model.
#include "solvers/common/allocated_bytes.hpp"
#include "wind_fields.hpp"
#include <karman/core/reductions.hpp>

namespace {

using namespace karman;
using namespace karman::test;

template <class>
class WindMemory : public ::testing::Test {};
TYPED_TEST_SUITE(WindMemory, AllBackends, BackendNames);

TYPED_TEST(WindMemory, IsAnnounced) {
  using Exec = typename TypeParam::execution_space;
  using T = typename TypeParam::real;
  wind::Building triangle = wind::prism({{6, 30}, {14, 30}, {10, 36}});
  triangle.height = 8;
  std::vector<wind::Building> const blocks{block(20, 20, 8, 8, 8), block(34, 12, 5, 9, 12, 30), triangle};
  struct Solver {
    wind::Method method;
    SorStorage storage;
  };
  for (Solver const& solver :
       {Solver{wind::Method::sor, SorStorage::packed}, Solver{wind::Method::sor, SorStorage::folded},
        Solver{wind::Method::sor, SorStorage::coefficients}, Solver{wind::Method::multigrid, SorStorage::packed},
        Solver{wind::Method::mg_pcg, SorStorage::packed}}) {
    SCOPED_TRACE(std::string(name(solver.method)) + ' ' + std::string(name(solver.storage)));
    for (bool const over_terrain : {false, true}) {
      for (bool const built : {false, true}) {
        wind::WindCase wind_case = small_case<Exec, T>(built ? blocks : std::vector<wind::Building>{});
        wind_case.solver.method = solver.method;
        if (over_terrain) {
          std::vector<double> heights(24 * 20, 0.0);
          heights[100] = 5;
          wind_case.terrain = wind::Terrain(wind_case.grid, heights);
        }
        wind_case.solver.storage = solver.storage;
        std::unique_ptr<wind::WindModel> model;
        auto const kept = allocated_bytes<Exec>([&] { model = wind::make_wind_model(backend_of<Exec>(), wind_case); });
        // While the plan is made: a mask and codes of solid cells, and coefficients to be stored otherwise.
        std::int64_t const unpacked = solver.storage == SorStorage::packed ? 0 : 6 * sizeof(T);
        std::int64_t const for_a_while = wind_case.grid.cell_count() * ((built || over_terrain ? 1 : 0) + 2 + unpacked);
        std::int64_t const announced = wind::model_bytes(backend_of<Exec>(), wind_case) - for_a_while;
        // Workspace of the reductions, which is not announced.
        Exec const space;
        constexpr std::int64_t on_host = 64;
        std::int64_t const reductions = Reducer<Exec>(space).workspace_bytes() + on_host;
        EXPECT_LE(announced, kept.bytes) << built;
        EXPECT_LE(kept.bytes, announced + reductions + 7 * kept.views) << built;
        EXPECT_GE(kept.bytes, announced + reductions - on_host) << built;
      }
    }
  }
}

}  // namespace
