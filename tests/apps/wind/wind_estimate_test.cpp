// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Needs of a case as announced before anything is allocated.
#include "wind/run/wind_estimate.hpp"

#include "common/case/memory_check.hpp"
#include "wind/case/wind_case.hpp"
#include <karman/io/config.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace wind_estimate_test {

using karman::Case;
using karman::wind::read_wind_case;
using karman::wind::WindCase;

/// A domain of 40 x 30 x 20 m in cells of 1 m; `more` are overrides.
WindCase read(std::vector<std::string> const& more = {}, int processes = 1) {
  std::string const text = R"({
    "domain": {"cells": [40, 30], "spacing": [1, 1], "layers": {"kind": "uniform", "count": 20, "thickness": 1}},
    "wind": {"profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}, "direction": 270}})";
  return read_wind_case(Case::parse(text, "case.json", karman::wind::schema(), more), processes);
}

TEST(WindEstimate, SaysWhatIsMissingBeforeItIsAllocated) {
  WindCase const wind_case = read({"/domain/cells=[30000, 30000]", "/domain/layers/count=4"});
  auto const need = estimate(wind_case, karman::enabled_backends().back(), 0);
  EXPECT_EQ(need.cells, std::int64_t{30000} * 30000 * 4);
  // At least three faces, four cell fields and two colours of 4 bytes each, flags and codes.
  EXPECT_GT(need.device_bytes, need.cells * 36);
  karman::BackendInfo host;
  host.device = "a small machine";
  host.free_memory_bytes = 1000000000;
  try {
    karman::app::require_memory(need.device_bytes, need.host_bytes, host, host);
    FAIL() << "accepted";
  } catch (std::runtime_error const& error) {
    EXPECT_NE(std::string(error.what()).find("1.00 GB are free on a small machine"), std::string::npos) << error.what();
  }
  auto const small = estimate(read(), karman::enabled_backends().back(), 0);
  EXPECT_NO_THROW(karman::app::require_memory(small.device_bytes, small.host_bytes, host, host));
}

TEST(WindEstimate, ManyProcessesShareCellsAndMemory) {
  for (std::string const method : {"sor", "mg_pcg"}) {
    std::vector<std::string> const more{"/domain/cells=[4096, 4096]", "/domain/layers/count=300",
                                        "/solver/method=" + method};
    EXPECT_THROW(read(more), karman::CaseError);
    WindCase const wind_case = read(more, 4);
    auto const need = [&](int processes) {
      return estimate(wind_case, karman::enabled_backends().back(), 1e9, processes);
    };
    auto const all = need(1), each = need(4);
    EXPECT_EQ(each.cells, std::int64_t{4096} * 4096 * 300);
    // Beside 1024 rows: rings, the coarse grids that each process has whole, and a field on its way to the host. That
    // is 4 bytes per cell; the codes take 2 of them in one process, and the whole model 41 with over-relaxation.
    EXPECT_GT(4 * each.device_bytes, all.device_bytes);
    EXPECT_LT(4 * each.device_bytes, (1 + 2.2 / 41) * all.device_bytes);
    EXPECT_GT(each.disk_bytes, all.disk_bytes / 2);
    EXPECT_NEAR(4 * each.seconds, all.seconds, 1e-6 * all.seconds);
    // Each has whole domains of other winds.
    WindCase sweep = wind_case;
    sweep.sweep.emplace();
    sweep.sweep->sectors.emplace_back();
    EXPECT_EQ(estimate(sweep, karman::enabled_backends().back(), 1e9, 4).device_bytes,
              estimate(sweep, karman::enabled_backends().back(), 1e9, 1).device_bytes);
    EXPECT_EQ(each.part_cells, std::int64_t{4096} * 1024 * 300);
    EXPECT_EQ(all.part_cells, 0);
    EXPECT_EQ(estimate(sweep, karman::enabled_backends().back(), 1e9, 4).part_cells, 0);
    // Two cuts of the largest part, each with a plane.
    std::int64_t const planes = 2 * std::int64_t{4096} * 300 * 4;
    if (method == "sor") {
      EXPECT_EQ(each.sent_bytes, planes);
    } else {
      EXPECT_GT(each.sent_bytes, 5 * planes);
    }
    // Times of which each begins from the one before, on parts of the domain. Each keeps its lambda.
    auto of_series = more;
    of_series.insert(
        of_series.end(),
        {R"(/wind={"sensors": [{"name": "mast", "position": [80, 50], "direction": 270,
                          "profile": {"kind": "log", "speed": 5, "height": 10, "roughness": 0.1}}]})",
         R"(/series={"times": [{"time": 0, "readings": [[5, 270]]}, {"time": 1, "readings": [[6, 275]]}]})"});
    WindCase const chain = read(of_series, 4);
    auto const chain_need = estimate(chain, karman::enabled_backends().back(), 1e9, 4);
    EXPECT_EQ(chain_need.part_cells, each.part_cells);
    WindCase apart = chain;
    apart.series->from_previous = false;
    auto const apart_need = estimate(apart, karman::enabled_backends().back(), 1e9, 4);
    EXPECT_LT(3 * chain_need.device_bytes, apart_need.device_bytes);
    EXPECT_EQ(chain_need.host_bytes - apart_need.host_bytes, 4 * each.part_cells);
    EXPECT_EQ(chain_need.disk_bytes - apart_need.disk_bytes, 3 * 4 * each.cells);
  }
}

/// Cells and faces beyond 32 bits: the announced memory grows with them.
TEST(WindEstimate, CountsMoreCellsThanAnIntHolds) {
  auto const need_of = [](std::string const& cells, std::string const& layers) {
    WindCase const wind_case = read({"/domain/cells=" + cells, "/domain/layers/count=" + layers});
    return estimate(wind_case, karman::enabled_backends().back(), 1e9);
  };
  auto const small = need_of("[256, 256]", "127");
  auto const large = need_of("[2048, 2048]", "1016");
  EXPECT_EQ(large.cells, 512 * small.cells);
  EXPECT_GT(large.cells, std::int64_t{1} << 31);
  // Sides and padding have a smaller share of the larger domain.
  EXPECT_LT(large.device_bytes, 512 * small.device_bytes);
  EXPECT_GT(large.device_bytes, 460 * small.device_bytes);
  EXPECT_GT(large.host_bytes, 500 * (small.host_bytes - small.cells));
  EXPECT_NEAR(large.seconds, 512 * small.seconds, 1e-6 * large.seconds);
}

/// The schema allows so many iterations and times that their product needs 64 bits.
TEST(WindEstimate, CountsMoreIterationsThanAnIntHolds) {
  WindCase wind_case = read({"/solver/method=sor", "/solver/omega=0.2", "/solver/max_iterations=100000000",
                             "/solver/tolerance=1e-12", "/domain/cells=[1600, 1600]", "/domain/layers/count=1600"});
  wind_case.sweep.emplace();
  wind_case.sweep->sectors.resize(100);
  EXPECT_GT(estimate(wind_case, karman::enabled_backends().back(), 1e9).iterations, std::int64_t{1} << 31);
}

/// Output of a small part of the domain needs one component of the velocity at a time.
TEST(WindEstimate, KeepsOneFieldOnTheHostForARegion) {
  auto const host_bytes = [](std::vector<std::string> const& more) {
    return estimate(read(more), karman::enabled_backends().back(), 0).host_bytes;
  };
  constexpr std::int64_t field = 4 * 40 * 30 * 20;
  EXPECT_EQ(host_bytes({}), 4 * field);
  EXPECT_LT(host_bytes({"/outputs/region={\"x\": [0, 2], \"y\": [0, 2]}"}), 2 * field);
  EXPECT_LT(host_bytes({"/outputs/fields=[]"}), 2 * field);
}

/// Only output needs the divergence of the initial field.
TEST(WindEstimate, CountsTheDivergenceBeforeWhereItIsWritten) {
  auto const device_bytes = [](std::vector<std::string> const& more) {
    return estimate(read(more), karman::enabled_backends().back(), 0).device_bytes;
  };
  EXPECT_EQ(device_bytes({}) - device_bytes({"/outputs/fields=[\"velocity\"]"}), 4 * 40 * 30 * 20);
}

TEST(WindEstimate, CountsDeviceAndHostApart) {
  WindCase const wind_case = read();
  auto const need = estimate(wind_case, karman::enabled_backends().back(), 1e9);
  EXPECT_GT(need.seconds, 0);
  karman::BackendInfo device;
  device.backend = karman::Backend::cuda;
  device.free_memory_bytes = need.device_bytes;
  karman::BackendInfo host;
  host.free_memory_bytes = need.host_bytes;
  EXPECT_NO_THROW(karman::app::require_memory(need.device_bytes, need.host_bytes, device, host));
  device.free_memory_bytes -= 1;
  EXPECT_THROW(karman::app::require_memory(need.device_bytes, need.host_bytes, device, host), std::runtime_error);
  device.free_memory_bytes += 1;
  host.free_memory_bytes -= 1;
  EXPECT_THROW(karman::app::require_memory(need.device_bytes, need.host_bytes, device, host), std::runtime_error);
}

/// Cycles do not grow with the grid, sweeps do.
TEST(WindEstimate, ExpectsMoreSweepsOnALargerGridButNoMoreCycles) {
  auto const iterations = [](char const* method, std::string const& cells, std::string const& layers) {
    std::string const set_method = std::string("/solver/method=") + method;
    WindCase const wind_case = read({set_method, "/domain/cells=" + cells, "/domain/layers/count=" + layers});
    return estimate(wind_case, karman::enabled_backends().back(), 1e9).iterations;
  };
  EXPECT_EQ(iterations("mg_pcg", "[40, 30]", "20"), iterations("mg_pcg", "[400, 300]", "200"));
  EXPECT_GT(iterations("sor", "[400, 300]", "200"), 4 * iterations("sor", "[40, 30]", "20"));
}

}  // namespace wind_estimate_test
