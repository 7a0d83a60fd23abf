// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The kernels of check_backend() and their exact answers.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/core/concepts.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace karman::detail {

/// One probe: a kernel and the values that it writes.
enum class Probe { memory, rank_1, rank_2, rank_3, members, many_views, scratch, reductions };

inline constexpr std::array probes{Probe::memory,  Probe::rank_1,     Probe::rank_2,  Probe::rank_3,
                                   Probe::members, Probe::many_views, Probe::scratch, Probe::reductions};

/// Extents of the test fields. No extent is a multiple of another, of a warp or of a tile.
struct ProbeBox {
  static constexpr int nz = 3, ny = 5, nx = 37;
  static constexpr int cells = nz * ny * nx;
  static constexpr int fields = 20;  ///< of the functor with many Views: more than 512 bytes of arguments
};

/// Input values: integers, so that every sum below is exact.
KOKKOS_INLINE_FUNCTION double probe_input(int n) { return 3 * n - 7; }

template <class Exec>
struct ProbeTypes {
  using Memory = typename Exec::memory_space;
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  using Line = Kokkos::View<double*, Memory, Unmanaged>;
  using ConstLine = Kokkos::View<double const*, Memory, Unmanaged>;
  using Plane = Kokkos::View<double**, Kokkos::LayoutRight, Memory, Unmanaged>;
  using ConstPlane = Kokkos::View<double const**, Kokkos::LayoutLeft, Memory, Unmanaged>;
  using Box = Kokkos::View<double***, Kokkos::LayoutRight, Memory, Unmanaged>;
  using ConstBox = Kokkos::View<double const***, Kokkos::LayoutRight, Memory, Unmanaged>;
};

/// Without a View: input values, and a mark at the places of the answers.
struct ProbeMemory {
  double* input;
  double* answers;
  int inputs, all_answers;
  KOKKOS_FUNCTION void operator()(int n) const {
    if (n < inputs) input[n] = probe_input(n);
    if (n < all_answers) answers[n] = n < ProbeBox::cells ? probe_input(n) : -1e300;
  }
};

template <class Exec>
struct ProbeRank1 {
  typename ProbeTypes<Exec>::ConstLine in;
  typename ProbeTypes<Exec>::Line out;
  KOKKOS_FUNCTION void operator()(int i) const { out(i) = 2 * in(i) + 1; }
};

template <class Exec>
struct ProbeRank2 {
  typename ProbeTypes<Exec>::ConstPlane in;  ///< (i, j) in the left layout: the same memory as `out`
  typename ProbeTypes<Exec>::Plane out;      ///< (j, i)
  KOKKOS_FUNCTION void operator()(int j, int i) const { out(j, i) = in(i, j) + 1000 * j + i; }
};

template <class Exec>
struct ProbeRank3 {
  typename ProbeTypes<Exec>::ConstBox in;
  typename ProbeTypes<Exec>::Box out;
  KOKKOS_FUNCTION void operator()(int k, int j, int i) const {
    int const east = i + 1 < ProbeBox::nx ? i + 1 : 0;
    out(k, j, i) = in(k, j, east) + 10000 * k + 100 * j;
  }
};

/// Sizes, guards, extents and addresses in this compiler's layout. The pointer comes first, so that it is found even
/// where the rest is misplaced.
template <class Exec>
struct ProbeMembers {
  double* seen;
  typename ProbeTypes<Exec>::Line line;
  double guard_1;
  typename ProbeTypes<Exec>::ConstPlane plane;
  double guard_2;
  typename ProbeTypes<Exec>::Box box;
  typename ProbeTypes<Exec>::ConstLine last;
  double guard_3;

  static constexpr int count = 16;

  KOKKOS_FUNCTION void write(double* to) const {
    to[0] = static_cast<double>(sizeof(line));
    to[1] = static_cast<double>(sizeof(plane));
    to[2] = static_cast<double>(sizeof(box));
    to[3] = static_cast<double>(sizeof(*this));
    to[4] = guard_1;
    to[5] = guard_2;
    to[6] = guard_3;
    to[7] = static_cast<double>(line.extent(0));
    to[8] = static_cast<double>(plane.extent(0));
    to[9] = static_cast<double>(plane.extent(1));
    to[10] = static_cast<double>(box.extent(0));
    to[11] = static_cast<double>(box.extent(1));
    to[12] = static_cast<double>(box.extent(2));
    // Differences of addresses: an address itself need not fit into a double.
    to[13] = static_cast<double>(address(line.data()) - address(seen));
    to[14] = static_cast<double>(address(plane.data()) - address(box.data()));
    to[15] = static_cast<double>(address(last.data()) - address(seen));
  }
  KOKKOS_FUNCTION void operator()(int) const { write(seen); }

 private:
  KOKKOS_FUNCTION static std::int64_t address(double const* pointer) { return reinterpret_cast<std::int64_t>(pointer); }
};

template <class Exec>
struct ProbeManyViews {
  typename ProbeTypes<Exec>::ConstBox in[ProbeBox::fields];
  typename ProbeTypes<Exec>::Box out;
  KOKKOS_FUNCTION void operator()(int k, int j, int i) const {
    double sum = 0;
    for (int n = 0; n < ProbeBox::fields; ++n) sum += (n + 1) * in[n](k, j, i);
    out(k, j, i) = sum;
  }
};

/// One team per row. The row passes through scratch and is written in reverse.
template <class Exec>
struct ProbeScratch {
  using Scratch = Kokkos::View<double*, typename Exec::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  typename ProbeTypes<Exec>::ConstBox in;
  typename ProbeTypes<Exec>::Box out;
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const k = member.league_rank() / ProbeBox::ny;
    int const j = member.league_rank() % ProbeBox::ny;
    Scratch const row(member.team_scratch(0), ProbeBox::nx);
    for (int i = member.team_rank(); i < ProbeBox::nx; i += member.team_size()) row(i) = in(k, j, i);
    member.team_barrier();
    for (int i = member.team_rank(); i < ProbeBox::nx; i += member.team_size()) {
      out(k, j, i) = row(ProbeBox::nx - 1 - i) + member.league_rank();
    }
  }
};

template <class Exec>
struct ProbeLargest {
  typename ProbeTypes<Exec>::ConstLine in;
  KOKKOS_FUNCTION void operator()(int i, double& largest) const {
    if (in(i) > largest) largest = in(i);
  }
};

template <class Exec>
struct ProbeTeamSum {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  typename ProbeTypes<Exec>::ConstBox in;
  KOKKOS_FUNCTION void operator()(Member const& member, double& sum) const {
    int const k = member.league_rank() / ProbeBox::ny;
    int const j = member.league_rank() % ProbeBox::ny;
    for (int i = member.team_rank(); i < ProbeBox::nx; i += member.team_size()) sum += in(k, j, i);
  }
};

/// Values of a probe, in the order of its writes.
inline std::vector<double> exact_answers(Probe probe, std::vector<double> const& members) {
  using Box = ProbeBox;
  std::vector<double> values;
  if (probe == Probe::members) return members;
  if (probe == Probe::reductions) {
    double sum = 0;
    for (int n = 0; n < Box::cells; ++n) sum += probe_input(n);
    return {probe_input(Box::cells - 1), sum};
  }
  for (int n = 0; n < Box::cells; ++n) {
    int const i = n % Box::nx, j = n / Box::nx % Box::ny, k = n / (Box::nx * Box::ny);
    int const row = n - i;
    switch (probe) {
      case Probe::memory: values.push_back(probe_input(n)); break;
      case Probe::rank_1: values.push_back(2 * probe_input(n) + 1); break;
      case Probe::rank_2: values.push_back(probe_input(n) + 1000 * (n / Box::nx) + i); break;
      case Probe::rank_3: values.push_back(probe_input(row + (i + 1) % Box::nx) + 10000 * k + 100 * j); break;
      case Probe::many_views: {
        double value = 0;
        for (int f = 0; f < Box::fields; ++f) value += (f + 1) * probe_input(n + f);
        values.push_back(value);
        break;
      }
      case Probe::scratch: values.push_back(probe_input(row + Box::nx - 1 - i) + n / Box::nx); break;
      case Probe::members:
      case Probe::reductions: break;
    }
  }
  return values;
}

}  // namespace karman::detail
