// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The only part of the application that is compiled for devices.
#include "heat_model.hpp"

#include "common/fields/field_copies.hpp"
#include "common/fields/field_loops.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/solvers/grid/adi.hpp>

namespace heat {
namespace {

using karman::ExecutionSpace;
template <ExecutionSpace Exec>
using Field = karman::Field<Exec, double>;

/// Conductivities of the four faces of a cell: harmonic means of both cells. On a side of the plate, half a cell away,
/// twice that of the cell.
template <ExecutionSpace Exec>
struct FaceConductivities {
  Field<Exec> cells, east, west, north, south;

  KOKKOS_FUNCTION double between(double here, int j, int i) const {
    bool const inside = j >= 0 && j < int(cells.extent(1)) && i >= 0 && i < int(cells.extent(2));
    return inside ? 2 * here * cells(0, j, i) / (here + cells(0, j, i)) : 2 * here;
  }
  KOKKOS_FUNCTION void operator()(int j, int i) const {
    double const here = cells(0, j, i);
    east(0, j, i) = between(here, j, i + 1);
    west(0, j, i) = between(here, j, i - 1);
    north(0, j, i) = between(here, j + 1, i);
    south(0, j, i) = between(here, j - 1, i);
  }
};

template <ExecutionSpace Exec>
Field<Exec> make_field(Exec const& space, karman::UniformGrid const& grid, std::vector<double> const& values = {}) {
  Field<Exec> const field(Kokkos::view_alloc(space, "heat::field"), 1, grid.ny(), grid.nx());
  if (!values.empty()) karman::copy_to_device(space, values, field);
  return field;
}

template <ExecutionSpace Exec>
karman::SevenPoint<Exec, double> conduction(Exec const& space, Plate const& plate) {
  karman::UniformGrid const& grid = plate.grid;
  auto const field = [&] { return make_field(space, grid); };
  FaceConductivities<Exec> const faces{make_field(space, grid, plate.conductivity), field(), field(), field(), field()};
  Kokkos::parallel_for("heat::faces",
                       karman::app::Cells<Exec, 2>(space, {0, 0}, {std::int64_t{grid.ny()}, std::int64_t{grid.nx()}}),
                       faces);
  return {space, karman::SevenPointProblem<Exec, double>(
                     grid, karman::Boundaries::planar(karman::Boundary::dirichlet),
                     karman::FaceCoefficients<Exec, double>(faces.east, faces.west, faces.north, faces.south, field(),
                                                            field()))};
}

template <ExecutionSpace Exec>
class Model final : public karman::app::CellModel {
 public:
  Model(Exec const& space, Plate const& plate)
      : space_(space),
        temperature_(make_field(space, plate.grid)),
        source_(make_field(space, plate.grid, plate.source)),
        plan_(space, conduction(space, plate)) {}

  void set(std::size_t, karman::ConstArray const& values) override {
    karman::app::upload(space_, values, temperature_);
  }
  void advance(double, double dt) override { plan_.step(space_, temperature_, source_, dt); }
  void copy(std::size_t, karman::MutableArray const& values) override {
    karman::app::download(space_, temperature_, values);
  }

 private:
  Exec space_;
  Field<Exec> temperature_, source_;
  karman::HeatAdi<Exec, double> plan_;
};

}  // namespace

std::unique_ptr<karman::app::CellModel> make_model(karman::Backend backend, Plate const& plate) {
  return karman::dispatch(backend, [&](auto const& space) -> std::unique_ptr<karman::app::CellModel> {
    return std::make_unique<Model<std::decay_t<decltype(space)>>>(space, plate);
  });
}

std::int64_t model_bytes(karman::Backend backend, karman::UniformGrid const& grid) {
  karman::SevenPointShape const shape(grid, karman::Boundaries::planar(karman::Boundary::dirichlet),
                                      karman::CoefficientForm::arrays);
  return karman::dispatch(backend, [&](auto const& space) {
    using Exec = std::decay_t<decltype(space)>;
    constexpr std::int64_t fields = 9;  // temperature, source, conductivity and the conductivities of four faces
    return fields * 8 * grid.cell_count() + karman::SevenPoint<Exec, double>::workspace_bytes(shape) +
           karman::HeatAdi<Exec, double>::workspace_bytes(space, shape);
  });
}

}  // namespace heat
