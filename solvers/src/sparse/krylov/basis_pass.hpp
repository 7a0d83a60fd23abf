// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Operations of GMRES on its basis: products with all vectors and their combinations, in one pass over the elements.
#pragma once

#include "common/scalar_parts.hpp"
#include "common/team_results.hpp"
#include "common/vector_pass.hpp"
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace karman::detail {

/// result = scale (w - sum over i of V_i c_i), and on request the products (V_i, result) and |result|^2. V_i begins at
/// basis + i * n. Numbers are doubles, `parts` each.
template <class Exec, class Scalar>
struct BasisPass {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Number = Wide<Scalar>;
  static constexpr int block = 4;  ///< vectors per group of products
  static constexpr int width = parts<Scalar>;

  std::int64_t n;
  int vectors;
  Scalar const* basis;
  Scalar const* w;             ///< null: zero
  double const* coefficients;  ///< c, or null: none
  double const* norm;          ///< scale = 1 / sqrt(*norm - sum |c_i|^2), 0 where that is not positive; null: 1
  Scalar* result;              ///< may be w
  double* products;            ///< `vectors` numbers and one double, or null
  double* partials;
  int* arrivals;
  double const* earlier;  ///< with `column`: column_i = earlier_i + c_i, then the length 1 / scale
  double* column;         ///< or null
  int granule;

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    std::int64_t const share = (n - 1) / member.league_size() + 1;
    std::int64_t const whole = (share + granule - 1) / granule * granule;
    std::int64_t const begin = whole * member.league_rank();
    std::int64_t const end = begin + whole < n ? begin + whole : n;
    double const length = norm == nullptr ? 1.0 : length_left();
    combine(member, begin, end, length == 0 ? 0.0 : 1 / length);
    if (column != nullptr && member.league_rank() == 0) keep_column(member, length);
    if (products == nullptr) return;
    multiply(member, begin, end);
    finish(member);
  }

 private:
  KOKKOS_FUNCTION double length_left() const {
    double square = *norm;
    for (int i = 0; i < (coefficients == nullptr ? 0 : vectors); ++i) {
      square -= squared_magnitude(number_at<Scalar>(coefficients, i));
    }
    return square > 0 ? compat::math::sqrt(square) : (square <= 0 ? 0.0 : square);
  }

  KOKKOS_FUNCTION void keep_column(Member const& member, double length) const {
    for (int i = member.team_rank(); i <= vectors; i += member.team_size()) {
      Number const value =
          i == vectors ? Number(length) : number_at<Scalar>(earlier, i) + number_at<Scalar>(coefficients, i);
      set_number<Scalar>(column, i, value);
    }
  }

  KOKKOS_FUNCTION void combine(Member const& member, std::int64_t begin, std::int64_t end, double scale) const {
    std::int64_t const step = member.team_size();
    for (std::int64_t e = begin + member.team_rank(); e < end; e += step) {
      Number sum = w == nullptr ? Number(0.0) : widened<Scalar>(w[e]);
      for (int i = 0; i < (coefficients == nullptr ? 0 : vectors); ++i) {
        sum -= widened<Scalar>(basis[i * n + e]) * number_at<Scalar>(coefficients, i);
      }
      result[e] = narrowed<Scalar>(sum * scale);
    }
  }

  /// Every thread reads only its own writes.
  KOKKOS_FUNCTION void multiply(Member const& member, std::int64_t begin, std::int64_t end) const {
    int const all = width * vectors + 1;
    double* const own = partials + std::int64_t(member.league_rank()) * all;
    for (int first = 0; first <= vectors; first += block) {
      int const count = first + block <= vectors ? block : vectors - first;
      bool const last = first + block > vectors;
      ReductionValues<block * width + 1> found{};
      for (std::int64_t e = begin + member.team_rank(); e < end; e += member.team_size()) {
        Number const value = widened<Scalar>(result[e]);
        for (int i = 0; i < count; ++i) {
          add_number<Scalar>(found.value, i, conjugated(widened<Scalar>(basis[(first + i) * n + e])) * value);
        }
        if (last) found.value[block * width] += squared_magnitude(value);
      }
      if constexpr (!runs_on_host<Exec>) {
        TeamReduction const kinds[block * width + 1] = {};
        member.team_reduce(NumbersReducer<block * width + 1>{found, kinds});
      }
      if (member.team_rank() == 0) {
        for (int i = 0; i < count * width; ++i) own[first * width + i] = found.value[i];
        if (last) own[width * vectors] = found.value[block * width];
      }
    }
  }

  /// The team that finishes last adds up.
  KOKKOS_FUNCTION void finish(Member const& member) const {
    int const all = width * vectors + 1;
    int last = 0;
    if constexpr (runs_on_host<Exec>) {
      Kokkos::memory_fence();
      last = Kokkos::atomic_fetch_add(arrivals, 1) == member.league_size() - 1 ? 1 : 0;
    } else {
      Kokkos::single(
          Kokkos::PerTeam(member),
          [&](int& is_last) {
            Kokkos::memory_fence();
            is_last = Kokkos::atomic_fetch_add(arrivals, 1) == member.league_size() - 1 ? 1 : 0;
          },
          last);
    }
    if (last == 0) return;
    Kokkos::memory_fence();
    for (int i = member.team_rank(); i < all; i += member.team_size()) {
      double sum = 0;
      for (int team = 0; team < member.league_size(); ++team) sum += partials[std::int64_t(team) * all + i];
      products[i] = sum;
    }
    if (member.team_rank() == 0) *arrivals = 0;
  }
};

}  // namespace karman::detail
