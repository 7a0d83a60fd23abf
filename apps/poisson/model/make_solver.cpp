// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_system.hpp"
#include "poisson/model/method_choice.hpp"
#include <karman/core/error.hpp>

namespace karman::poisson {

std::unique_ptr<PoissonSolver> make_poisson_solver(Backend backend, Method method, SolverSettings const& settings,
                                                   LinearSystem const& system) {
  std::string const obstacle = why_not(method, system);
  require(obstacle.empty(), obstacle);
  switch (method) {
    case Method::jacobi:
    case Method::gauss_seidel: return make_relaxation(backend, method, settings, system);
    case Method::red_black_gs:
    case Method::sor:
    case Method::sor_optimal: return make_red_black(backend, method, settings, system);
    case Method::adi: return make_adi(backend, settings, system);
    case Method::tridiagonal: return make_tridiagonal(backend, settings, system);
    case Method::direct: return make_direct(backend, settings, system);
    case Method::multigrid:
    case Method::mg_pcg: return make_multigrid(backend, method, settings, system);
    case Method::cg: return make_krylov(backend, settings, system);
  }
  return nullptr;
}

}  // namespace karman::poisson
