// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "poisson_output.hpp"

#include "common/fields/array_part.hpp"
#include "common/fields/grid_scales.hpp"
#include "common/fields/provenance.hpp"
#include <karman/io/communicator_files.hpp>
#include <karman/io/csv_writer.hpp>
#include <karman/io/shared_hdf5_file.hpp>
#include <karman/io/xdmf.hpp>

#include <array>

namespace karman::poisson {
namespace {

constexpr int format_version = 1;
std::vector<std::string> const history_columns{"iteration", "residual", "seconds"};

/// Values of the fields that the case asks for, one after the other.
class FieldsFile {
 public:
  FieldsFile(std::filesystem::path const& path, Overwrite overwrite, PoissonCase const& poisson_case,
             LinearSystem const& system)
      : shared_(SharedHdf5File::create(file_processes(system.communicator), path, overwrite)),
        file_(shared_.shared()),
        case_(poisson_case),
        system_(system) {}

  void write_header(SolveResult const& result) {
    app::write_provenance(
        file_, {"karman.poisson", format_version, case_.title, result.backend, case_.solver.precision, case_.text});
    file_.write_attribute("/", "problem", "poisson");
    file_.write_attribute("/", "dimensions", case_.dimensions);
    file_.write_attribute("/", "method", name(result.method));
    file_.write_attribute("/", "converged", result.outcome.converged ? 1 : 0);
    file_.write_attribute("/", "iterations", result.outcome.iterations);
    file_.write_attribute("/", "relative_residual", result.largest_residual);
    file_.write_attribute("/", "round_off", result.round_off);
    file_.write_attribute("/", "omega", result.outcome.omega);
    file_.write_attribute("/", "memory_bytes", result.memory_bytes);
    file_.write_attribute("/", "singular", system_.singular ? 1 : 0);
    file_.write_attribute("/", "removed_mean", system_.removed_mean);
    file_.write_attribute("/", "solid_cells", case_.grid.cell_count() - system_.fluid_cells);
    if (result.error) {
      file_.write_attribute("/", "largest_error", result.error->largest);
      file_.write_attribute("/", "mean_error", result.error->mean);
      file_.write_attribute("/", "root_mean_square_error", result.error->root_mean_square);
    }
    app::write_grid_lines(file_, case_.grid, "");
    app::write_cell_centers(file_, case_.grid, "");
  }

  void write_fields(SolveResult const& result) {
    OutputSettings const& outputs = case_.outputs;
    if (outputs.p) write_field("/cells/p", result.p);
    if (outputs.f) write_field("/cells/f", system_.f);
    if (outputs.residual) write_field("/cells/residual", result.residual);
    if (outputs.error && result.error) {
      CellValues error(result.p.size(), 0);
      for (std::size_t cell = 0; cell < error.size(); ++cell) {
        if (!system_.is_solid(cell)) error[cell] = result.p[cell] - system_.exact[cell];
      }
      write_field("/cells/error", error);
    }
    if (outputs.coefficient) write_field("/cells/coefficient", cell_coefficient());
    if (outputs.solid && system_.has_solid()) {
      write_part("/cells/solid", {system_.solid.data(), extents()});
    }
  }

  void write_history(SolveResult const& result) {
    file_.create_table("/history", history_columns);
    for (SolveSample const& sample : result.outcome.history) {
      file_.append_row("/history", std::array{double(sample.iteration), sample.residual, sample.seconds});
    }
    file_.make_group("/timings");
    file_.write_attribute("/timings", "system", result.system_seconds);
    file_.write_attribute("/timings", "set_up", result.set_up_seconds);
    file_.write_attribute("/timings", "solve", result.outcome.seconds);
  }

  void commit() { shared_.commit(); }

 private:
  ArrayExtents extents() const { return ArrayExtents(system_.grid.extents(Location::cell)); }
  DatasetOptions options() const { return {.chunk = {}, .deflate = case_.outputs.compression}; }

  void write_field(char const* dataset, CellValues const& values) {
    if (case_.solver.precision == Precision::f64) {
      write_part(dataset, {values.data(), extents()});
    } else {
      std::vector<float> const rounded(values.begin(), values.end());
      write_part(dataset, {rounded.data(), extents()});
    }
  }

  /// Values in the cells of this process.
  void write_part(char const* dataset, ConstArray const& values) {
    shared_.write(dataset, values, app::part_of(system_.grid), options());
    app::attach_coordinates(file_, case_.grid, dataset);
  }

  /// The mean of a over the faces of each cell.
  CellValues cell_coefficient() const {
    CellValues values(static_cast<std::size_t>(system_.grid.cell_count()), system_.coefficient);
    if (system_.constant_coefficient()) return values;
    auto const [nx, ny, nz] = system_.cells();
    std::size_t cell = 0;
    for (std::int64_t k = 0; k < nz; ++k)
      for (std::int64_t j = 0; j < ny; ++j)
        for (std::int64_t i = 0; i < nx; ++i, ++cell) {
          auto const x = static_cast<std::size_t>((k * ny + j) * (nx + 1) + i);
          double sum = system_.face_x[x] + system_.face_x[x + 1];
          if (system_.dimensions > 1) {
            sum += system_.face_y[static_cast<std::size_t>((k * (ny + 1) + j) * nx + i)] +
                   system_.face_y[static_cast<std::size_t>((k * (ny + 1) + j + 1) * nx + i)];
          }
          if (system_.dimensions > 2) {
            sum += system_.face_z[static_cast<std::size_t>((k * ny + j) * nx + i)] +
                   system_.face_z[static_cast<std::size_t>(((k + 1) * ny + j) * nx + i)];
          }
          values[cell] = sum / (2 * system_.dimensions);
        }
    return values;
  }

  SharedHdf5File shared_;
  Hdf5File& file_;
  PoissonCase const& case_;
  LinearSystem const& system_;
};

void write_xdmf(std::filesystem::path const& path, Overwrite overwrite, PoissonCase const& poisson_case,
                LinearSystem const& system) {
  UniformGrid const& grid = poisson_case.grid;
  ArrayExtents const cells(grid.extents(Location::cell));
  ScalarType const real = app::scalar_type(poisson_case.solver.precision);
  auto const line = [](char const* name, int count) {
    return XdmfDataset{fields_file, name, ScalarType::float64, {count + 1}};
  };
  std::vector<XdmfAttribute> attributes;
  auto const add = [&](bool asked, char const* name, ScalarType type) {
    if (asked)
      attributes.push_back({name, XdmfCenter::cell, {fields_file, std::string("/cells/") + name, type, cells}});
  };
  OutputSettings const& outputs = poisson_case.outputs;
  add(outputs.p, "p", real);
  add(outputs.f, "f", real);
  add(outputs.residual, "residual", real);
  add(outputs.error && !system.exact.empty(), "error", real);
  add(outputs.coefficient, "coefficient", real);
  add(outputs.solid && system.has_solid(), "solid", ScalarType::uint8);
  XdmfDocument document;
  document.add(
      "poisson",
      XdmfRectilinearGrid{line("/grid/x", grid.nx()), line("/grid/y", grid.ny()), line("/grid/z", grid.nz()), false},
      attributes);
  document.write(path, overwrite);
}

void write_csv(std::filesystem::path const& path, Overwrite overwrite, SolveOutcome const& outcome) {
  CsvWriter csv(path, history_columns, overwrite);
  for (SolveSample const& sample : outcome.history) {
    csv.append_row(std::array{double(sample.iteration), sample.residual, sample.seconds});
  }
  csv.commit();
}

}  // namespace

void write_output(std::filesystem::path const& folder, Overwrite overwrite, PoissonCase const& poisson_case,
                  LinearSystem const& system, SolveResult const& result) {
  FieldsFile file(folder / fields_file, overwrite, poisson_case, system);
  file.write_header(result);
  file.write_fields(result);
  file.write_history(result);
  file.commit();
  FileProcesses const processes = file_processes(system.communicator);
  processes.in_all([&] {
    if (!processes.is_first()) return;
    write_xdmf(folder / xdmf_file, overwrite, poisson_case, system);
    write_csv(folder / history_file, overwrite, result.outcome);
  });
}

}  // namespace karman::poisson
