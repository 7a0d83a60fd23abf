// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/solvers/detail/sor_fused.hpp>
#include <karman/solvers/detail/sor_transfer.hpp>

#include <backends.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <vector>

namespace {

using namespace karman;
using namespace karman::detail;

template <class Parameter>
class SorFusedOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
};
TYPED_TEST_SUITE(SorFusedOn, karman::test::AllBackends, karman::test::BackendNames);

/// A split problem: random values everywhere, ghosts and padding too, and random walls in some boxes of it.
template <class Exec, class T>
struct SplitProblem {
  SplitLayout layout;
  Kokkos::Array<Array<Exec, T>, 2> lambda{}, rhs{};
  Colours<Exec, WallCode> codes{};
  Colours<Exec, std::uint8_t> open_row{};
  Kokkos::View<LayerWeights<T>*, typename Exec::memory_space> layers;
  T ax = T(1), ay = T(0.75), omega = T(1.6);

  template <class Value>
  static Array<Exec, Value> allocate(Exec const& space, std::int64_t size) {
    return Array<Exec, Value>(Kokkos::view_alloc(space, "karman::test::split_problem"), static_cast<std::size_t>(size));
  }

  template <class V, class Fill>
  static void fill(V const& view, Fill const& value) {
    auto const host = Kokkos::create_mirror_view(view);
    for (std::size_t n = 0; n < view.size(); ++n) host(n) = value(static_cast<std::int64_t>(n));
    Kokkos::deep_copy(view, host);
  }

  SplitProblem(Exec const& space, int nx, int ny, int nz, bool all_open) : layout(nx, ny, nz, false) {
    std::mt19937 random(unsigned(nx + 100 * ny + 10000 * nz));
    auto const value = [&](std::int64_t) { return T(int(random() % 2049) - 1024) / T(1024); };
    constexpr unsigned wall_codes[] = {0x0000, 0x0a82, 0x0aab, 0x06aa, 0xfaaa, 0xd555, 0x02a2, 0x0aaa};
    auto const code = [&](std::int64_t n) {
      bool const open = all_open || (n / 64) % 3 != 0;
      return static_cast<WallCode>(open ? open_cell_code : wall_codes[random() % 8]);
    };
    for (int colour = 0; colour < 2; ++colour) {
      lambda[colour] = allocate<T>(space, layout.ghosted_size());
      rhs[colour] = allocate<T>(space, layout.inner_size());
      codes[colour] = allocate<WallCode>(space, layout.inner_size());
      fill(lambda[colour], value);
      fill(rhs[colour], value);
      fill(codes[colour], code);
      if constexpr (runs_on_host<Exec>) {
        open_row[colour] = allocate<std::uint8_t>(space, std::int64_t(nz) * ny);
        mark_open_rows(space, layout, codes[colour], colour, open_row[colour]);
      }
    }
    layers = allocate<LayerWeights<T>>(space, nz);
    fill(layers, [&](std::int64_t k) {
      T const up = T(1) + T(k % 5) / 4;
      T const down = T(1) + T((k + 2) % 3) / 8;
      return LayerWeights<T>{up, down, T(1) / (2 * ax + 2 * ay + up + down)};
    });
  }

  Kokkos::Array<Array<Exec, T>, 2> copy_of_lambda() const {
    Kokkos::Array<Array<Exec, T>, 2> copy{};
    for (int colour = 0; colour < 2; ++colour) {
      copy[colour] = allocate<T>(Exec(), layout.ghosted_size());
      Kokkos::deep_copy(copy[colour], lambda[colour]);
    }
    return copy;
  }

  PackedWalls<Exec, T> walls(int colour) const { return {codes[colour], ax, ay}; }

  /// Both half sweeps in place. SorSweep takes the decoded form of some open cells on the host, which rounds otherwise
  /// than the open one; there a plain loop takes the forms that a device takes.
  void sweep(Exec const& space, Kokkos::Array<Array<Exec, T>, 2> const& values) const {
    for (int colour = 0; colour < 2; ++colour) {
      if constexpr (runs_on_host<Exec>) {
        relax_in_turn(values[colour], values[1 - colour], colour);
        continue;
      }
      SorFields<Exec, T> const fields{values[colour], values[1 - colour], rhs[colour], open_row[colour]};
      SorSweep<Exec, T, PackedWalls<Exec, T>, false>{fields, walls(colour), layers, ax, ay, layout, colour, omega,
                                                     sor_tile<Exec>(layout)}
          .relax(space);
    }
  }

  void relax_in_turn(Array<Exec, T> const& own, Array<Exec, T> const& other, int colour) const {
    auto const equations = walls(colour);
    for (int k = 0; k < layout.nz; ++k)
      for (int j = 0; j < layout.ny; ++j) {
        int const s = SplitLayout::shift(k, j, colour);
        for (int h = 0; h < layout.count(s); ++h) {
          auto const n = layout.ghosted(k, j, h);
          auto const inner = layout.inner(k, j, h);
          Neighbours<T> const nb{other(n + s),            other(n + s - 1),          other(n + layout.pitch),
                                 other(n - layout.pitch), other(n + layout.plane()), other(n - layout.plane())};
          unsigned const code = codes[colour](inner);
          auto const eq = code == open_cell_code
                              ? open_equation(own(n), nb, rhs[colour](inner), ax, ay, layers(k))
                              : equations.equation(code, inner, own(n), nb, rhs[colour](inner), layers(k));
          own(n) = own(n) + omega * eq.inverse * eq.residual;
        }
      }
  }

  template <int Threads, int Teams, bool Staged>
  SorFusedSweep<Exec, T, Threads, Teams, Staged> fused(Kokkos::Array<Array<Exec, T>, 2> const& target,
                                                       SorFusedTile const& tile) const {
    return {{lambda[0], lambda[1]}, target, {rhs[0], rhs[1]}, {walls(0), walls(1)}, layers, ax, ay, layout, omega,
            tile};
  }
};

/// Runs the threads of every team one after the other, upwards or downwards, between two barriers: what a step reads
/// must not depend on that order. Scratch holds no numbers at first, so that one read too early shows.
template <class Sweep>
void run_threads_in_turn(Sweep const& sweep, bool downwards) {
  using Cells = typename Sweep::Cells;
  Cells nothing;
  for (int n = 0; n < Sweep::width; ++n) nothing[n] = std::numeric_limits<double>::quiet_NaN();
  std::vector<Cells> cells(static_cast<std::size_t>(sweep.scratch_size() / Sweep::width));
  auto* const scratch = &cells[0][0];
  int const threads = sweep.tile.packs * sweep.tile.rows + 3;
  std::vector<typename Sweep::Column> columns(static_cast<std::size_t>(threads));
  auto const thread = [&](int n) { return downwards ? threads - 1 - n : n; };
  for (int team = 0; team < sweep.teams(); ++team) {
    auto const block = sweep.block_of(team);
    std::fill(cells.begin(), cells.end(), nothing);
    for (int n = 0; n < threads; ++n) sweep.begin(columns[std::size_t(thread(n))], block, thread(n), scratch);
    for (int k = block.k_begin - 1; k <= block.k_end; ++k) {
      for (int n = 0; n < threads; ++n) sweep.step(columns[std::size_t(thread(n))], block, k, scratch);
    }
  }
}

template <bool Staged, class Exec, class T>
void expect_same_bits(Exec const& space, SplitProblem<Exec, T> const& problem, SorFusedTile const& tile) {
  auto const expected = problem.copy_of_lambda();
  problem.sweep(space, expected);
  for (bool downwards : {false, true}) {
    auto const target = problem.copy_of_lambda();
    auto const sweep = problem.template fused<512, 1, Staged>(target, tile);
    if constexpr (runs_on_host<Exec>) {
      run_threads_in_turn(sweep, downwards);
    } else {
      sweep.relax(space);
    }
    space.fence();
    for (int colour = 0; colour < 2; ++colour) {
      auto const a = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), expected[colour]);
      auto const b = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), target[colour]);
      auto const& layout = problem.layout;
      std::int64_t different = 0;
      for (int k = 0; k < layout.nz; ++k)
        for (int j = 0; j < layout.ny; ++j)
          for (int h = 0; h < layout.count(SplitLayout::shift(k, j, colour)); ++h) {
            auto const n = layout.ghosted(k, j, h);
            different += a(n) != b(n);
          }
      EXPECT_EQ(different, 0) << "colour " << colour << " of " << layout.nx << " x " << layout.ny << " x " << layout.nz
                              << " in blocks of " << tile.packs << " x " << tile.rows << " x " << tile.layers;
    }
  }
}

TYPED_TEST(SorFusedOn, WritesTheBitsOfTwoHalfSweeps) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  for (auto const& n : std::vector<std::array<int, 3>>{
           {1, 1, 1}, {2, 1, 3}, {7, 5, 4}, {33, 9, 2}, {64, 8, 33}, {65, 17, 7}, {131, 30, 5}, {258, 3, 11}}) {
    for (bool all_open : {false, true}) {
      SplitProblem<Exec, T> const problem(this->space, n[0], n[1], n[2], all_open);
      for (int layers : {1, 3, 64}) {
        expect_same_bits<true>(this->space, problem, sor_fused_tile<T>(problem.layout, 256, layers, 12));
        expect_same_bits<false>(this->space, problem, sor_fused_tile<T>(problem.layout, 512, layers));
      }
      expect_same_bits<true>(this->space, problem, {3, 3, 2});
      expect_same_bits<false>(this->space, problem, {5, 4, 4});
    }
  }
}

}  // namespace
