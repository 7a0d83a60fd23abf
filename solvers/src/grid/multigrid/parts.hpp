// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Values of the parts of a grid in the joined grid of several processes, and back.
/// Functions with a device lambda are static: nvcc keeps the parts of such a lambda separate for each translation unit.
/// A linker that joined the functions of two of them would mix the parts.
#pragma once

#include "base/light_weight.hpp"
#include "boxes.hpp"
#include "geometry.hpp"
#include "grid.hpp"
#include "storage.hpp"
#include "transfer.hpp"
#include <karman/core/box_halo.hpp>
#include <karman/core/communicator.hpp>
#include <karman/core/exchange.hpp>
#include <karman/core/host_copy.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace karman::detail {

/// Place of a part in the joined grid, for kernels.
struct MultigridPlace {
  int first[3], cells[3];
  bool whole[3];  ///< the joined grid has all cells along the axis
  bool cut[6];    ///< sides of the part towards other processes

  MultigridPlace(MultigridBoxes const& boxes, MultigridBoxes const& joined) {
    for (std::size_t a = 0; a < 3; ++a) {
      first[a] = boxes.first(a) - joined.first(a);
      cells[a] = joined.cells(a);
      whole[a] = joined.cells(a) == joined.whole(a);
      cut[2 * a] = boxes.cut(2 * a);
      cut[2 * a + 1] = boxes.cut(2 * a + 1);
    }
  }
  /// Index in the joined grid. Beyond its end: the cell at the other one where it has all cells, else a ghost.
  KOKKOS_INLINE_FUNCTION int index(int axis, int own) const {
    int const at = first[axis] + own;
    return whole[axis] ? (at + cells[axis]) % cells[axis] : at;
  }
};

/// Right-hand side of the own cells, to the joined grid.
template <class Exec, class T>
static void put_part(Exec const& space, MultigridGrid<T> const& part, MultigridGrid<T> const& joined,
                     MultigridPlace const& place) {
  std::int64_t const nx = part.layout.nx, ny = part.layout.ny;
  Kokkos::parallel_for(
      "karman::multigrid::put_part",
      light_weight(Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, part.cells())),
      KOKKOS_LAMBDA(std::int64_t n) {
        int const i = static_cast<int>(n % nx), j = static_cast<int>(n / nx % ny), k = static_cast<int>(n / nx / ny);
        int const x = place.index(0, i), y = place.index(1, j), z = place.index(2, k);
        joined.rhs[color_of(z, y, x)][joined.layout.inner(z, y, x >> 1)] =
            part.rhs[color_of(k, j, i)][part.layout.inner(k, j, i >> 1)];
      });
}

/// x of the joined grid, to the own cells and the ghosts beyond the faces between processes. The ghosts of the joined
/// grid beyond such faces are up to date.
template <class Exec, class T>
static void take_part(Exec const& space, MultigridGrid<T> const& joined, MultigridGrid<T> const& part,
                      MultigridPlace const& place) {
  std::int64_t const nx = part.layout.nx + 2, ny = part.layout.ny + 2;
  int const n[3] = {part.layout.nx, part.layout.ny, part.layout.nz};
  Kokkos::Array<int, 3> const cells{n[0], n[1], n[2]};
  Kokkos::parallel_for(
      "karman::multigrid::take_part",
      light_weight(Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, nx * ny * (n[2] + 2))),
      KOKKOS_LAMBDA(std::int64_t m) {
        int const at[3] = {static_cast<int>(m % nx) - 1, static_cast<int>(m / nx % ny) - 1,
                           static_cast<int>(m / nx / ny) - 1};
        int beyond = 0;
        for (int a = 0; a < 3; ++a) {
          bool const above = at[a] == cells[a], below = at[a] < 0;
          if ((above && !place.cut[2 * a]) || (below && !place.cut[2 * a + 1])) return;
          beyond += above || below ? 1 : 0;
        }
        if (beyond > 1) return;
        int const x = place.index(0, at[0]), y = place.index(1, at[1]), z = place.index(2, at[2]);
        part.x[color_of(at[2], at[1], at[0])][part.layout.ghosted(at[2], at[1], at[0] >> 1)] =
            joined.x[color_of(z, y, x)][joined.layout.ghosted(z, y, x >> 1)];
      });
}

/// An exchange whose memory is added to that of the plan, also where the storage counts alone. Collective where it does
/// not.
template <class Exec, class T>
Exchange<Exec, T> make_exchange(Exec const& space, Communicator const& communicator, MultigridStorage<Exec>& storage,
                                std::vector<BlockNeighbor> const& neighbors) {
  if (storage.counts()) {
    storage.add_bytes(Exchange<Exec, T>::workspace_bytes(neighbors));
    return {};
  }
  Exchange<Exec, T> exchange(space, communicator, neighbors);
  storage.add_bytes(exchange.workspace_bytes());
  return exchange;
}

/// Planes of coarse cells along the faces between processes. They hold the residuals that the adjoint of prolongation
/// gives to cells of other processes.
template <class Exec, class T>
struct MultigridFlows {
  struct Face {
    int axis, towards;
    std::int64_t begin, size;
    T ratio;  ///< width of a cell beyond the face over that of an own cell
  };
  std::vector<Face> faces;
  T* out = nullptr;
  T* in = nullptr;
  Exchange<Exec, T> exchange;
};

/// Coarse cell n along a face.
template <class T>
struct MultigridFaceCell {
  int at[3];
  KOKKOS_INLINE_FUNCTION MultigridFaceCell(MultigridGrid<T> const& coarse, int axis, int towards, std::int64_t n) {
    int const fast = axis == 0 ? 1 : 0, slow = axis == 2 ? 1 : 2;
    at[axis] = towards > 0 ? coarse.extent(axis) - 1 : 0;
    at[fast] = static_cast<int>(n % coarse.extent(fast));
    at[slow] = static_cast<int>(n / coarse.extent(fast));
  }
};

template <class Exec, class T>
static void flow_out(Exec const& space, MultigridGrid<T> const& fine, MultigridGrid<T> const& coarse,
                     typename MultigridFlows<Exec, T>::Face const& face, T* values) {
  int const axis = face.axis, towards = face.towards;
  Kokkos::parallel_for(
      "karman::multigrid::flow_out",
      light_weight(Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, face.size)),
      KOKKOS_LAMBDA(std::int64_t n) {
        MultigridFaceCell<T> const cell(coarse, axis, towards, n);
        values[n] = given_to_neighbor(fine, coarse, cell.at[2], cell.at[1], cell.at[0], axis, towards);
      });
}

template <class Exec, class T>
static void flow_in(Exec const& space, MultigridGrid<T> const& coarse,
                    typename MultigridFlows<Exec, T>::Face const& face, T const* values) {
  int const axis = face.axis, towards = face.towards;
  T const ratio = face.ratio;
  Kokkos::parallel_for(
      "karman::multigrid::flow_in",
      light_weight(Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0, face.size)),
      KOKKOS_LAMBDA(std::int64_t n) {
        MultigridFaceCell<T> const cell(coarse, axis, towards, n);
        int const i = cell.at[0], j = cell.at[1], k = cell.at[2];
        coarse.rhs[color_of(k, j, i)][coarse.layout.inner(k, j, i >> 1)] += values[n] * ratio;
      });
}

/// Flows from a grid to the next one along the axes with pairs of cells. `axes`: of the coarse grid.
/// Collective.
template <class Exec, class T>
MultigridFlows<Exec, T> make_flows(Exec const& space, Communicator const& communicator, MultigridBoxes const& boxes,
                                   MultigridAxes const& axes, std::array<bool, 3> const& join,
                                   MultigridStorage<Exec>& storage) {
  MultigridFlows<Exec, T> flows;
  std::int64_t size = 0;
  for (std::size_t side = 0; side < 6; ++side) {
    std::size_t const a = side / 2;
    if (!boxes.cut(side) || !join[a]) continue;
    bool const up = side % 2 == 0;
    int const own = up ? boxes.first(a) + boxes.cells(a) - 1 : boxes.first(a);
    int const next = (own + (up ? 1 : -1) + boxes.whole(a)) % boxes.whole(a);
    auto const width = [&](int i) { return static_cast<T>(axes[a].width[static_cast<std::size_t>(i)]); };
    std::int64_t const cells = std::int64_t(boxes.cells((a + 1) % 3)) * boxes.cells((a + 2) % 3);
    flows.faces.push_back({static_cast<int>(a), up ? 1 : -1, size, cells, width(next) / width(own)});
    size += cells;
  }
  flows.out = storage.template allocate<T>(space, size, "karman::multigrid::flows");
  flows.in = storage.template allocate<T>(space, size, "karman::multigrid::flows");
  flows.exchange = make_exchange<Exec, T>(space, communicator, storage, boxes.halo([&](BoxFace const& face) {
    std::vector<StridedBlock> blocks;
    for (auto const& one : flows.faces) {
      if (one.axis == face.axis && one.towards == face.step) blocks.push_back({one.begin, {1, 1, one.size}, {0, 0, 1}});
    }
    return blocks;
  }));
  return flows;
}

/// Adds to the right-hand side of the coarse grid the residuals that come from other processes.
template <class Exec, class T>
void add_flows(Exec const& space, MultigridGrid<T> const& fine, MultigridGrid<T> const& coarse,
               MultigridFlows<Exec, T>& flows) {
  for (auto const& face : flows.faces) flow_out<Exec, T>(space, fine, coarse, face, flows.out + face.begin);
  flows.exchange.begin(space, flows.out);
  flows.exchange.end(space, flows.in);
  for (auto const& face : flows.faces) flow_in<Exec, T>(space, coarse, face, flows.in + face.begin);
}

/// Arrays of both colours without ghosts of a joined grid, on the host, from the parts of a group. `members`: the
/// processes of the group. Collective; fences.
template <class V, class Exec>
std::array<std::vector<V>, 2> gathered_colors(Exec const& space, Communicator const& members,
                                              MultigridGroup const& group, SplitLayout const& part,
                                              SplitLayout const& joined, V const* const (&colors)[2]) {
  using Array = Kokkos::View<V const*, typename Exec::memory_space, Kokkos::MemoryUnmanaged>;
  std::array<std::vector<V>, 2> own, result;
  for (std::size_t color = 0; color < 2; ++color) {
    own[color] = host_copy<V>(space, Array(colors[color], static_cast<std::size_t>(part.inner_size())));
    result[color].assign(static_cast<std::size_t>(joined.inner_size()), V{});
  }
  auto const each_cell = [](Box const& box, auto const& use) {
    for (int k = box.begin[2]; k < box.end[2]; ++k) {
      for (int j = box.begin[1]; j < box.end[1]; ++j) {
        for (int i = box.begin[0]; i < box.end[0]; ++i) use(k, j, i);
      }
    }
  };
  std::vector<V> mine;
  Box const cells{{0, 0, 0}, {part.nx, part.ny, part.nz}};
  each_cell(cells, [&](int k, int j, int i) {
    mine.push_back(
        own[static_cast<std::size_t>(color_of(k, j, i))][static_cast<std::size_t>(part.inner(k, j, i >> 1))]);
  });
  auto const all = members.all_gather_arrays(std::span<V const>(mine));
  for (std::size_t member = 0; member < all.size(); ++member) {
    auto value = all[member].begin();
    each_cell(group.boxes[member], [&](int kk, int jj, int ii) {
      int const i = ii - group.begin[0], j = jj - group.begin[1], k = kk - group.begin[2];
      result[static_cast<std::size_t>(color_of(k, j, i))][static_cast<std::size_t>(joined.inner(k, j, i >> 1))] =
          *value++;
    });
  }
  return result;
}

}  // namespace karman::detail
