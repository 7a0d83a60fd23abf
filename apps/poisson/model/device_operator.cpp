// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_system.hpp"

namespace karman::poisson {

template <ExecutionSpace Exec, Real T>
SevenPoint<Exec, T> make_operator(DeviceSystem<Exec, T> const& system) {
  SevenPointSetup const setup{system.weights, system.periodic};
  if (!system.constant_coefficient) return SevenPoint<Exec, T>(system.space, system.grid, system.coefficients, setup);
  if (system.has_solid) return SevenPoint<Exec, T>(system.space, system.grid, system.walls, setup);
  return SevenPoint<Exec, T>(system.space, system.grid, system.boundaries, setup);
}

#define KARMAN_INSTANTIATE(Exec)                                                    \
  template SevenPoint<Exec, float> make_operator(DeviceSystem<Exec, float> const&); \
  template SevenPoint<Exec, double> make_operator(DeviceSystem<Exec, double> const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::poisson
