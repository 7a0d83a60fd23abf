// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Inverse of a small matrix, made and applied on the device.
#pragma once

#include "common/scalar_parts.hpp"
#include "interpolation.hpp"
#include <karman/core/backend.hpp>
#include <karman/solvers/sparse/csr.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <limits>
#include <string>

namespace karman::detail {

/// Rows that are eliminated at once.
inline constexpr int inverse_block = 16;

/// A dense matrix by rows, and the panels of an elimination step.
template <class Exec, class Scalar>
struct DenseInverse {
  using Values = Kokkos::View<Scalar**, Kokkos::LayoutRight, typename Exec::memory_space>;
  using Sizes = Kokkos::View<double*, typename Exec::memory_space>;
  Values matrix = Values();   ///< n x n; "= Values()": see Graph
  Values rows = Values();     ///< block x n: the block's rows times its inverse
  Values columns = Values();  ///< n x block: the block's columns as they were
  Values block = Values();    ///< block x block: its inverse
  Sizes scale = Sizes();      ///< of the pivots, see Spread

  static DenseInverse make(Exec const& space, int n) {
    auto const values = [&](char const* label, int a, int b) {
      return Values(Kokkos::view_alloc(space, std::string(label)), static_cast<std::size_t>(a),
                    static_cast<std::size_t>(b));
    };
    return {values("karman::amg::inverse", n, n), values("karman::amg::inverse_rows", inverse_block, n),
            values("karman::amg::inverse_columns", n, inverse_block),
            values("karman::amg::inverse_block", inverse_block, inverse_block),
            Sizes(Kokkos::view_alloc(space, std::string("karman::amg::inverse_scale")), static_cast<std::size_t>(n))};
  }
  int size() const { return static_cast<int>(matrix.extent(0)); }
  std::int64_t bytes() const {
    return static_cast<std::int64_t>((matrix.size() + rows.size() + columns.size() + block.size()) * sizeof(Scalar) +
                                     scale.size() * sizeof(double));
  }
};

/// Writes a row of a sparse matrix into the dense one, which holds zeros. A pivot counts as zero below the share `lost`
/// of its scale: that is |a_ii|, or as much as makes the share `most` times the rounding error of a_ii.
template <class Exec, class Scalar>
struct Spread {
  CsrMatrix<Exec, Scalar> a;
  DenseInverse<Exec, Scalar> dense;
  Vector<Exec, Scalar> rounding;  ///< see CarryRounding; empty: a_ii is exact
  double lost;

  KOKKOS_FUNCTION void operator()(int row) const {
    double scale = 0;
    for (int e = a.graph.offsets(row); e < a.graph.offsets(row + 1); ++e) {
      dense.matrix(row, a.graph.entries(e)) = a.values(e);
      if (a.graph.entries(e) == row) scale = compat::math::sqrt(squared_magnitude(widened<Scalar>(a.values(e))));
    }
    if (rounding.extent(0) > 0) {
      double const least = CarryRounding<Exec, Scalar>::most / lost * magnitude_of(rounding(row));
      if (least > scale) scale = least;
    }
    dense.scale(row) = scale;
  }
};

/// Inverts a diagonal block by Gauss and Jordan's elimination, without exchanges. A pivot that has lost its digits
/// belongs to the null space: its row and column become zero, and it is counted.
template <class Exec, class Scalar>
struct InvertBlock {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Block = Kokkos::View<Wide<Scalar>[inverse_block][inverse_block], typename Exec::scratch_memory_space,
                             Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  template <class T>
  using Pivots =
      Kokkos::View<T[inverse_block], typename Exec::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  DenseInverse<Exec, Scalar> dense;
  int first, count;
  double lost;  ///< share of the scale below which a pivot counts as zero
  int* replaced;

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    Block const even(member.team_scratch(0)), odd(member.team_scratch(0));
    Pivots<int> const used(member.team_scratch(0));
    Pivots<double> const least(member.team_scratch(0));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, count),
                         [&](int k) { least(k) = lost * dense.scale(first + k); });
    auto const all = Kokkos::TeamThreadRange(member, count * count);
    Kokkos::parallel_for(all, [&](int m) {
      even(m / count, m % count) = widened<Scalar>(dense.matrix(first + m / count, first + m % count));
    });
    // From one copy to the other: one barrier per pivot.
    for (int k = 0; k < count; ++k) {
      Block const &b = k % 2 == 0 ? even : odd, &next = k % 2 == 0 ? odd : even;
      member.team_barrier();
      Wide<Scalar> const pivot = b(k, k), inverse = divided(Wide<Scalar>(1.0), pivot);
      bool const usable = compat::math::sqrt(squared_magnitude(pivot)) > least(k) && is_finite(inverse);
      Kokkos::single(Kokkos::PerTeam(member), [&] {
        used(k) = usable;
        if (!usable) ++*replaced;  // one team at a time
      });
      Kokkos::parallel_for(all, [&](int m) {
        int const i = m / count, j = m % count;
        Wide<Scalar> value = b(i, j);
        if (usable) {
          if (i == k && j == k) value = inverse;
          else if (i == k) value *= inverse;
          else if (j == k) value *= -inverse;
          else value -= b(i, k) * inverse * b(k, j);
        }
        next(i, j) = value;
      });
    }
    member.team_barrier();
    Block const& b = count % 2 == 0 ? even : odd;
    Kokkos::parallel_for(all, [&](int m) {
      int const i = m / count, j = m % count;
      dense.block(i, j) = used(i) && used(j) ? narrowed<Scalar>(b(i, j)) : Scalar(0);
    });
  }
  static std::size_t scratch_bytes() {
    return 2 * Block::shmem_size() + Pivots<int>::shmem_size() + Pivots<double>::shmem_size() + 64;
  }
};

/// One entry of each panel: block^-1 times the block's rows; a copy of the block's columns.
template <class Exec, class Scalar>
struct MakePanels {
  DenseInverse<Exec, Scalar> dense;
  int first, count;

  KOKKOS_FUNCTION void operator()(int m) const {
    auto const n = static_cast<int>(dense.matrix.extent(0));
    int const i = m / n, column = m % n;
    Scalar sum(0);
    for (int k = 0; k < count; ++k) sum += dense.block(i, k) * dense.matrix(first + k, column);
    dense.rows(i, column) = sum;
    dense.columns(m / count, m % count) = dense.matrix(m / count, first + m % count);
  }
};

/// The rest of the matrix: a team takes `inverse_block` rows, its threads the columns.
template <class Exec, class Scalar>
struct EliminateBlock {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Panel = Kokkos::View<Scalar[inverse_block][inverse_block], typename Exec::scratch_memory_space,
                             Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  DenseInverse<Exec, Scalar> dense;
  int first, count, tiles;  ///< tiles: teams that share a row

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    Panel const panel(member.team_scratch(0));
    int const n = static_cast<int>(dense.matrix.extent(0));
    int const top = member.league_rank() / tiles * inverse_block, tile = member.league_rank() % tiles;
    int const height = top + inverse_block < n ? inverse_block : n - top;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, inverse_block * inverse_block), [&](int m) {
      int const i = m / inverse_block, k = m % inverse_block;
      panel(i, k) = i < height && k < count ? dense.columns(top + i, k) : Scalar(0);
    });
    member.team_barrier();
    int const share = (n - 1) / tiles + 1, begin = tile * share, end = begin + share < n ? begin + share : n;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, begin, end), [&](int j) {
      int const own = j - first;  // the column's place in the block
      bool const in_block = own >= 0 && own < count;
      Scalar sum[inverse_block];
      for (int i = 0; i < inverse_block; ++i) sum[i] = Scalar(0);
      for (int k = 0; k < count; ++k) {
        Scalar const factor = in_block ? dense.block(k, own) : dense.rows(k, j);
        for (int i = 0; i < inverse_block; ++i) sum[i] += panel(i, k) * factor;
      }
      for (int i = 0; i < height; ++i) {
        int const row = top + i, place = row - first;
        bool const block_row = place >= 0 && place < count;
        if (block_row) dense.matrix(row, j) = in_block ? dense.block(place, own) : dense.rows(place, j);
        else dense.matrix(row, j) = in_block ? -sum[i] : dense.matrix(row, j) - sum[i];
      }
    });
  }
  static std::size_t scratch_bytes() { return Panel::shmem_size(); }
};

/// Inverts a sparse matrix of that size. Asynchronous. `rounding`: see Spread. `replaced`: counts the pivots that are
/// left out.
/// Source: G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed. (2013), section 3.2, in blocks and in place.
template <class Exec, class Scalar>
void invert(Exec const& space, CsrMatrix<Exec, Scalar> const& a, DenseInverse<Exec, Scalar> const& dense,
            Vector<Exec, Scalar> const& rounding, int* replaced) {
  constexpr double lost = std::numeric_limits<RealPart<Scalar>>::epsilon() < 1e-10 ? 1e-10 : 3e-5;
  int const n = dense.size();
  Kokkos::RangePolicy<Exec> const all(space, 0, n);
  auto const matrix = dense.matrix;
  Kokkos::parallel_for(
      "karman::amg::clear", Kokkos::RangePolicy<Exec>(space, 0, n * n),
      KOKKOS_LAMBDA(int m) { matrix(m / n, m % n) = Scalar(0); });
  Kokkos::parallel_for("karman::amg::spread", all, Spread<Exec, Scalar>{a, dense, rounding, lost});
  using Eliminate = EliminateBlock<Exec, Scalar>;
  constexpr int threads = runs_on_host<Exec> ? 1 : 128;
  int const tiles = runs_on_host<Exec> ? 1 : (n - 1) / threads + 1, strips = (n - 1) / inverse_block + 1;
  auto policy = Kokkos::TeamPolicy<Exec>(space, strips * tiles, threads);
  policy.set_scratch_size(0, Kokkos::PerTeam(Eliminate::scratch_bytes()));
  using Invert = InvertBlock<Exec, Scalar>;
  auto block_policy = Kokkos::TeamPolicy<Exec>(space, 1, runs_on_host<Exec> ? 1 : inverse_block * inverse_block);
  block_policy.set_scratch_size(0, Kokkos::PerTeam(Invert::scratch_bytes()));
  for (int first = 0; first < n; first += inverse_block) {
    int const count = first + inverse_block < n ? inverse_block : n - first;
    Kokkos::parallel_for("karman::amg::invert_block", block_policy, Invert{dense, first, count, lost, replaced});
    Kokkos::parallel_for("karman::amg::make_panels", Kokkos::RangePolicy<Exec>(space, 0, n * count),
                         MakePanels<Exec, Scalar>{dense, first, count});
    Kokkos::parallel_for("karman::amg::eliminate", policy, Eliminate{dense, first, count, tiles});
  }
}

/// x = A^-1 b: one team per row.
template <class Exec, class Scalar>
struct ApplyInverse {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  DenseInverse<Exec, Scalar> dense;
  Scalar const* b;
  Scalar* x;
  int rows_per_team;

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    int const n = static_cast<int>(dense.matrix.extent(0));
    int const begin = member.league_rank() * rows_per_team;
    int const end = begin + rows_per_team < n ? begin + rows_per_team : n;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, begin, end), [&](int row) {
      Scalar sum(0);
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(member, n), [&](int j, Scalar& part) { part += dense.matrix(row, j) * b[j]; }, sum);
      Kokkos::single(Kokkos::PerThread(member), [&] { x[row] = sum; });
    });
  }
};

template <class Exec, class Scalar>
void apply_inverse(Exec const& space, DenseInverse<Exec, Scalar> const& dense, Scalar const* b, Scalar* x) {
  constexpr int threads = runs_on_host<Exec> ? 1 : 4, lanes = runs_on_host<Exec> ? 1 : 32;
  int const n = dense.size(), share = runs_on_host<Exec> ? 16 : threads;
  Kokkos::parallel_for("karman::amg::coarsest", Kokkos::TeamPolicy<Exec>(space, (n - 1) / share + 1, threads, lanes),
                       ApplyInverse<Exec, Scalar>{dense, b, x, share});
}

}  // namespace karman::detail
