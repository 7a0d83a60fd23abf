// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How to write your own application: heat conduction in a plate. All applications share files, checkpoints and signals
// (apps/common); here are its case and, in heat_model.cpp, its physics.
#include "command/application.hpp"
#include "common/case/quantity.hpp"
#include "common/run/cell_run.hpp"
#include "heat_model.hpp"
#include <karman/io/config.hpp>

#include <heat_texts.hpp>

#include <array>
#include <vector>

namespace {

namespace app = karman::app;

// [run]
int run_heat(app::RunOptions const& options) {
  app::RunContext context("heat_conduction", options);
  karman::Case const input = karman::Case::load(options.case_file, heat::embedded::schema_json, options.overrides);
  auto const cells = input.get<std::array<int, 2>>("/cells");
  auto const size = input.get<std::array<double, 2>>("/size");
  auto const quantities =
      app::read_quantities(input, {"/initial", "/conductivity", "/source"}, "xy", {{size[0], size[1], 1}});

  heat::Plate plate;
  plate.grid = {{cells[0], cells[1], 1}, {size[0] / cells[0], size[1] / cells[1], 1}};
  app::CellProblem problem;
  problem.name = "heat_conduction";
  problem.grid = plate.grid;
  problem.fields = {{"temperature", "K"}};
  problem.values_a_step = 20;
  problem.host_bytes = 2 * 8 * plate.grid.cell_count();
  problem.model_bytes = [&](karman::Backend backend) { return heat::model_bytes(backend, plate.grid); };
  problem.evaluate = [&] {
    plate.conductivity = app::cell_values(input, quantities[1], plate.grid, true);
    plate.source = app::cell_values(input, quantities[2], plate.grid);
    return std::vector<app::CellValues>{app::cell_values(input, quantities[0], plate.grid)};
  };
  problem.make_model = [&](karman::Backend backend) { return heat::make_model(backend, plate); };
  return app::run_cells(context, input, problem);
}
// [run]

}  // namespace

int main(int argc, char** argv) {
  return app::application_main({"heat_conduction", run_heat, [] { return heat::embedded::schema_json; },
                                [] { return heat::embedded::plate_json; }},
                               "Heat conduction in a plate", argc, argv);
}
