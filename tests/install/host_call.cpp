// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Must not compile for CUDA: a kernel calls a constexpr function of the host.
#include <karman/core/backend.hpp>

#include <Kokkos_Core.hpp>

constexpr double twice(double x) { return 2 * x; }

struct Double {
  Kokkos::View<double*> values;
  KOKKOS_FUNCTION void operator()(int i) const { values(i) = twice(values(i)); }
};

void run(Kokkos::DefaultExecutionSpace const& space, Kokkos::View<double*> const& values) {
  Kokkos::parallel_for("karman::test::double", Kokkos::RangePolicy<>(space, 0, values.extent(0)), Double{values});
}
