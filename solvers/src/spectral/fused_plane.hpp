// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A plane of complex values whose transforms are parts of the passes over its points and its modes.
///
/// Memory holds columns of kept modes along x, at points in y. A pass over points transforms rows along x, visits the
/// points and transforms back; a pass over modes transforms a column and its opposite along y, visits their modes and
/// transforms back. Each reads and writes every kept column once, 32 bytes per value in double. Lines stay in team
/// scratch in between.
#pragma once

#include "base/light_weight.hpp"
#include "common/raise.hpp"
#include "modes.hpp"
#include "transforms/line_transform.hpp"
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace karman::detail {

/// Tuning, measured on an H200 (docs/vorticity.md, "Cost").
template <class Exec>
struct FusedTable {
  static constexpr int rows = 4;                                 ///< of a team along x, or fewer
  static constexpr std::int64_t scratch_bytes = 48 * 1024 - 64;  ///< of a team: the limit of Kokkos on devices
  static constexpr int threads = 256;                            ///< of a team at most
  static constexpr int teams = 3, holding_teams = 2;             ///< on a multiprocessor; whose threads hold a column
  template <int teams>
  using Bounds = std::conditional_t<runs_on_host<Exec>, Kokkos::LaunchBounds<>, Kokkos::LaunchBounds<threads, teams>>;
};

/// Columns in memory as lines along y, the second one opposite to the first.
template <class T>
struct ColumnPair {
  Kokkos::complex<T>* values;
  std::int64_t opposite;

  struct Places {
    Kokkos::complex<T>* first;
    KOKKOS_FORCEINLINE_FUNCTION Kokkos::complex<T> const& read(int offset) const { return first[offset]; }
    KOKKOS_FORCEINLINE_FUNCTION void write(int offset, Kokkos::complex<T> const& z) const { first[offset] = z; }
  };
  KOKKOS_FORCEINLINE_FUNCTION Places places(int line, int first) const { return {values + line * opposite + first}; }
};

/// Rows across all columns as lines along x. Columns that are not in memory are zero.
template <class T>
struct RowsOfColumns {
  Kokkos::complex<T>* values;  ///< of the first row
  int ny, last, nx, shift;     ///< last column of the half plane; from a column of the other half to that in memory

  struct Places {
    RowsOfColumns rows;
    int line, first;
    KOKKOS_FORCEINLINE_FUNCTION Kokkos::complex<T> read(int offset) const {
      int const at = rows.place(line, first + offset);
      return at < 0 ? Kokkos::complex<T>(0, 0) : rows.values[at];
    }
    KOKKOS_FORCEINLINE_FUNCTION void write(int offset, Kokkos::complex<T> const& z) const {
      int const at = rows.place(line, first + offset);
      if (at >= 0) rows.values[at] = z;
    }
  };
  KOKKOS_FORCEINLINE_FUNCTION Places places(int line, int first) const { return {*this, line, first}; }
  KOKKOS_FORCEINLINE_FUNCTION int place(int line, int i) const {
    if (i <= last) return i * ny + line;
    return i >= nx - last ? (i - shift) * ny + line : -1;
  }
};

template <class T, class Member>
KOKKOS_FORCEINLINE_FUNCTION Kokkos::complex<T>* scratch_values(Member const& team, int count) {
  return static_cast<Kokkos::complex<T>*>(
      team.team_scratch(0).get_shmem_aligned(sizeof(Kokkos::complex<T>) * std::size_t(count), 16));
}

/// From columns to points, if it `takes` them: body(number of the point, value) or, where it has `largest`,
/// body(number, value, maximum). Then to columns, if it `gives` them.
template <class Exec, class T, bool takes, bool gives, class Body>
struct FusedPoints {
  using Table = FusedTable<Exec>;
  using Policy = Kokkos::TeamPolicy<Exec, typename Table::template Bounds<Table::teams>>;
  using Member = typename Policy::member_type;
  using Complex = Kokkos::complex<T>;
  static constexpr int last = 8;

  LineTransform<T> along_x;
  RowsOfColumns<T> rows;
  Body body;
  int log_rows;  ///< of a team

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const j0 = team.league_rank() << log_rows, pitch = along_x.pitch(rows.nx, log_rows);
    ScratchLines<T> const lines{scratch_values<T>(team, pitch << log_rows), pitch};
    RowsOfColumns<T> own = rows;
    own.values += j0;
    int const count = along_x.stages.count;
    if constexpr (takes) {
      along_x.template by_frequency<false>(team, 0, log_rows, own, lines);
      team.team_barrier();
      for (int s = 1; s + 1 < count; ++s) {
        along_x.template by_frequency<false>(team, s, log_rows, lines, lines);
        team.team_barrier();
      }
    }
    visit_points(team, lines, j0);
    if constexpr (gives) {
      team.team_barrier();
      for (int s = count - 2; s > 0; --s) {
        along_x.template by_time<true>(team, s, log_rows, lines, lines);
        team.team_barrier();
      }
      along_x.template by_time<true>(team, 0, log_rows, lines, own);
    }
  }

  void run(Exec const& space, char const* label) const {
    int const threads = runs_on_host<Exec> ? 1 : std::clamp((rows.nx / last) << log_rows, 32, Table::threads);
    Policy policy(space, rows.ny >> log_rows, threads, 1);
    std::size_t const values = std::size_t(along_x.pitch(rows.nx, log_rows)) << log_rows;
    policy.set_scratch_size(0, Kokkos::PerTeam(sizeof(Complex) * values + 16));
    Kokkos::parallel_for(label, light_weight(policy), *this);
  }

 private:
  /// With the last stage before the points and the first one after them, both of radix 8.
  KOKKOS_FORCEINLINE_FUNCTION void visit_points(Member const& team, ScratchLines<T> const& lines, int j0) const {
    [[maybe_unused]] double found = 0;
    for (int b = team.team_rank(); b < rows.nx / last << log_rows; b += team.team_size()) {
      int const line = b & ((1 << log_rows) - 1), first = (b >> log_rows) * last;
      auto const places = lines.places(line, first);
      Number<T> x[last];
      if constexpr (takes) {
        KARMAN_UNROLL
        for (int q = 0; q < last; ++q) x[q] = along_x.template in_registers<false>(places.read(q));
        Butterfly<last>::run(x);
      }
      std::int64_t const row = std::int64_t(j0 + line) * rows.nx;
      KARMAN_UNROLL
      for (int q = 0; q < last; ++q) {
        std::int64_t const point = row + (takes && gives ? 0 : along_x.number[first + q]);
        Complex z(0, 0);
        if constexpr (takes) z = along_x.template in_memory<false>(x[q]);
        if constexpr (requires { body.largest; }) {
          body(point, z, found);
        } else {
          body(point, z);
        }
        x[q] = along_x.template in_registers<true>(z);
      }
      if constexpr (gives) {
        Butterfly<last>::run(x);
        KARMAN_UNROLL
        for (int q = 0; q < last; ++q) places.write(q, along_x.template in_memory<true>(x[q]));
      }
    }
    if constexpr (requires { body.largest; }) {
      team.team_reduce(Kokkos::Max<double>(found));
      if (team.team_rank() == 0) raise(body.largest, found);
    }
  }
};

/// From columns to modes, if it `takes` them: visit(mode) for each kept mode, clear() for the others. Then to columns,
/// if it `gives` them. A team has a column and its opposite, in scratch `together` or one after the other; meanwhile
/// the threads hold the modes of the first.
template <class Exec, class T, bool takes, bool gives, bool together, class Visit>
struct FusedModes {
  using Table = FusedTable<Exec>;
  using Policy =
      Kokkos::TeamPolicy<Exec, typename Table::template Bounds<together ? Table::teams : Table::holding_teams>>;
  using Member = typename Policy::member_type;
  using Complex = Kokkos::complex<T>;
  static constexpr int most_held = LineStages::most / (runs_on_host<Exec> ? 1 : Table::threads);  ///< by a thread

  SpectralGrid grid;
  LineTransform<T> along_y;
  Complex* columns;
  Visit visit;

  KOKKOS_FUNCTION void operator()(Member const& team) const {
    int const i = team.league_rank(), pitch = along_y.pitch(grid.ny, together ? 1 : 0);
    ScratchLines<T> const lines{scratch_values<T>(team, together ? 2 * pitch : pitch), pitch};
    ColumnPair<T> const own{columns + grid.place(0, i), grid.place(0, grid.opposite_column(i)) - grid.place(0, i)};
    if (together || i == 0) {
      int const other = i == 0 ? 0 : 1, end = i == 0 ? grid.ny / 2 + 1 : grid.ny;
      if constexpr (takes) take(team, own, lines, other);
      for (int j = team.team_rank(); j < end; j += team.team_size()) {
        visit_mode(j, i, lines(0, along_y.place[j]), lines(other, along_y.place[grid.opposite_row(j)]));
      }
      if constexpr (gives) give(team, lines, own, other);
      return;
    }
    ColumnPair<T> const opposite{own.values + own.opposite, 0};
    Complex in_registers[runs_on_host<Exec> ? 1 : most_held];
    Complex* const held = runs_on_host<Exec> ? scratch_values<T>(team, grid.ny) : in_registers;
    if constexpr (takes) {
      take(team, own, lines, 0);
      for_each_row(team, [&](int j, int m) { held[m] = lines(0, along_y.place[j]); });
      team.team_barrier();
      take(team, opposite, lines, 0);
    }
    for_each_row(team, [&](int j, int m) { visit_mode(j, i, held[m], lines(0, along_y.place[grid.opposite_row(j)])); });
    if constexpr (gives) {
      give(team, lines, opposite, 0);
      team.team_barrier();
      for_each_row(team, [&](int j, int m) { lines(0, along_y.place[j]) = held[m]; });
      give(team, lines, own, 0);
    }
  }

  void run(Exec const& space, char const* label, int half_columns) const {
    int const size = runs_on_host<Exec> ? 1 : std::clamp(grid.ny, 32, Table::threads);
    Policy policy(space, half_columns, size, 1);
    auto const pitch = std::size_t(along_y.pitch(grid.ny, together ? 1 : 0));
    std::size_t const values = together ? 2 * pitch : pitch + (runs_on_host<Exec> ? std::size_t(grid.ny) : 0);
    policy.set_scratch_size(0, Kokkos::PerTeam(sizeof(Complex) * values + 32));
    Kokkos::parallel_for(label, light_weight(policy), *this);
  }

 private:
  /// body(j, m) for the rows of a thread, m = 0, 1, ...
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_row(Member const& team, Body const& body) const {
    KARMAN_UNROLL
    for (int m = 0; m < most_held; ++m) {
      int const j = team.team_rank() + m * team.team_size();
      if (j < grid.ny) body(j, m);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void visit_mode(int j, int i, Complex& own, Complex& opposite) const {
    Complex values[2] = {own, opposite};
    Mode mode = mode_at(grid, j, i);
    mode.place = 0;
    mode.opposite_place = 1;
    WholePlane<T> const pair{values};
    if (grid.keeps(j, i)) visit(mode, pair);
    else pair.clear(mode);
    own = values[0];
    opposite = values[1];
  }

  KOKKOS_FORCEINLINE_FUNCTION void take(Member const& team, ColumnPair<T> const& from, ScratchLines<T> const& lines,
                                        int log_lines) const {
    along_y.template by_frequency<true>(team, 0, log_lines, from, lines);
    team.team_barrier();
    for (int s = 1; s < along_y.stages.count; ++s) {
      along_y.template by_frequency<true>(team, s, log_lines, lines, lines);
      team.team_barrier();
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void give(Member const& team, ScratchLines<T> const& lines, ColumnPair<T> const& to,
                                        int log_lines) const {
    team.team_barrier();
    for (int s = along_y.stages.count - 1; s > 0; --s) {
      along_y.template by_time<false>(team, s, log_lines, lines, lines);
      team.team_barrier();
    }
    along_y.template by_time<false>(team, 0, log_lines, lines, to);
  }
};

/// The plane and its passes.
template <class Exec, class T>
class FusedPlane {
 public:
  using Complex = Kokkos::complex<T>;

  FusedPlane(Exec const& space, SpectralGrid const& grid)
      : grid_(grid),
        along_x_(space, grid.nx, "karman::vorticity::line_x"),
        along_y_(space, grid.ny, "karman::vorticity::line_y"),
        columns_(Kokkos::view_alloc(space, std::string("karman::vorticity::columns")),
                 static_cast<std::size_t>(size(grid))) {}

  /// Whether lines have stages.
  static bool suits(std::array<int, 2> const& points) {
    return LineStages::suits(points[0]) && LineStages::suits(points[1]);
  }

  /// visit(mode) from and to the modes.
  template <class Visit>
  void change_modes(Exec const& space, char const* label, Visit const& visit) const {
    modes<true, true>(space, label, visit, grid_.lines());
  }
  /// visit(mode) gives the modes.
  template <class Visit>
  void give_modes(Exec const& space, char const* label, Visit const& visit) const {
    modes<false, true>(space, label, visit, grid_.lines());
  }
  /// The same of the first columns of the half plane alone; the others remain.
  template <class Visit>
  void give_first_columns(Exec const& space, char const* label, Visit const& visit, int columns) const {
    modes<false, true>(space, label, visit, columns);
  }
  /// visit(mode) takes the modes, which are lost.
  template <class Visit>
  void take_modes(Exec const& space, char const* label, Visit const& visit) const {
    modes<true, false>(space, label, visit, grid_.lines());
  }

  /// body(point, value) of each point.
  template <class Body>
  void change_points(Exec const& space, char const* label, Body const& body) const {
    points<true, true>(space, label, body);
  }
  template <class Body>
  void give_points(Exec const& space, char const* label, Body const& body) const {
    points<false, true>(space, label, body);
  }
  template <class Body>
  void take_points(Exec const& space, char const* label, Body const& body) const {
    points<true, false>(space, label, body);
  }

  static std::int64_t workspace_bytes(SpectralGrid const& grid) {
    return static_cast<std::int64_t>(sizeof(Complex)) * size(grid) + LineTables<Exec, T>::bytes(grid.nx) +
           LineTables<Exec, T>::bytes(grid.ny);
  }

 private:
  static std::int64_t size(SpectralGrid const& grid) { return std::int64_t(grid.columns()) * grid.ny; }

  /// Whether 2^log_lines lines of n values fit into scratch. Hosts keep to the limit of devices, too.
  static bool fit(int n, int log_lines) {
    std::int64_t const values = std::int64_t(LineTransform<T>::pitch(n, log_lines)) << log_lines;
    return static_cast<std::int64_t>(sizeof(Complex)) * values <= FusedTable<Exec>::scratch_bytes;
  }

  template <bool takes, bool gives, class Visit>
  void modes(Exec const& space, char const* label, Visit const& visit, int half_columns) const {
    auto const run = [&](auto together) {
      FusedModes<Exec, T, takes, gives, decltype(together)::value, Visit>{grid_, along_y_.transform(), columns_.data(),
                                                                          visit}
          .run(space, label, half_columns);
    };
    if (fit(grid_.ny, 1)) run(std::true_type());
    else run(std::false_type());
  }
  template <bool takes, bool gives, class Body>
  void points(Exec const& space, char const* label, Body const& body) const {
    int log_rows = 0;
    while (2 << log_rows <= FusedTable<Exec>::rows && fit(grid_.nx, log_rows + 1)) ++log_rows;
    RowsOfColumns<T> const rows{columns_.data(), grid_.ny, grid_.last_column(), grid_.nx, grid_.nx - grid_.columns()};
    FusedPoints<Exec, T, takes, gives, Body>{along_x_.transform(), rows, body, log_rows}.run(space, label);
  }

  SpectralGrid grid_;
  LineTables<Exec, T> along_x_, along_y_;
  Kokkos::View<Complex*, typename Exec::memory_space> columns_;
};

}  // namespace karman::detail
