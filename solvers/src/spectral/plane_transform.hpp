// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Transforms of a plane of complex values, in place or beside a plane of columns that leaves dropped modes out.
#pragma once

#include "modes.hpp"
#include "point_passes.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/types.hpp>
#include <karman/solvers/transforms/fft.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

namespace karman::detail {

/// Copies between the rows of the plane and the columns in memory. Tiles go through team scratch: both sides are read
/// and written along their contiguous axis. Bytes per point: one complex number read and one written, where columns are
/// kept; `Spread` writes zeros for the others.
template <class Exec, class T>
struct TransposeColumns {
  struct Gather {};  ///< columns <- rows
  struct Spread {};  ///< rows <- columns

  using Complex = Kokkos::complex<T>;
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr int tile = 32, threads = runs_on_host<Exec> ? 1 : 256;
  /// One more column than needed: a column of the tile then lies in different banks of shared memory.
  using Tile = Kokkos::View<Complex[tile][tile + 1], Kokkos::LayoutRight, typename Exec::scratch_memory_space,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  SpectralGrid grid;
  Complex *rows, *columns;

  static int tiles(int n) { return (n + tile - 1) / tile; }

  template <class Tag>
  void run(Exec const& space, char const* label) const {
    bool const gather = std::is_same_v<Tag, Gather>;
    int const league = tiles(gather ? grid.columns() : grid.nx) * tiles(grid.ny);
    auto policy = Kokkos::TeamPolicy<Exec, Tag>(space, league, threads);
    policy.set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size()));
    Kokkos::parallel_for(label, policy, *this);
  }

  KOKKOS_FUNCTION void operator()(Gather, Member const& team) const {
    int const across = (grid.columns() + tile - 1) / tile;
    int const c0 = team.league_rank() % across * tile, j0 = team.league_rank() / across * tile;
    Tile const values(team.team_scratch(0));
    through(
        team,
        [&](int row, int column) {
          int const c = c0 + column, j = j0 + row;
          if (c >= grid.columns() || j >= grid.ny) return Complex(0, 0);
          return rows[std::int64_t(j) * grid.nx + grid.whole_column(c)];
        },
        [&](int row, int column, Complex const& value) { values(row, column) = value; });
    team.team_barrier();
    through(
        team, [&](int column, int row) { return values(row, column); },
        [&](int column, int row, Complex const& value) {
          int const c = c0 + column, j = j0 + row;
          if (c < grid.columns() && j < grid.ny) columns[grid.place(j, c)] = value;
        });
  }

  KOKKOS_FUNCTION void operator()(Spread, Member const& team) const {
    int const across = (grid.nx + tile - 1) / tile;
    int const i0 = team.league_rank() % across * tile, j0 = team.league_rank() / across * tile;
    Tile const values(team.team_scratch(0));
    through(
        team,
        [&](int column, int row) {
          int const i = i0 + column, j = j0 + row;
          int const c = i < grid.nx ? grid.column_in_memory(i) : -1;
          return c < 0 || j >= grid.ny ? Complex(0, 0) : columns[grid.place(j, c)];
        },
        [&](int column, int row, Complex const& value) { values(row, column) = value; });
    team.team_barrier();
    through(
        team, [&](int row, int column) { return values(row, column); },
        [&](int row, int column, Complex const& value) {
          int const i = i0 + column, j = j0 + row;
          if (i < grid.nx && j < grid.ny) rows[std::int64_t(j) * grid.nx + i] = value;
        });
  }

 private:
  /// write(slow, fast, read(slow, fast)) for all places of a tile. Loads of a thread run ahead of its stores.
  template <class Read, class Write>
  static KOKKOS_FORCEINLINE_FUNCTION void through(Member const& team, Read const& read, Write const& write) {
    constexpr int batch = 4;
    for (int base = team.team_rank(); base < tile * tile; base += batch * threads) {
      Complex own[batch];
      for (int b = 0; b < batch; ++b) own[b] = read((base + b * threads) / tile, (base + b * threads) % tile);
      for (int b = 0; b < batch; ++b) write((base + b * threads) / tile, (base + b * threads) % tile, own[b]);
    }
  }
};

/// Values at the points and their modes. By rows both lie in one array, transformed in place along both axes. By
/// columns each axis is transformed by itself, where it is contiguous. Columns of dropped modes are neither
/// transformed along y nor stored. That saves a third of one of four passes, for a transposition of the rest.
template <class Exec, class T>
class PlaneTransform {
 public:
  using Complex = Kokkos::complex<T>;

  PlaneTransform(Exec const& space, SpectralGrid const& grid, FftSetup const& setup)
      : grid_(grid),
        along_rows_(space, rows_of(grid), axes(grid), setup),
        points_(field(space, "karman::vorticity::plane", rows_of(grid))) {
    if (!grid.by_columns) return;
    columns_ = field(space, "karman::vorticity::columns", columns_of(grid));
    along_columns_.emplace(space, columns_of(grid), along_x, setup);
  }

  Complex* modes() const { return grid_.by_columns ? columns_.data() : points_.data(); }

  /// visit(mode) from and to the modes.
  template <class Visit>
  void change_modes(Exec const& space, char const* label, Visit const& visit) const {
    for_each_mode<Exec, T>(space, label, grid_, modes(), visit);
  }
  /// visit(mode) gives the modes.
  template <class Visit>
  void give_modes(Exec const& space, char const* label, Visit const& visit) const {
    change_modes(space, label, visit);
  }
  /// visit(mode) takes the modes.
  template <class Visit>
  void take_modes(Exec const& space, char const* label, Visit const& visit) const {
    change_modes(space, label, visit);
  }

  /// body(point, value) of each point, from the modes and to the modes.
  template <class Body>
  void change_points(Exec const& space, char const* label, Body const& body) const {
    backward(space);
    for_each_point(space, label, body);
    forward(space);
  }
  /// body(point, value) gives the points. To the modes.
  template <class Body>
  void give_points(Exec const& space, char const* label, Body const& body) const {
    for_each_point(space, label, body);
    forward(space);
  }
  /// body(point, value) takes the points. The modes are lost.
  template <class Body>
  void take_points(Exec const& space, char const* label, Body const& body) const {
    backward(space);
    for_each_point(space, label, body);
  }

  /// Bytes in the memory of `Exec`, before the plan is made.
  static std::int64_t workspace_bytes(SpectralGrid const& grid) {
    auto const bytes = [](std::array<int, 3> const& shape) {
      return std::int64_t(sizeof(Complex)) * shape[1] * shape[2];
    };
    std::int64_t const of_rows = bytes(rows_of(grid)) + ComplexFft<Exec, T>::workspace_bytes(rows_of(grid), axes(grid));
    if (!grid.by_columns) return of_rows;
    return of_rows + bytes(columns_of(grid)) + ComplexFft<Exec, T>::workspace_bytes(columns_of(grid), along_x);
  }

 private:
  using Transpose = TransposeColumns<Exec, T>;

  static std::array<int, 3> rows_of(SpectralGrid const& grid) { return {1, grid.ny, grid.nx}; }
  static std::array<int, 3> columns_of(SpectralGrid const& grid) { return {1, grid.columns(), grid.ny}; }
  static constexpr FftAxes along_x{true, false, false};
  static FftAxes axes(SpectralGrid const& grid) { return {true, !grid.by_columns, false}; }

  static Field<Exec, Complex> field(Exec const& space, char const* label, std::array<int, 3> const& shape) {
    return Field<Exec, Complex>(Kokkos::view_alloc(space, std::string(label)), static_cast<std::size_t>(shape[0]),
                                static_cast<std::size_t>(shape[1]), static_cast<std::size_t>(shape[2]));
  }

  template <class Body>
  void for_each_point(Exec const& space, char const* label, Body const& body) const {
    ForEachPoint<Exec, T, Body>{points_.data(), std::int64_t(grid_.nx) * grid_.ny, body}.run(space, label);
  }

  void backward(Exec const& space) const {
    if (grid_.by_columns) {
      along_columns_->backward(space, columns_, columns_);
      transpose().template run<typename Transpose::Spread>(space, "karman::vorticity::spread_columns");
    }
    along_rows_.backward(space, points_, points_);
  }

  void forward(Exec const& space) const {
    along_rows_.forward(space, points_, points_);
    if (!grid_.by_columns) return;
    transpose().template run<typename Transpose::Gather>(space, "karman::vorticity::gather_columns");
    along_columns_->forward(space, columns_, columns_);
  }

  Transpose transpose() const { return {grid_, points_.data(), columns_.data()}; }

  SpectralGrid grid_;
  ComplexFft<Exec, T> along_rows_;                    ///< along both axes where modes lie by rows
  std::optional<ComplexFft<Exec, T>> along_columns_;  ///< where they lie by columns
  Field<Exec, Complex> points_, columns_;
};

}  // namespace karman::detail
