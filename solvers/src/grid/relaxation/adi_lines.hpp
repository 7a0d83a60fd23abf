// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Parts of the alternating-direction methods: A x + f in every cell, one tridiagonal solve along every line of an
/// axis, and the step.
#pragma once

#include "common/vector_pass.hpp"
#include "grid/stencil/seven_point_sweep.hpp"
#include "tridiagonal/systems.hpp"
#include "whole_lines.hpp"
#include <karman/core/box_decomposition.hpp>
#include <karman/solvers/grid/seven_point.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace karman::detail {

/// result = A x + factor * source in cells with an equation, else zero; joins its magnitude.
template <class T>
struct RateTask {
  static constexpr bool needs_rhs = true, writes = true, joins = true;
  static constexpr TeamReduction kind = TeamReduction::maximum;
  using Number = T;
  T const* rhs;
  T* result;
  T factor;
  KOKKOS_INLINE_FUNCTION T value(T, T a, T own, T b) const { return a + T(static_cast<int>(own != T(0))) * factor * b; }
  KOKKOS_INLINE_FUNCTION Number number(T self, T a, T written) const {
    return ResidualTask<T>{nullptr, nullptr}.number(self, a, written);
  }
};

/// Row k of shift - scale * A of one axis.
template <class Exec, class T>
struct AxisRows {
  SevenPointCells<Exec, T> cells;
  int axis;
  T shift, scale;

  KOKKOS_FUNCTION TridiagonalRow<T> operator()(std::int64_t s0, std::int64_t s1, std::int64_t row) const {
    int const a = static_cast<int>(s0), b = static_cast<int>(s1), n = static_cast<int>(row);
    CellCoefficients<T> const c = axis == 0 ? cells(a, b, n) : axis == 1 ? cells(a, n, b) : cells(n, a, b);
    // By name, not by index: an index known only at run time would put the coefficients into memory.
    T const upper = axis == 0 ? c.face[0] : axis == 1 ? c.face[2] : c.face[4];
    T const lower = axis == 0 ? c.face[1] : axis == 1 ? c.face[3] : c.face[5];
    T const excess = axis == 0 ? c.excess[0] : axis == 1 ? c.excess[1] : c.excess[2];
    T const diagonal = shift + scale * (lower + upper + excess);
    // Without a shift, a cell without equation keeps its zero.
    return {-scale * lower, diagonal == T(0) ? T(1) : diagonal, -scale * upper};
  }
};

/// u += factor * d.
template <class T>
struct AddBody {
  using real = T;
  static constexpr int inputs = 2, outputs = 1, results = 0;
  T const* in[2];  ///< u, d
  T* out[1];       ///< u
  T factor;
  KOKKOS_INLINE_FUNCTION static constexpr TeamReduction kind(int) { return TeamReduction::sum; }
  KOKKOS_INLINE_FUNCTION AddBody prepared() const { return *this; }
  KOKKOS_INLINE_FUNCTION void first_thread() const {}
  KOKKOS_INLINE_FUNCTION void operator()(T const (&a)[2], T (&b)[1], double, double (&)[1]) const {
    b[0] = a[0] + factor * a[1];
  }
};

/// The lines of an axis: rows, and the two other extents, the slower one first.
inline SystemShape lines_along(UniformGrid const& grid, int axis, bool periodic) {
  std::int64_t const nx = grid.nx(), ny = grid.ny(), nz = grid.nz();
  if (axis == 0) return {nx, {nz, ny}, periodic};
  if (axis == 1) return {ny, {nz, nx}, periodic};
  return {nz, {ny, nx}, periodic};
}

/// The values of these lines in a field on the grid.
template <class T>
StridedSystems<T> systems_along(T* field, UniformGrid const& grid, int axis) {
  std::int64_t const nx = grid.nx(), layer = nx * grid.ny();
  if (axis == 0) return {field, 1, {layer, nx}};
  if (axis == 1) return {field, nx, {layer, 1}};
  return {field, layer, {nx, 1}};
}

/// All lines of an axis of a grid of which processes have parts.
inline WholeBatch whole_batch(std::array<int, 3> const& cells, int axis) {
  std::int64_t const nx = cells[0], ny = cells[1], nz = cells[2];
  if (axis == 0) return {ny * nz, false};
  if (axis == 1) return {nx * nz, nx > 1};
  return {nx * ny, nx * ny > 1};
}

template <class Exec, class T>
class AdiLines {
 public:
  /// Collective with many processes.
  AdiLines(Exec const& space, SevenPoint<Exec, T> const& a, std::string const& module) : a_(a), cells_(a.cells()) {
    auto const& grid = a.grid();
    auto const boxes = BoxDecomposition::gathered(a.communicator(), grid);
    auto const cut = cut_axes(boxes);
    for (int axis = 0; axis < 3; ++axis) {
      if (a.axis_is_absent(axis)) continue;
      Line line;
      line.axis = axis;
      if (cut[static_cast<std::size_t>(axis)])
        line.whole = std::make_unique<WholeLines<Exec, T>>(space, a, boxes, axis);
      line.cells = operator_of(line).cells();
      UniformGrid const& part = operator_of(line).grid();
      bool const periodic = a.problem().sides.periodic()[static_cast<std::size_t>(axis)];
      if (part.cell_count() > 0) {
        line.solver = {space, lines_along(part, axis, periodic), SystemMethod::automatic,
                       whole_batch(grid.global_cells(), axis)};
      }
      lines_.push_back(std::move(line));
    }
    int const teams = grid.cell_count() == 0 ? 0 : seven_point_teams<Exec, T>(grid.nx(), grid.ny(), grid.nz());
    partials_ = decltype(partials_)(Kokkos::view_alloc(space, module + "::partials"), static_cast<std::size_t>(teams));
    arrivals_ = decltype(arrivals_)(Kokkos::view_alloc(space, module + "::arrivals"));
  }

  std::int64_t bytes() const {
    auto sum = static_cast<std::int64_t>(partials_.size() * sizeof(double) + sizeof(int));
    for (auto const& line : lines_) {
      if (operator_of(line).grid().cell_count() > 0) sum += line.solver.workspace_bytes();
      if (line.whole != nullptr) sum += line.whole->bytes();
    }
    return sum;
  }
  /// The same before they are made.
  static std::int64_t bytes_of(Exec const& space, SevenPointShape const& shape) {
    return bytes_of_part(space, shape, shape.grid, [&](int, std::int64_t&) { return shape.grid; });
  }

  /// Most bytes of one of many processes, fields included. `shape`: of the whole problem;
  /// field_bytes(SevenPointShape of a part): of the fields of a part with cells.
  template <class FieldBytes>
  static std::int64_t most_bytes_of(Exec const& space, SevenPointShape const& shape, BoxDecomposition const& boxes,
                                    FieldBytes const& field_bytes) {
    std::array<bool, 3> const cut = cut_axes(boxes);
    std::int64_t most = 0;
    for (int rank = 0; rank < boxes.processes(); ++rank) {
      SevenPointShape part = shape;
      part.grid = boxes.part(shape.grid, rank);
      std::int64_t const fields = part.grid.cell_count() > 0 ? field_bytes(part) : 0;
      auto const lines_of = [&](int axis, std::int64_t& sum) {
        if (!cut[static_cast<std::size_t>(axis)]) return part.grid;
        UniformGrid const lines = shape.grid.part(WholeLines<Exec, T>::with_whole(boxes, axis).box(rank));
        sum += WholeLines<Exec, T>::most_bytes(shape, lines, part.grid.cell_count(), boxes.processes());
        return lines;
      };
      most = std::max(most, fields + bytes_of_part(space, shape, part.grid, lines_of));
    }
    return most;
  }

  /// Axes along which a part with cells has not all cells.
  static std::array<bool, 3> cut_axes(BoxDecomposition const& boxes) {
    std::array<bool, 3> cut{};
    for (int rank = 0; rank < boxes.processes(); ++rank) {
      Box const box = boxes.box(rank);
      std::array<int, 3> cells{};
      for (std::size_t a = 0; a < 3; ++a) cells[a] = box.end[a] - box.begin[a];
      if (cells[0] == 0 || cells[1] == 0 || cells[2] == 0) continue;
      for (std::size_t a = 0; a < 3; ++a) cut[a] = cut[a] || cells[a] != boxes.cells()[a];
    }
    return cut;
  }

  /// Number of present axes.
  int dimensions() const { return static_cast<int>(lines_.size()); }
  /// The n-th of these axes.
  int axis(int n) const { return lines_[static_cast<std::size_t>(n)].axis; }
  /// The operator on whole lines of this axis: of this part, or of another division of the grid.
  SevenPoint<Exec, T> const& on_lines(int n) const { return operator_of(lines_[static_cast<std::size_t>(n)]); }

  /// d = A x + factor * source; its largest magnitude on request, which a part without cells leaves at zero.
  void rate(Exec const& space, Field<Exec, T> const& x, T const* source, double factor, Field<Exec, T> const& d,
            double* largest) const {
    RateTask<T> const task{source, d.data(), static_cast<T>(factor)};
    TeamResults<1> const results{{TeamReduction::maximum}, {largest}, partials_.data(), arrivals_.data()};
    a_.update_halo(space, x);
    if (x.size() == 0) return;
    auto const values = a_.with_boundary_values(x);
    cells_.with_storage([&](auto const& stored) {
      sweep_seven_point<Exec>(space, "karman::adi::rate", values, stored, task, nullptr, results);
    });
  }

  /// d <- (shift - scale A1)^-1 ... (shift - scale An)^-1 d, then x += factor * d.
  void step(Exec const& space, Field<Exec, T> const& x, Field<Exec, T> const& d, double shift, double scale,
            double factor) const {
    for (auto const& line : lines_) {
      if (line.whole != nullptr) line.whole->gather(space, d.data());
      Field<Exec, T> const& whole = line.whole != nullptr ? line.whole->values() : d;
      StridedSystems<T> const along = systems_along(whole.data(), operator_of(line).grid(), line.axis);
      AxisRows<Exec, T> const rows{line.cells, line.axis, static_cast<T>(shift), static_cast<T>(scale)};
      if (whole.size() > 0) line.solver.solve(space, rows, read_only(along), along);
      if (line.whole != nullptr) line.whole->scatter(space, d.data());
    }
    if (d.size() == 0) return;
    vector_pass(space, "karman::adi::step", AddBody<T>{{x.data(), d.data()}, {x.data()}, static_cast<T>(factor)},
                static_cast<std::int64_t>(d.size()), ElementWeight{nullptr, 1},
                TeamResults<1>{{TeamReduction::sum}, {nullptr}, partials_.data(), arrivals_.data()});
  }

 private:
  /// Before they are made. `own`: cells of the process. lines_of(axis, sum) returns cells with whole lines of the axis,
  /// and adds the bytes that move them.
  template <class LinesOf>
  static std::int64_t bytes_of_part(Exec const& space, SevenPointShape const& shape, UniformGrid const& own,
                                    LinesOf const& lines_of) {
    constexpr std::int64_t number = sizeof(double), count = sizeof(int);
    std::int64_t sum = count;
    if (own.cell_count() > 0) sum += seven_point_teams<Exec, T>(own.nx(), own.ny(), own.nz()) * number;
    auto const periodic = shape.sides.periodic();
    for (int axis = 0; axis < 3; ++axis) {
      if (shape.is_absent(axis)) continue;
      UniformGrid const lines = lines_of(axis, sum);
      if (lines.cell_count() == 0) continue;
      sum += workspace_bytes(space, lines, shape.grid, axis, periodic[static_cast<std::size_t>(axis)]);
    }
    return sum;
  }

  static std::int64_t workspace_bytes(Exec const& space, UniformGrid const& part, UniformGrid const& whole, int axis,
                                      bool periodic) {
    SystemShape const lines = lines_along(part, axis, periodic);
    return SystemSolver<Exec, T>::workspace_values(space, lines, SystemMethod::automatic,
                                                   whole_batch(whole.global_cells(), axis)) *
           static_cast<std::int64_t>(sizeof(T));
  }

  struct Line {
    int axis = 0;
    std::unique_ptr<WholeLines<Exec, T>> whole;  ///< null where the axis is not cut
    SevenPointCells<Exec, T> cells;
    SystemSolver<Exec, T> solver;
  };

  SevenPoint<Exec, T> const& operator_of(Line const& line) const {
    return line.whole != nullptr ? line.whole->on_lines() : a_;
  }

  SevenPoint<Exec, T> a_;
  SevenPointCells<Exec, T> cells_;
  std::vector<Line> lines_;
  Kokkos::View<double*, typename Exec::memory_space> partials_;
  Kokkos::View<int, typename Exec::memory_space> arrivals_;
};

}  // namespace karman::detail
