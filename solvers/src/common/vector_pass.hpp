// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One pass over vectors that updates some and reduces numbers out of all: the work of a Krylov method between two
/// applications of its operator.
#pragma once

#include "team_results.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>
#include <karman/core/detail/pack.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace karman::detail {

/// Division of the elements among teams.
struct VectorShares {
  std::int64_t least;  ///< least number of elements per team
  int most_teams;
  int granule;  ///< a share is a multiple of this: packs stay aligned
  int teams(std::int64_t n) const {
    return static_cast<int>(std::clamp<std::int64_t>((n + least - 1) / least, 1, most_teams));
  }
};

/// Division of the elements. The order of the sums depends on it and on the length alone.
template <class Exec>
struct VectorTable {
  static constexpr bool host = runs_on_host<Exec>;
  static constexpr int threads = host ? 1 : 256;
  static constexpr VectorShares fields{host ? 4096 : 8192, host ? 512 : 1056, 1024};
  /// For short vectors, whose time depends on how many cores of a device take part.
  static constexpr VectorShares short_vectors{host ? 1024 : 256, host ? 512 : 1056, 256};
  static int teams(std::int64_t n) { return fields.teams(n); }
};

/// The inner product of layered fields: weight[n / layer], or 1 for a null pointer.
struct ElementWeight {
  double const* weight;
  std::int64_t layer;
};

/// A Body has
///   using real;
///   static constexpr int inputs, outputs, results;
///   real const* in[inputs]; real* out[max(outputs, 1)];
///   static constexpr TeamReduction kind(int n);      operation of result n
///   Body prepared() const;                    copy with the values that it reads once from device memory
///   void operator()(a, b, w, found) const;    one element: inputs, outputs, weight, results
///   void first_thread() const;                by one thread, beside the others
///   void last_thread() const;                 if there is one: by the thread that has written the results
template <class Exec, class Body, int width>
struct VectorPass {
  using T = typename Body::real;
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr int inputs = Body::inputs, outputs = Body::outputs, results = Body::results;
  static constexpr int slots = results > 0 ? results : 1;
  static constexpr int written = outputs > 0 ? outputs : 1;

  Body body;
  std::int64_t n;
  ElementWeight weight;
  TeamResults<slots> out;
  int granule;

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    Body const ready = body.prepared();
    std::int64_t const share = (n + member.league_size() - 1) / member.league_size();
    std::int64_t const whole = (share + granule - 1) / granule * granule;
    std::int64_t const begin = whole * member.league_rank();
    std::int64_t const end = begin + whole < n ? begin + whole : n;
    double found[slots] = {};
    if constexpr (runs_on_host<Exec>) {
      walk_on_host(ready, begin, end, found);
    } else {
      walk_on_device(member, ready, begin, end, found);
    }
    if constexpr (results > 0) {
      bool const last = reduce_across_teams<Exec>(member, out, found);
      if constexpr (requires { body.last_thread(); }) {
        if (last) body.last_thread();
      }
    }
    if (member.league_rank() == 0 && member.team_rank() == 0) ready.first_thread();
  }

 private:
  static constexpr int lanes = 16;  ///< of a host

  /// Applies the body to one element and joins result s with found[s * stride].
  template <int stride>
  static KOKKOS_FORCEINLINE_FUNCTION void join(Body const& ready, T const (&a)[inputs], T (&b)[written], double w,
                                               double* found) {
    double f[slots];
    ready(a, b, w, f);
    for (int s = 0; s < results; ++s) found[s * stride] = combine(Body::kind(s), found[s * stride], f[s]);
  }

  template <int stride>
  static KOKKOS_FORCEINLINE_FUNCTION void one(Body const& ready, std::int64_t i, double w, double* found) {
    T a[inputs];
    T b[written];
    for (int s = 0; s < inputs; ++s) a[s] = ready.in[s][i];
    join<stride>(ready, a, b, w, found);
    for (int s = 0; s < outputs; ++s) ready.out[s][i] = b[s];
  }

  KOKKOS_FUNCTION void walk_on_host(Body const& ready, std::int64_t begin, std::int64_t end,
                                    double (&found)[slots]) const {
    double lane[slots][lanes] = {};
    while (begin < end) {
      // A stretch of one layer.
      double w = 1;
      std::int64_t stop = end;
      if (weight.weight != nullptr) {
        std::int64_t const k = begin / weight.layer;
        w = weight.weight[k];
        stop = (k + 1) * weight.layer < end ? (k + 1) * weight.layer : end;
      }
      for (; begin + lanes <= stop; begin += lanes) {
        // With a pragma to vectorise, g++ 12 first copies the complex numbers of all lanes to memory: half the speed.
        if constexpr (std::is_floating_point_v<T>) {
          KARMAN_SIMD
          for (int l = 0; l < lanes; ++l) one<lanes>(ready, begin + l, w, &lane[0][l]);
        } else {
          for (int l = 0; l < lanes; ++l) one<lanes>(ready, begin + l, w, &lane[0][l]);
        }
      }
      for (; begin < stop; ++begin) one<1>(ready, begin, w, found);
    }
    for (int s = 0; s < results; ++s) {
      for (double const value : lane[s]) found[s] = combine(Body::kind(s), found[s], value);
    }
  }

  KOKKOS_FUNCTION void walk_on_device(Member const& member, Body const& ready, std::int64_t begin, std::int64_t end,
                                      double (&found)[slots]) const {
    std::int64_t const step = std::int64_t(member.team_size()) * width;
    for (std::int64_t i = begin + std::int64_t(member.team_rank()) * width; i < end; i += step) {
      if constexpr (width == 1) {
        one<1>(ready, i, weight_of(i), found);
      } else if (weight.weight == nullptr && i + width <= end) {
        Pack<T, width> in[inputs];
        Pack<T, width> changed[written];
        for (int s = 0; s < inputs; ++s) in[s] = load_pack<width>(ready.in[s] + i);
        for (int v = 0; v < width; ++v) {
          T a[inputs];
          T b[written];
          for (int s = 0; s < inputs; ++s) a[s] = in[s][v];
          join<1>(ready, a, b, 1.0, found);
          for (int s = 0; s < outputs; ++s) changed[s][v] = b[s];
        }
        for (int s = 0; s < outputs; ++s) store_pack<width>(ready.out[s] + i, changed[s]);
      } else {
        std::int64_t const stop = i + width < end ? i + width : end;
        for (std::int64_t e = i; e < stop; ++e) one<1>(ready, e, weight_of(e), found);
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION double weight_of(std::int64_t i) const {
    return weight.weight != nullptr ? weight.weight[i / weight.layer] : 1.0;
  }
};

/// Runs a body over n elements. `out` must hold shares.teams(n) * results partial numbers.
template <class Exec, class Body>
void vector_pass(Exec const& space, char const* label, Body const& body, std::int64_t n, ElementWeight const& weight,
                 TeamResults<(Body::results > 0 ? Body::results : 1)> const& out,
                 VectorShares const& shares = VectorTable<Exec>::fields) {
  using Table = VectorTable<Exec>;
  using T = typename Body::real;
  Kokkos::TeamPolicy<Exec> const policy(space, shares.teams(n), Table::threads, 1);
  constexpr int wide = 16 / static_cast<int>(sizeof(T));
  if constexpr (!Table::host) {
    bool all = true;
    for (auto const* in : body.in) all = all && are_aligned(in);
    for (int s = 0; s < Body::outputs; ++s) all = all && are_aligned(body.out[s]);
    if (all) {
      Kokkos::parallel_for(label, policy, VectorPass<Exec, Body, wide>{body, n, weight, out, shares.granule});
      return;
    }
  }
  Kokkos::parallel_for(label, policy, VectorPass<Exec, Body, 1>{body, n, weight, out, shares.granule});
}

}  // namespace karman::detail
