// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Operations of GMRES on its basis, each in one pass over the elements: products with all vectors, the next vector,
/// and combinations.
#pragma once

#include "common/scalar_parts.hpp"
#include "common/team_results.hpp"
#include "common/vector_pass.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>
#include <karman/core/detail/pack.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// Numbers of one iteration in an array of doubles. For j vectors V and the vectors p and q,
///   s_i = (V_i, p), i < j;  t_i = (V_i, q), i <= j;  length = |v_j|;  next = |p of the next iteration|^2.
template <class Scalar>
struct ArnoldiColumn {
  static constexpr int width = parts<Scalar>;
  int restart;

  KOKKOS_INLINE_FUNCTION int s() const { return 0; }
  KOKKOS_INLINE_FUNCTION int t() const { return width * restart; }
  KOKKOS_INLINE_FUNCTION int length() const { return 2 * width * restart; }
  KOKKOS_INLINE_FUNCTION int next() const { return length() + 1; }
  KOKKOS_INLINE_FUNCTION int size() const { return length() + 2; }
};

/// Elements of a team.
struct ElementRange {
  std::int64_t begin, end;

  template <class Member>
  KOKKOS_INLINE_FUNCTION static ElementRange of(Member const& member, std::int64_t n, int granule) {
    std::int64_t const share = (n - 1) / member.league_size() + 1;
    std::int64_t const whole = (share + granule - 1) / granule * granule;
    std::int64_t const begin = whole * member.league_rank();
    return {begin, begin + whole < n ? begin + whole : n};
  }
};

/// Elements of each vector that a thread takes at once: on a device as many as one access moves, on a host as many as
/// stay in the first cache.
template <class Exec, class Stored>
constexpr int basis_chunk = runs_on_host<Exec> ? 256 : pack_width<Stored>;

/// Whether all chunks of a basis of vectors of length n, and of p and q, can be moved in packs.
template <class Exec, class Stored, class Scalar>
bool has_packs(std::int64_t n, Stored const* basis, Scalar const* p, Scalar const* q) {
  return n % basis_chunk<Exec, Stored> == 0 && are_aligned(basis, p, q);
}

/// Loads `count` values, and zeros for those after them. `packed`: see has_packs().
template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION void load_chunk(T const* from, int count, bool packed, T (&values)[N]) {
  if (packed && count == N) return load_values(from, true, values);
  for (int k = 0; k < N; ++k) values[k] = k < count ? from[k] : T(0);
}

template <class T, int N>
KOKKOS_FORCEINLINE_FUNCTION void store_chunk(T* to, int count, bool packed, T const (&values)[N]) {
  if (packed && count == N) return store_values(to, true, values);
  for (int k = 0; k < count; ++k) to[k] = values[k];
}

/// The team that finishes last joins the `all` numbers of each team and hands each sum to store(number, sum). True in
/// that team. Numbers of a team begin at partials + team * all. As many doubles as a team has threads follow the
/// partials.
template <class Exec, class Member, class Store>
KOKKOS_FUNCTION bool join_partials(Member const& member, double* partials, int* arrivals, int all, Store const& store) {
  int const teams = member.league_size(), rank = member.team_rank();
  int last = 0;
  if constexpr (runs_on_host<Exec>) {
    Kokkos::memory_fence();
    last = Kokkos::atomic_fetch_add(arrivals, 1) == teams - 1 ? 1 : 0;
  } else {
    Kokkos::single(
        Kokkos::PerTeam(member),
        [&](int& is_last) {
          Kokkos::memory_fence();
          is_last = Kokkos::atomic_fetch_add(arrivals, 1) == teams - 1 ? 1 : 0;
        },
        last);
  }
  if (last == 0) return false;
  Kokkos::memory_fence();
  // Several threads per number where there are enough: alone, one would wait for the memory a thousand times.
  int const groups = all < member.team_size() ? member.team_size() / all : 1;
  double* const joined = partials + std::int64_t(teams) * all;
  for (int n = rank; n < all * groups; n += member.team_size()) {
    double sum = 0;
    for (int team = n / all; team < teams; team += groups) sum += partials[std::int64_t(team) * all + n % all];
    if (groups == 1) store(n, sum);
    else joined[n] = sum;
  }
  if (groups > 1) {
    member.team_barrier();
    if (rank < all) {
      double sum = 0;
      for (int group = 0; group < groups; ++group) sum += joined[group * all + rank];
      store(rank, sum);
    }
  }
  if (rank == 0) *arrivals = 0;
  return true;
}

/// Division of the elements for BasisProducts. On a device two of its teams fit a multiprocessor at once; each joins
/// the sums of every group of vectors.
template <class Exec>
constexpr VectorShares basis_product_shares() {
  VectorShares shares = VectorTable<Exec>::short_vectors;
  if constexpr (!runs_on_host<Exec>) shares.most_teams = 264;
  return shares;
}

/// The products s and t of an iteration, the length of v = p - V s, and t_j = (v / length, q).
template <class Exec, class Scalar, class Stored>
struct BasisProducts {
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<VectorTable<Exec>::threads, 2>>;
  using Member = typename Policy::member_type;
  using Number = Wide<Scalar>;
  static constexpr int width = parts<Scalar>;
  static constexpr int block = 8 / width;  ///< vectors per group of products
  static constexpr int found_in_group = 2 * width * block;
  static constexpr int slots = found_in_group + 1 + width;  ///< with |p|^2 and (p, q)

  std::int64_t n;
  int vectors;
  Stored const* basis;  ///< V_i begins at basis + i * n
  Scalar const *p, *q;
  double* column;
  ArnoldiColumn<Scalar> place;
  double* partials;
  int* arrivals;
  int granule;
  bool packed;  ///< see has_packs()

  /// Partial sums of a team.
  KOKKOS_INLINE_FUNCTION int all() const { return 2 * width * vectors + 1 + width; }

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    multiply(member, ElementRange::of(member, n, granule));
    // |p|^2 and (p, q) wait where the length and t_j will be.
    int const ts = width * vectors;
    bool const last = join_partials<Exec>(member, partials, arrivals, all(), [&](int i, double sum) {
      if (i < ts) column[place.s() + i] = sum;
      else if (i < 2 * ts) column[place.t() + i - ts] = sum;
      else if (i == 2 * ts) column[place.length()] = sum;
      else column[place.t() + i - ts - 1] = sum;
    });
    if (last) take_out_products(member);
  }

 private:
  KOKKOS_FUNCTION void multiply(Member const& member, ElementRange const& range) const {
    double* const own = partials + std::int64_t(member.league_rank()) * all();
    for (int first = 0; first <= vectors; first += block) {
      int const count = first + block <= vectors ? block : vectors - first;
      bool const tail = first + block > vectors;
      ReductionValues<slots> found{};
      if constexpr (runs_on_host<Exec>) {
        for (std::int64_t e = range.begin; e < range.end; ++e) {
          Number const of_p = widened<Scalar>(p[e]), of_q = widened<Scalar>(q[e]);
          for (int i = 0; i < count; ++i) {
            add_products(widened<Stored>(basis[(first + i) * n + e]), of_p, of_q, i, found.value);
          }
          if (tail) add_own_products(of_p, of_q, found.value);
        }
      } else {
        multiply_group(member, range, first, count, tail, found.value);
      }
      if constexpr (!runs_on_host<Exec>) {
        TeamReduction const kinds[slots] = {};
        member.team_reduce(NumbersReducer<slots>{found, kinds});
      }
      if (member.team_rank() != 0) continue;
      for (int i = 0; i < count * width; ++i) {
        own[first * width + i] = found.value[i];
        own[(vectors + first) * width + i] = found.value[block * width + i];
      }
      for (int i = 0; tail && i <= width; ++i) own[2 * width * vectors + i] = found.value[found_in_group + i];
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static void add_products(Number const& v, Number const& of_p, Number const& of_q, int i,
                                                       double* found) {
    add_number<Scalar>(found, i, conjugated(v) * of_p);
    add_number<Scalar>(found, block + i, conjugated(v) * of_q);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void add_own_products(Number const& of_p, Number const& of_q, double* found) {
    found[found_in_group] += squared_magnitude(of_p);
    add_number<Scalar>(found + found_in_group + 1, 0, conjugated(of_p) * of_q);
  }

  /// The sums of a thread of a device. All vectors of the group are on their way at once, and the sums stay in
  /// registers. Where fewer vectors are left, the first of the group replaces the others, whose sums have no use.
  KOKKOS_FORCEINLINE_FUNCTION void multiply_group(Member const& member, ElementRange const& range, int first, int count,
                                                  bool tail, double* found) const {
    constexpr int chunk = basis_chunk<Exec, Stored>;
    std::int64_t const step = std::int64_t(chunk) * member.team_size();
    for (std::int64_t e = range.begin + std::int64_t(chunk) * member.team_rank(); e < range.end; e += step) {
      int const filled = range.end - e < chunk ? int(range.end - e) : chunk;
      Scalar of_p[chunk], of_q[chunk];
      load_chunk(p + e, filled, packed, of_p);
      load_chunk(q + e, filled, packed, of_q);
      Stored v[block][chunk];
      for (int i = 0; i < block; ++i) load_chunk(basis + (first + (i < count ? i : 0)) * n + e, filled, packed, v[i]);
      for (int k = 0; k < chunk; ++k) {
        Number const wide_p = widened<Scalar>(of_p[k]), wide_q = widened<Scalar>(of_q[k]);
        for (int i = 0; i < block; ++i) add_products(widened<Stored>(v[i][k]), wide_p, wide_q, i, found);
        if (tail) add_own_products(wide_p, wide_q, found);
      }
    }
  }

  /// |v|^2 = |p|^2 - sum |s_i|^2, and (v, q) = (p, q) - sum conj(s_i) t_i.
  KOKKOS_FUNCTION void take_out_products(Member const& member) const {
    member.team_barrier();
    ReductionValues<1 + width> out{};
    for (int i = member.team_rank(); i < vectors; i += member.team_size()) {
      Number const s = number_at<Scalar>(column + place.s(), i);
      out.value[0] += squared_magnitude(s);
      add_number<Scalar>(out.value + 1, 0, conjugated(s) * number_at<Scalar>(column + place.t(), i));
    }
    if constexpr (!runs_on_host<Exec>) {
      TeamReduction const kinds[1 + width] = {};
      member.team_reduce(NumbersReducer<1 + width>{out, kinds});
    }
    if (member.team_rank() != 0) return;
    double const square = column[place.length()] - out.value[0];
    // Neither: not a number.
    double const length = square > 0 ? compat::math::sqrt(square) : (square <= 0 ? 0.0 : square);
    Number const product = number_at<Scalar>(column + place.t(), vectors) - number_at<Scalar>(out.value + 1, 0);
    column[place.length()] = length;
    set_number<Scalar>(column + place.t(), vectors, product * (length == 0 ? 0.0 : 1 / length));
  }
};

/// The vectors of an iteration, from its products: V_j = (p - V s) / length, then p = (q - V t - V_j t_j) / length, and
/// |p|^2.
template <class Exec, class Scalar, class Stored>
struct BasisUpdate {
  using Policy = Kokkos::TeamPolicy<Exec>;
  using Member = typename Policy::member_type;
  using Number = Wide<Scalar>;

  std::int64_t n;
  int vectors;
  Stored* basis;
  Scalar* p;
  Scalar const* q;
  double* column;
  ArnoldiColumn<Scalar> place;
  double* partials;
  int* arrivals;
  int granule;
  bool packed;  ///< see has_packs()

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    auto const range = ElementRange::of(member, n, granule);
    double const *const s = column + place.s(), *const t = column + place.t();
    double const length = column[place.length()], scale = length == 0 ? 0.0 : 1 / length;
    Number const last = number_at<Scalar>(t, vectors);
    constexpr int chunk = basis_chunk<Exec, Stored>;
    std::int64_t const step = std::int64_t(chunk) * member.team_size();
    double square[1] = {};
    for (std::int64_t begin = range.begin + std::int64_t(chunk) * member.team_rank(); begin < range.end;
         begin += step) {
      int const count = range.end - begin < chunk ? int(range.end - begin) : chunk;
      if constexpr (runs_on_host<Exec>) {
        Number of_p[chunk], of_q[chunk];
        for (int k = 0; k < count; ++k) {
          of_p[k] = widened<Scalar>(p[begin + k]);
          of_q[k] = widened<Scalar>(q[begin + k]);
        }
        for (int i = 0; i < vectors; ++i) take_out(basis + i * n + begin, s, t, i, count, of_p, of_q);
        for (int k = 0; k < count; ++k) {
          auto const v = narrowed<Stored>(of_p[k] * scale);
          auto const next = narrowed<Scalar>((of_q[k] - widened<Stored>(v) * last) * scale);
          basis[vectors * n + begin + k] = v;
          p[begin + k] = next;
          square[0] += squared_magnitude(widened<Scalar>(next));
        }
      } else {
        Scalar read_p[chunk], read_q[chunk];
        load_chunk(p + begin, count, packed, read_p);
        load_chunk(q + begin, count, packed, read_q);
        Number of_p[chunk], of_q[chunk];
        for (int k = 0; k < chunk; ++k) {
          of_p[k] = widened<Scalar>(read_p[k]);
          of_q[k] = widened<Scalar>(read_q[k]);
        }
        for (int i = 0; i < vectors; ++i) {
          Stored v[chunk];
          load_chunk(basis + i * n + begin, count, packed, v);
          take_out(v, s, t, i, chunk, of_p, of_q);
        }
        Stored v[chunk];
        for (int k = 0; k < chunk; ++k) {
          v[k] = narrowed<Stored>(of_p[k] * scale);
          read_p[k] = narrowed<Scalar>((of_q[k] - widened<Stored>(v[k]) * last) * scale);
          square[0] += squared_magnitude(widened<Scalar>(read_p[k]));
        }
        store_chunk(basis + vectors * n + begin, count, packed, v);
        store_chunk(p + begin, count, packed, read_p);
      }
    }
    TeamResults<1> const next{{TeamReduction::sum}, {column + place.next()}, partials, arrivals};
    reduce_across_teams<Exec>(member, next, square);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static void take_out(Stored const* v, double const* s, double const* t, int i, int count,
                                                   Number* of_p, Number* of_q) {
    Number const si = number_at<Scalar>(s, i), ti = number_at<Scalar>(t, i);
    for (int k = 0; k < count; ++k) {
      Number const number = widened<Stored>(v[k]);
      of_p[k] -= number * si;
      of_q[k] -= number * ti;
    }
  }
};

/// result = sum over i of V_i c_i.
template <class Exec, class Scalar, class Stored>
struct BasisSum {
  using Policy = Kokkos::TeamPolicy<Exec>;
  using Member = typename Policy::member_type;

  std::int64_t n;
  int vectors;
  Stored const* basis;
  double const* coefficients;
  Scalar* result;
  int granule;

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    auto const range = ElementRange::of(member, n, granule);
    for (std::int64_t e = range.begin + member.team_rank(); e < range.end; e += member.team_size()) {
      Wide<Scalar> sum(0.0);
      for (int i = 0; i < vectors; ++i) sum += widened<Stored>(basis[i * n + e]) * number_at<Scalar>(coefficients, i);
      result[e] = narrowed<Scalar>(sum);
    }
  }
};

}  // namespace karman::detail
