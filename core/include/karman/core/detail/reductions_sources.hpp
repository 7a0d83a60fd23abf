// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Sources of values for reductions. A source numbers its values from 0 to size() - 1 and gives them in two ways. On
/// the host: in segments, runs of values for a vector loop. On a device: in packs, the values of one thread, relative
/// to the first value of a tile.
#pragma once

#include <karman/core/detail/pack.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace karman::detail {

/// `width` values of any type, held by one thread. Unlike Pack, which is the unit of a load, it has no alignment of its
/// own.
template <class T, int width>
struct ValuePack {
  T value[width];
};

/// The bytes of the widest load of a device.
inline constexpr int load_bytes = 16;

/// Largest length of a tile on a device; RowDivider relies on it.
inline constexpr int max_tile = 1 << 15;

/// map(i) for 0 <= i < n.
template <class Map>
struct IndexedSource {
  using value_type = std::decay_t<std::invoke_result_t<Map const&, std::int64_t>>;
  using cursor = std::int64_t;
  static constexpr int width = 1;
  static constexpr bool vectorises = true;

  Map map;
  std::int64_t n;

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t size() const { return n; }
  KOKKOS_FORCEINLINE_FUNCTION bool aligned() const { return true; }
  KOKKOS_FORCEINLINE_FUNCTION cursor at_tile(std::int64_t first) const { return first; }
  template <bool aligned>
  KOKKOS_FORCEINLINE_FUNCTION ValuePack<value_type, width> load(cursor first, int offset) const {
    return {{map(first + offset)}};
  }
  KOKKOS_FORCEINLINE_FUNCTION value_type load_one(cursor first, int offset) const { return map(first + offset); }

  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_segments(std::int64_t begin, std::int64_t end, Visit& visit) const {
    Map const& f = map;
    visit([&f, begin](std::int64_t l) { return f(begin + l); }, end - begin);
  }
};

/// Quotient and remainder by a divisor that is fixed before the kernel starts, for dividends below the divisor plus
/// max_tile. Replaces a division by a multiplication or a comparison.
class RowDivider {
 public:
  RowDivider() = default;
  explicit RowDivider(std::int64_t divisor)
      : divisor_(divisor),
        reciprocal_(divisor < max_tile && divisor > 0 ? (std::uint64_t(1) << 32) / std::uint64_t(divisor) + 1 : 0) {}
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t divisor() const { return divisor_; }
  /// Leaves the remainder in `dividend` and returns the quotient.
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t split(std::int64_t& dividend) const {
    // Exact: divisor < 2^15 and dividend < 2^16 here, so the rounded-up reciprocal is off by less than one unit.
    std::int64_t const quotient =
        reciprocal_ != 0 ? static_cast<std::int64_t>((static_cast<std::uint64_t>(dividend) * reciprocal_) >> 32)
                         : static_cast<std::int64_t>(dividend >= divisor_);
    dividend -= quotient * divisor_;
    return quotient;
  }

 private:
  std::int64_t divisor_ = 1;
  std::uint64_t reciprocal_ = 0;
};

/// map(k, j, i) for 0 <= k < extent[0], 0 <= j < extent[1], 0 <= i < extent[2], i running fastest. `Index` is the
/// argument type of the map. `unit` is false where vectorisation over i does not pay.
template <class Map, class Index, bool unit = true>
struct BoxSource {
  using value_type = std::decay_t<std::invoke_result_t<Map const&, Index, Index, Index>>;
  struct cursor {
    std::int64_t k, j, i;
  };
  static constexpr int width = 1;
  static constexpr bool vectorises = unit;

  Map map;
  std::int64_t n;
  RowDivider rows;     ///< divides by extent[1]
  RowDivider columns;  ///< divides by extent[2]

  BoxSource(Map const& f, Kokkos::Array<std::int64_t, 3> const& extent)
      : map(f), n(extent[0] * extent[1] * extent[2]), rows(extent[1]), columns(extent[2]) {}

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t size() const { return n; }
  KOKKOS_FORCEINLINE_FUNCTION bool aligned() const { return true; }
  KOKKOS_FORCEINLINE_FUNCTION cursor at_tile(std::int64_t first) const {
    // Once per tile, not once per value. A division of 32 bits where that suffices: on a device it is several times
    // faster.
    if (n <= std::int64_t(0xffffffff)) {
      auto const row = static_cast<std::uint32_t>(first) / static_cast<std::uint32_t>(columns.divisor());
      auto const k = row / static_cast<std::uint32_t>(rows.divisor());
      return {k, std::int64_t(row) - std::int64_t(k) * rows.divisor(), first - std::int64_t(row) * columns.divisor()};
    }
    std::int64_t const row = first / columns.divisor();
    std::int64_t const k = row / rows.divisor();
    return {k, row - k * rows.divisor(), first - row * columns.divisor()};
  }
  KOKKOS_FORCEINLINE_FUNCTION value_type load_one(cursor first, int offset) const {
    std::int64_t i = first.i + offset;
    std::int64_t j = first.j + columns.split(i);
    std::int64_t const k = first.k + rows.split(j);
    return map(static_cast<Index>(k), static_cast<Index>(j), static_cast<Index>(i));
  }
  template <bool aligned>
  KOKKOS_FORCEINLINE_FUNCTION ValuePack<value_type, width> load(cursor first, int offset) const {
    return {{load_one(first, offset)}};
  }

  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void for_segments(std::int64_t begin, std::int64_t end, Visit& visit) const {
    cursor at = at_tile(begin);
    while (begin < end) {
      std::int64_t const in_row = columns.divisor() - at.i;
      std::int64_t const length = in_row < end - begin ? in_row : end - begin;
      Map const& f = map;
      auto const k = static_cast<Index>(at.k);
      auto const j = static_cast<Index>(at.j);
      auto const i = static_cast<Index>(at.i);
      visit([&f, k, j, i](std::int64_t l) { return f(k, j, static_cast<Index>(i + static_cast<Index>(l))); }, length);
      begin += length;
      at.i = 0;
      if (++at.j == rows.divisor()) {
        at.j = 0;
        ++at.k;
      }
    }
  }
};

/// map(a[i]), map(a[i], b[i]) or map(a[i], b[i], c[i]) of contiguous arrays, for a device. On a host a contiguous array
/// is a box of one row.
template <class T, int arrays, class Map>
struct ContiguousSource {
  static_assert(arrays >= 1 && arrays <= 3);
  using cursor = std::int64_t;
  static constexpr int width = sizeof(T) < load_bytes ? load_bytes / static_cast<int>(sizeof(T)) : 1;

  Kokkos::Array<T const*, arrays> data;
  Map map;
  std::int64_t n;
  bool all_aligned;

  ContiguousSource(Kokkos::Array<T const*, arrays> const& pointers, Map const& f, std::int64_t count)
      : data(pointers), map(f), n(count), all_aligned(true) {
    for (int a = 0; a < arrays; ++a) {
      all_aligned = all_aligned && reinterpret_cast<std::uintptr_t>(data[a]) % (sizeof(T) * width) == 0;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t size() const { return n; }
  KOKKOS_FORCEINLINE_FUNCTION bool aligned() const { return all_aligned; }
  KOKKOS_FORCEINLINE_FUNCTION cursor at_tile(std::int64_t first) const { return first; }

  KOKKOS_FORCEINLINE_FUNCTION auto load_one(cursor first, int offset) const {
    std::int64_t const i = first + offset;
    if constexpr (arrays == 1) {
      return map(data[0][i]);
    } else if constexpr (arrays == 2) {
      return map(data[0][i], data[1][i]);
    } else {
      return map(data[0][i], data[1][i], data[2][i]);
    }
  }
  using value_type = std::decay_t<decltype(std::declval<ContiguousSource const&>().load_one(0, 0))>;

  template <bool aligned>
  KOKKOS_FORCEINLINE_FUNCTION ValuePack<value_type, width> load(cursor first, int offset) const {
    ValuePack<T, width> in[arrays];
    for (int a = 0; a < arrays; ++a) {
      T const* const from = data[a] + first + offset;
      if constexpr (aligned) {
        auto const pack = load_pack<width>(from);
        for (int v = 0; v < width; ++v) in[a].value[v] = pack.value[v];
      } else {
        for (int v = 0; v < width; ++v) in[a].value[v] = from[v];
      }
    }
    ValuePack<value_type, width> out;
    for (int v = 0; v < width; ++v) {
      if constexpr (arrays == 1) {
        out.value[v] = map(in[0].value[v]);
      } else if constexpr (arrays == 2) {
        out.value[v] = map(in[0].value[v], in[1].value[v]);
      } else {
        out.value[v] = map(in[0].value[v], in[1].value[v], in[2].value[v]);
      }
    }
    return out;
  }
};

/// Map of a BoxSource over arrays with strides, counted in values. With `unit` the last stride is 1 at compile time.
template <class T, int arrays, class Map, bool unit>
struct StridedMap {
  Kokkos::Array<T const*, arrays> data;
  Kokkos::Array<Kokkos::Array<std::int64_t, 3>, arrays> stride;
  Map map;

  template <int a>
  KOKKOS_FORCEINLINE_FUNCTION T at(std::int64_t k, std::int64_t j, std::int64_t i) const {
    return data[a][k * stride[a][0] + j * stride[a][1] + (unit ? i : i * stride[a][2])];
  }
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(std::int64_t k, std::int64_t j, std::int64_t i) const {
    if constexpr (arrays == 1) {
      return map(at<0>(k, j, i));
    } else if constexpr (arrays == 2) {
      return map(at<0>(k, j, i), at<1>(k, j, i));
    } else {
      return map(at<0>(k, j, i), at<1>(k, j, i), at<2>(k, j, i));
    }
  }
};

}  // namespace karman::detail
