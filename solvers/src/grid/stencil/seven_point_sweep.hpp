// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Kernel of all operations that need A x in every cell of a field in natural order.
#pragma once

#include "base/light_weight.hpp"
#include "common/team_results.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>
#include <karman/core/detail/pack.hpp>
#include <karman/solvers/detail/seven_point_cells.hpp>
#include <karman/solvers/detail/seven_point_values.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace karman::detail {

/// A x in one cell. Differences first: they are small near convergence, so that the rounding of x itself has no effect.
template <class T>
KOKKOS_INLINE_FUNCTION T applied(CellCoefficients<T> const& c, T self, T east, T west, T north, T south, T top,
                                 T bottom) {
  return (c.face[0] * (east - self) + c.face[1] * (west - self)) +
         (c.face[2] * (north - self) + c.face[3] * (south - self)) +
         (c.face[4] * (top - self) + c.face[5] * (bottom - self)) - (c.excess[0] + c.excess[1] + c.excess[2]) * self;
}

// Operations of a sweep on A x. `Number` is the type of the result that the cells join; `value` is the written value.

/// result = A x; joins x A x.
template <class T, bool Dot>
struct ApplyTask {
  static constexpr bool needs_rhs = false, writes = true, joins = Dot;
  static constexpr TeamReduction kind = TeamReduction::sum;
  using Number = double;
  T const* rhs;
  T* result;
  KOKKOS_INLINE_FUNCTION T value(T, T a, T, T) const { return a; }
  KOKKOS_INLINE_FUNCTION Number number(T self, T a, T) const { return double(self) * double(a); }
};

/// result = rhs - A x in cells with an equation, else zero; joins its magnitude, infinite for NaN.
template <class T>
struct ResidualTask {
  static constexpr bool needs_rhs = true, writes = true, joins = true;
  static constexpr TeamReduction kind = TeamReduction::maximum;
  using Number = T;
  T const* rhs;
  T* result;
  KOKKOS_INLINE_FUNCTION T value(T, T a, T own, T b) const { return T(static_cast<int>(own != T(0))) * b - a; }
  KOKKOS_INLINE_FUNCTION Number number(T, T, T written) const {
    T const r = compat::math::fabs(written);
    return r <= Kokkos::reduction_identity<T>::min() ? r : T(HUGE_VAL);
  }
};

/// Joins x, or 1, over the cells with an equation.
template <class T>
struct LiveSumTask {
  static constexpr bool needs_rhs = false, writes = false, joins = true;
  static constexpr TeamReduction kind = TeamReduction::sum;
  using Number = double;
  T const* rhs;
  T* result;
  bool count;
  KOKKOS_INLINE_FUNCTION T value(T self, T, T own, T) const {
    return T(static_cast<int>(own != T(0))) * (count ? T(1) : self);
  }
  KOKKOS_INLINE_FUNCTION Number number(T, T, T live) const { return double(live); }
};

/// result = x + omega (A x - rhs) / own.
template <class T>
struct JacobiTask {
  static constexpr bool needs_rhs = true, writes = true, joins = false;
  static constexpr TeamReduction kind = TeamReduction::sum;
  using Number = T;
  T const* rhs;
  T* result;
  T omega;
  KOKKOS_INLINE_FUNCTION T value(T self, T a, T own, T b) const {
    T const keeps = T(static_cast<int>(own == T(0)));
    return self + omega * (a - (T(1) - keeps) * b) / (own + keeps);
  }
  KOKKOS_INLINE_FUNCTION Number number(T, T, T) const { return T(0); }
};

/// Cells of a team: packs of columns, rows, layers.
struct SevenPointTile {
  int packs, rows, layers;
};

/// Columns that a device thread takes together: loads of 16 bytes.
template <class T>
inline constexpr int seven_point_width = 16 / static_cast<int>(sizeof(T));

/// As for red-black SOR: on a device a thread takes columns upwards through the layers of its tile, with loaded values
/// in registers. On the host the unit is a row.
template <class Exec>
SevenPointTile seven_point_tile(int packs, int ny, int nz) {
  if constexpr (runs_on_host<Exec>) {
    return ny > 1 ? SevenPointTile{packs, 16, 1} : SevenPointTile{packs, 1, 16};
  } else {
    constexpr int threads = 256;
    constexpr int enough_teams = 1024;
    SevenPointTile tile{1, 1, nz < 32 ? nz : 32};
    while (tile.packs < packs && tile.packs < 64) tile.packs *= 2;
    while (tile.rows < ny && tile.packs * tile.rows < threads) tile.rows *= 2;
    auto const tiles = [](int cells, int size) { return (cells + size - 1) / size; };
    while (tile.layers > 4 &&
           std::int64_t(tiles(packs, tile.packs)) * tiles(ny, tile.rows) * tiles(nz, tile.layers) < enough_teams) {
      tile.layers /= 2;
    }
    return tile;
  }
}

template <class Exec, class T, class Cells, class Task, int width>
class SevenPointSweep {
 public:
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  SevenPointValues<T> field;
  Cells cells;
  Task task;
  double const* layer_weight;  ///< null where all are 1
  TeamResults<1> results;
  SevenPointTile tile;

  SevenPointSweep(SevenPointValues<T> const& f, Cells const& c, Task const& t, double const* weight,
                  TeamResults<1> const& r)
      : field(f),
        cells(c),
        task(t),
        layer_weight(weight),
        results(r),
        tile(seven_point_tile<Exec>(f.nx / width, f.ny, f.nz)) {}

  void run(Exec const& space, char const* label) const {
    int const teams = tiles(field.nx / width, tile.packs) * tiles(field.ny, tile.rows) * tiles(field.nz, tile.layers);
    int const threads = runs_on_host<Exec> ? 1 : tile.packs * tile.rows;
    Kokkos::parallel_for(label, light_weight(Kokkos::TeamPolicy<Exec>(space, teams, threads, 1)), *this);
  }

  static int tiles(int cells, int size) { return (cells + size - 1) / size; }

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const packs = field.nx / width;
    int const tiles_x = (packs + tile.packs - 1) / tile.packs;
    int const tiles_y = (field.ny + tile.rows - 1) / tile.rows;
    int const team = member.league_rank();
    int const pack0 = team % tiles_x * tile.packs;
    int const j0 = team / tiles_x % tiles_y * tile.rows;
    int const k0 = team / tiles_x / tiles_y * tile.layers;
    int const k1 = k0 + tile.layers < field.nz ? k0 + tile.layers : field.nz;
    double found[1] = {0};
    if constexpr (runs_on_host<Exec>) {
      int const j1 = j0 + tile.rows < field.ny ? j0 + tile.rows : field.ny;
      for (int k = k0; k < k1; ++k) {
        double const weight = weight_of(k);
        for (int j = j0; j < j1; ++j) found[0] = combine(Task::kind, found[0], weight * sweep_row(k, j));
      }
    } else {
      int const rank = member.team_rank();
      int const pack = pack0 + rank % tile.packs;
      int const j = j0 + rank / tile.packs;
      if (pack < packs && j < field.ny) found[0] = walk_up(pack * width, j, k0, k1);
    }
    if constexpr (Task::joins) reduce_across_teams<Exec>(member, results, found);
  }

 private:
  using Number = typename Task::Number;
  using Values = Pack<T, width>;

  KOKKOS_FUNCTION double weight_of(int k) const {
    return Task::kind == TeamReduction::sum && layer_weight != nullptr ? layer_weight[k] : 1.0;
  }

  static KOKKOS_INLINE_FUNCTION Number join(Number a, Number b) {
    if constexpr (Task::kind == TeamReduction::sum) {
      return a + b;
    } else {
      return b > a ? b : a;
    }
  }

  /// One row on the host.
  KOKKOS_FUNCTION double sweep_row(int k, int j) const {
    constexpr int lanes = 16;
    int const nx = field.nx;
    T const* const row = field.row(k, j);
    T const* const north = field.north(k, j);
    T const* const south = field.south(k, j);
    T const* const top = field.top(k, j);
    T const* const bottom = field.bottom(k, j);
    T const west = field.west(k, j), east = field.east(k, j);
    std::int64_t const first = cells_before(k, j);
    T const* const rhs = Task::needs_rhs ? task.rhs + first : row;
    T* const out = Task::writes ? task.result + first : nullptr;
    Task const work = task;
    auto const one = [=](CellCoefficients<T> const& c, int i, T e, T w) {
      T const self = row[i];
      T const a = applied(c, self, e, w, north[i], south[i], top[i], bottom[i]);
      T const v = work.value(self, a, c.own(), rhs[i]);
      if constexpr (Task::writes) out[i] = v;
      if constexpr (Task::joins) return work.number(self, a, v);
      return Number(0);
    };
    auto const row_cells = cells.row(k, j);
    Number total = one(row_cells(0), 0, nx > 1 ? row[1] : east, west);
    int const end = nx - 1;
    int i = 1;
    Number lane_total[lanes] = {};
    auto const inner = [&](auto const& coefficients) {
      for (; i + lanes <= end; i += lanes) {
        KARMAN_SIMD
        for (int l = 0; l < lanes; ++l) {
          lane_total[l] = join(lane_total[l], one(coefficients(i + l), i + l, row[i + l + 1], row[i + l - 1]));
        }
      }
      for (; i < end; ++i) total = join(total, one(coefficients(i), i, row[i + 1], row[i - 1]));
    };
    if (end > 1 && cells.row_is_uniform(k, j)) {
      CellCoefficients<T> const c = row_cells(1);
      inner([c](int) { return c; });
    } else {
      inner(row_cells);
    }
    if (nx > 1) total = join(total, one(row_cells(end), end, east, row[end - 1]));
    for (Number const lane : lane_total) total = join(total, lane);
    return static_cast<double>(total);
  }

  KOKKOS_INLINE_FUNCTION std::int64_t cells_before(int k, int j) const {
    return (std::int64_t(k) * field.ny + j) * field.nx;
  }

  static KOKKOS_INLINE_FUNCTION Values load(T const* address) {
    if constexpr (width == 1) {
      return {{*address}};
    } else {
      return load_pack<width>(address);
    }
  }

  /// `width` columns on a device, upwards.
  KOKKOS_FUNCTION double walk_up(int i, int j, int k0, int k1) const {
    double found = 0;
    Values below = load(field.bottom(k0, j) + i);
    Values here = load(field.row(k0, j) + i);
    for (int k = k0; k < k1; ++k) {
      T const* const row = field.row(k, j);
      Values const above = load(field.top(k, j) + i);
      Values const north = load(field.north(k, j) + i);
      Values const south = load(field.south(k, j) + i);
      T const west = i > 0 ? row[i - 1] : field.west(k, j);
      T const east = i + width < field.nx ? row[i + width] : field.east(k, j);
      std::int64_t const first = cells_before(k, j) + i;
      Values rhs = here;
      if constexpr (Task::needs_rhs) rhs = load(task.rhs + first);
      auto const c = cells.row(k, j).template pack<width>(i);
      double const weight = weight_of(k);
      Values out;
      for (int n = 0; n < width; ++n) {
        T const e = n == width - 1 ? east : here[n < width - 1 ? n + 1 : 0];
        T const w = n == 0 ? west : here[n > 0 ? n - 1 : 0];
        T const a = applied(c[n], here[n], e, w, north[n], south[n], above[n], below[n]);
        out[n] = task.value(here[n], a, c[n].own(), rhs[n]);
        if constexpr (Task::joins) {
          found = combine(Task::kind, found, weight * static_cast<double>(task.number(here[n], a, out[n])));
        }
      }
      if constexpr (Task::writes) {
        if constexpr (width == 1) {
          task.result[first] = out[0];
        } else {
          store_pack<width>(task.result + first, out);
        }
      }
      below = here;
      here = above;
    }
    return found;
  }
};

template <class T>
bool aligned_to_packs(T const* address) {
  return reinterpret_cast<std::uintptr_t>(address) % (sizeof(T) * seven_point_width<T>) == 0;
}

/// True if all addresses of a sweep start packs, and rows hold whole packs.
template <class T, class Task>
bool is_vectorizable(SevenPointValues<T> const& field, Task const& task) {
  bool aligned = field.nx % seven_point_width<T> == 0 && aligned_to_packs(field.values);
  for (auto const& side : field.beyond) aligned = aligned && aligned_to_packs(side.data);
  return aligned && (!Task::needs_rhs || aligned_to_packs(task.rhs)) &&
         (!Task::writes || aligned_to_packs(task.result));
}

template <class T>
bool is_vectorizable(BoxCells<T> const&) {
  return true;
}
template <class T>
bool is_vectorizable(PackedCells<T> const& cells) {
  return reinterpret_cast<std::uintptr_t>(cells.codes) % (sizeof(WallCode) * seven_point_width<T>) == 0;
}
template <class T>
bool is_vectorizable(ArrayCells<T> const& cells) {
  bool aligned = true;
  for (auto const* face : cells.face) aligned = aligned && aligned_to_packs(face);
  for (auto const* weight : cells.half_weight) aligned = aligned && aligned_to_packs(weight);
  return aligned;
}
template <class Exec, class T>
bool is_vectorizable(SevenPointCells<Exec, T> const&) {
  return false;
}

/// Runs a task over all cells.
template <class Exec, class T, class Cells, class Task>
void sweep_seven_point(Exec const& space, char const* label, SevenPointValues<T> const& field, Cells const& cells,
                       Task const& task, double const* layer_weight, TeamResults<1> const& results) {
  if constexpr (!runs_on_host<Exec>) {
    constexpr int width = seven_point_width<T>;
    if (is_vectorizable(field, task) && is_vectorizable(cells)) {
      SevenPointSweep<Exec, T, Cells, Task, width>(field, cells, task, layer_weight, results).run(space, label);
      return;
    }
  }
  SevenPointSweep<Exec, T, Cells, Task, 1>(field, cells, task, layer_weight, results).run(space, label);
}

/// Largest number of teams of a sweep.
template <class Exec, class T>
std::int64_t seven_point_teams(int nx, int ny, int nz) {
  auto const teams = [&](int packs) {
    SevenPointTile const tile = seven_point_tile<Exec>(packs, ny, nz);
    auto const tiles = [](int cells, int size) { return std::int64_t((cells + size - 1) / size); };
    return tiles(packs, tile.packs) * tiles(ny, tile.rows) * tiles(nz, tile.layers);
  };
  std::int64_t most = teams(nx);
  if (!runs_on_host<Exec> && nx % seven_point_width<T> == 0) {
    std::int64_t const packed = teams(nx / seven_point_width<T>);
    most = packed > most ? packed : most;
  }
  return most;
}

}  // namespace karman::detail
