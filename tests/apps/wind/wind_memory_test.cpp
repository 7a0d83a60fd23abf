// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The dry run announces the memory of a wind model.
#include "all_zones.hpp"
#include "solvers/common/allocated_bytes.hpp"
#include "wind/case/wind/sensor_wind.hpp"
#include "wind/model/solid_plan.hpp"
#include "wind_fields.hpp"
#include <karman/core/reductions.hpp>

namespace wind_memory_test {

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
    wind::WallForm walls = wind::WallForm::stairs;
  };
  for (Solver const& solver :
       {Solver{wind::Method::sor, SorStorage::packed}, Solver{wind::Method::sor, SorStorage::folded},
        Solver{wind::Method::sor, SorStorage::coefficients}, Solver{wind::Method::multigrid, SorStorage::packed},
        Solver{wind::Method::mg_pcg, SorStorage::packed},
        Solver{wind::Method::sor, SorStorage::packed, wind::WallForm::cut},
        Solver{wind::Method::mg_pcg, SorStorage::packed, wind::WallForm::cut}}) {
    SCOPED_TRACE(std::string(name(solver.method)) + ' ' + std::string(name(solver.storage)));
    for (bool const over_terrain : {false, true}) {
      for (int const variant : {0, 1, 2}) {
        bool const built = variant > 0;
        wind::WindCase wind_case = small_case<Exec, T>(built ? blocks : std::vector<wind::Building>{});
        if (variant == 2) {
          wind_case.sensors = {{"a", 5, 5, wind_case.profile}, {"b", 40, 30, wind_case.profile}};
          wind_case.profile = wind::SensorWind(wind_case.sensors, 2).mean(wind_case.grid);
        }
        wind_case.solver.method = solver.method;
        if (built) {
          wind_case.vegetation = every_plant();
          wind_case.vegetation[2].shape = triangle;
        }
        if (over_terrain) {
          std::vector<double> heights(24 * 20, 0.0);
          heights[100] = 5;
          wind_case.terrain = wind::Terrain(wind_case.grid, heights);
        }
        wind_case.solver.storage = solver.storage;
        wind_case.solver.walls = solver.walls;
        std::unique_ptr<wind::WindModel> model;
        auto const kept = allocated_bytes<Exec>([&] { model = wind::make_wind_model(backend_of<Exec>(), wind_case); });
        // While the plan is made: codes of solid cells, and coefficients to be stored otherwise.
        std::int64_t const unpacked = solver.storage == SorStorage::packed ? 0 : 6 * sizeof(T);
        std::int64_t for_a_while = wind_case.grid.cell_count() * (2 + unpacked);
        if (cuts_cells(wind_case)) {
          // Six coefficients, beside the buildings in the form of the kernel.
          wind::SolidPlan const plan = wind::plan_solids(wind_case.buildings, wind_case.grid);
          std::size_t const solids = plan.buildings.size() * sizeof(wind::SolidColumns) +
                                     plan.corners.size() * sizeof(wind::Corner) + plan.ring_ends.size() * 4 +
                                     plan.tile_starts.size() * 8 + plan.candidates.size() * sizeof(int);
          for_a_while = wind_case.grid.cell_count() * 6 * std::int64_t(sizeof(T)) +
                        (built ? static_cast<std::int64_t>(solids) : 0);
        }
        std::int64_t const announced = wind::model_bytes(backend_of<Exec>(), wind_case) - for_a_while;
        // Workspace of the reductions, which is not announced.
        Exec const space;
        constexpr std::int64_t on_host = 64;
        std::int64_t const reductions = Reducer<Exec>(space).workspace_bytes() + on_host;
        EXPECT_LE(announced, kept.bytes) << variant;
        EXPECT_LE(kept.bytes, announced + reductions + 7 * kept.views) << variant;
        EXPECT_GE(kept.bytes, announced + reductions - on_host) << variant;
      }
    }
  }
}

}  // namespace wind_memory_test
