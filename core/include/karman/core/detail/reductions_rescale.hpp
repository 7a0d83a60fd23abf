// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Second kernel of the map of a field to [0, 1]. The first one finds the field's least and greatest value.
#pragma once

#include <karman/core/detail/reductions_fields.hpp>
#include <karman/core/reduction_operations.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace karman::detail {

template <class T, class U>
struct Rescale {
  T const* in;
  U* out;
  MinMax<T> const* range;
  Kokkos::Array<Kokkos::Array<std::int64_t, 3>, 2> stride;

  KOKKOS_FORCEINLINE_FUNCTION U rescaled(T value) const {
    if constexpr (std::is_integral_v<T>) {
      // Differences of integers are exact without a sign, and none overflows. Numbers beyond the mantissa of U must be
      // subtracted before they are converted.
      using Unsigned = std::make_unsigned_t<decltype(+value)>;
      auto const low = static_cast<Unsigned>(range->min);
      U const width = static_cast<U>(static_cast<Unsigned>(range->max) - low);
      return width == U(0) ? U(0) : static_cast<U>(static_cast<Unsigned>(value) - low) / width;
    } else {
      return rescaled_real(value);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION U rescaled_real(T value) const {
    using Common = std::common_type_t<T, U>;
    Common const low = static_cast<Common>(range->min);
    Common const high = static_cast<Common>(range->max);
    Common const width = high - low;
    if (width == Common(0)) return U(0);
    // The width of a range may overflow where half of it does not.
    Common const half = Common(0.5);
    return static_cast<U>(width - width == Common(0)
                              ? (static_cast<Common>(value) - low) / width
                              : (static_cast<Common>(value) * half - low * half) / (high * half - low * half));
  }
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { out[i] = rescaled(in[i]); }
  KOKKOS_FUNCTION void operator()(std::int64_t k, std::int64_t j, std::int64_t i) const {
    out[k * stride[1][0] + j * stride[1][1] + i * stride[1][2]] =
        rescaled(in[k * stride[0][0] + j * stride[0][1] + i * stride[0][2]]);
  }
};

template <class Exec, class In, class Out>
void rescale(Exec const& space, In const& in, Out const& out, MinMax<typename In::non_const_value_type> const* range) {
  using Index = Kokkos::IndexType<std::int64_t>;
  auto const shape = common_shape(in, out);
  if (shape.size() == 0) return;
  Rescale<typename In::non_const_value_type, typename Out::value_type> const kernel{in.data(), out.data(), range,
                                                                                    shape.stride};
  if (shape.contiguous()) {
    Kokkos::parallel_for("karman::reductions::rescale", Kokkos::RangePolicy<Exec, Index>(space, 0, shape.size()),
                         kernel);
  } else {
    using Box = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3, Kokkos::Iterate::Right, Kokkos::Iterate::Right>, Index>;
    Kokkos::parallel_for("karman::reductions::rescale",
                         Box(space, {{0, 0, 0}}, {{shape.extent[0], shape.extent[1], shape.extent[2]}}), kernel);
  }
}

}  // namespace karman::detail
