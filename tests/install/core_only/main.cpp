// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/core/backend.hpp>
#include <karman/core/reductions.hpp>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::DefaultExecutionSpace const space;
  Kokkos::View<int*, Kokkos::DefaultExecutionSpace> const ones("consumer::ones", 1000);
  Kokkos::deep_copy(space, ones, 1);
  karman::Reducer<Kokkos::DefaultExecutionSpace> reducer(space);
  return reducer.sum(space, ones) == 1000 ? 0 : 1;
}
