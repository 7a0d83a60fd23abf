// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Numbers of the host for kernels that read them in device memory.
#pragma once

#include <Kokkos_Core.hpp>

namespace karman::detail {

/// numbers[place[n]] = value[n].
template <int count>
struct NumbersToDevice {
  double* numbers;
  Kokkos::Array<int, count> place;
  Kokkos::Array<double, count> value;
  KOKKOS_FUNCTION void operator()(int n) const { numbers[place[n]] = value[n]; }
};

/// Asynchronous: the values travel with the kernel.
template <class Exec, int count>
void set_numbers(Exec const& space, char const* label, NumbersToDevice<count> const& task) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(space, 0, count), task);
}

/// *number = value.
template <class Exec>
void set_number(Exec const& space, char const* label, double* number, double value) {
  set_numbers(space, label, NumbersToDevice<1>{number, {0}, {value}});
}

}  // namespace karman::detail
