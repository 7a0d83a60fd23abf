// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Two-dimensional incompressible flow in a periodic box: Fourier pseudo-spectral method for the vorticity.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/core/types.hpp>
#include <karman/solvers/spectral/vorticity_options.hpp>
#include <karman/solvers/time/time_integrators_options.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace karman {

/// Vorticity omega = dv/dx - du/dy of a flow in a box with periodic sides, by Fourier modes:
///
///     d omega/dt + u . grad omega = - (nu (-laplacian)^p + mu + alpha (-laplacian)^-m) omega - beta v + F,
///     laplacian psi = omega,  u = -d psi/dy,  v = d psi/dx,
///
/// with zero mean of omega and u. The nonlinear term is -[(dxx - dyy)(uv) + dxy(v^2 - u^2)]. u + i v and its square
/// need one complex transform each per stage, the work of four real ones. The first stage finds the fastest flow,
/// from which the device chooses dt: no transform and no pass of its own.
///
/// \par Shapes
/// Values at points: planes (j, i) with ny rows of nx, at (i dx, j dy). Spectra: rows of nx / 2 + 1 modes, ny rows;
/// mode (j, i) has k = 2 pi (i / lx, j' / ly), j' = j up to ny / 2 and j - ny above. omega = sum over all k of the
/// modes times exp(i k . x): coefficients have the unit of omega.
/// \par Cost
/// Per stage two complex transforms of nx ny points, one pass over the points and one over the spectrum: about 2 x 16
/// and 33 bytes per point in double, circular. Memory per point in double: 32 bytes, etdrk4 80; forcing 8 more. By
/// columns (SpectralOrder) 37, 69 and 5. Fused: two kernels, 43 bytes for the transforms and the points; 21, 53 and 5.
/// \par Synchrony
/// Constructor, set_forcing(), start(), restart(), figures(), spectra(), histogram() fence `space`. step(), set_end()
/// and the copies are asynchronous. Only the constructor and the two forcings allocate; spectra() and histogram() do on
/// the host.
/// \par Reproducibility
/// Steps: the same bits from run to run, where the transforms give them (FftPlanning::estimate). Figures and spectra
/// depend on the number of threads in their last bits.
/// \par Source
/// C. Canuto et al., Spectral Methods (2007), pseudo-spectral methods and integrating factors; M. H. Carpenter, C. A.
/// Kennedy, NASA TM-109112 (1994); J. H. Williamson, J. Comput. Phys. 35 (1980); A.-K. Kassam, L. N. Trefethen, SIAM J.
/// Sci. Comput. 26 (2005), etdrk4; T. Y. Hou, R. Li, J. Comput. Phys. 226 (2007), filter.
/// \tparam Exec execution space
/// \tparam T float or double
template <ExecutionSpace Exec, Real T>
class VorticitySolver {
 public:
  using execution_space = Exec;  ///< execution space of the plan
  using real = T;                ///< type of the fields

  /// Spectrum of a real field.
  using Spectrum = Plane<Exec, Kokkos::complex<T>>;
  /// Read-only spectrum.
  using ConstSpectrum = ConstPlane<Exec, Kokkos::complex<T>>;

  /// \param space instance of the allocations
  /// \param setup box, terms, method
  /// \throws std::invalid_argument for options out of range
  explicit VorticitySolver(Exec const& space, VorticitySetup const& setup = {});

  /// Sets the steady forcing F, the curl of the force per mass. Its mean and the modes beyond the mask are dropped.
  /// \param space instance of the kernels
  /// \param forcing values at the points, 1/s^2; empty: none
  /// \throws std::invalid_argument for another shape
  void set_forcing(Exec const& space, ConstPlane<Exec, T> const& forcing);

  /// Sets the random forcing.
  /// \param space instance of the copies
  /// \param forcing options; energy_rate 0: none
  /// \throws std::invalid_argument for options out of range, and where the mask keeps no mode of the ring
  void set_random_forcing(Exec const& space, RandomForcing const& forcing);

  /// Begins a run at a vorticity. Its mean and the modes beyond the mask are dropped.
  /// \param space instance of the kernels
  /// \param vorticity values at the points, 1/s
  /// \param time time of it, s
  /// \param control rules for dt; the rate is that of VorticityFigures
  /// \throws std::invalid_argument for another shape, rules out of range, and a cfl above largest_cfl()
  void start(Exec const& space, ConstPlane<Exec, T> const& vorticity, double time, StepControl const& control);

  /// Begins a run where another one was: the next steps have the same bits.
  /// \param space instance of the kernels
  /// \param spectrum that of copy_spectrum() of that run
  /// \param moment figures().moment of that run
  /// \param control rules for dt
  /// \throws std::invalid_argument as start()
  void restart(Exec const& space, ConstSpectrum const& spectrum, VorticityMoment const& moment,
               StepControl const& control);

  /// Sets the end time, which no step passes. Steps at or beyond it change nothing.
  /// \param space instance of the kernel
  /// \param end end time, s
  /// \throws std::invalid_argument before start(), and for NaN
  void set_end(Exec const& space, double end);

  /// Sets the largest time step of the following steps, StepControl::dt_max.
  /// \param dt_max largest time step, s; 0: none
  /// \throws std::invalid_argument before start(), for a value below 0, and where nothing else limits the step
  void set_dt_max(double dt_max);

  /// Steps, one by default. With CUDA 16 steps or more are recorded once and launched as a graph, unless a tool of
  /// Kokkos listens: small planes take less time then.
  /// \param space instance of the kernels
  /// \param count number of steps
  /// \throws std::invalid_argument before start(), and for a negative count
  void step(Exec const& space, int count = 1);

  /// Figures of the flow: one pass over the spectrum.
  /// \param space instance of the kernels
  /// \throws std::invalid_argument before start()
  VorticityFigures figures(Exec const& space);

  /// Spectra and fluxes: the work of a stage.
  /// \param space instance of the kernels
  /// \throws std::invalid_argument before start()
  VorticitySpectra spectra(Exec const& space);

  /// Number of points in each of `counts` equal intervals between -largest and largest; the outer ones take the points
  /// beyond.
  /// \param space instance of the kernels
  /// \param largest above 0, 1/s
  /// \param counts out: at least one
  /// \throws std::invalid_argument before start(), and for arguments out of range
  void histogram(Exec const& space, double largest, std::vector<std::int64_t>& counts);

  /// Copies the vorticity at the points.
  /// \param space instance of the kernels
  /// \param vorticity out, 1/s
  /// \throws std::invalid_argument before start(), and for another shape
  void copy_vorticity(Exec const& space, Plane<Exec, T> const& vorticity);

  /// Copies the velocity at the points.
  /// \param space instance of the kernels
  /// \param u out: along x, m/s
  /// \param v out: along y, m/s
  /// \throws std::invalid_argument before start(), and for another shape
  void copy_velocity(Exec const& space, Plane<Exec, T> const& u, Plane<Exec, T> const& v);

  /// Copies the spectrum of the vorticity.
  /// \param space instance of the kernel
  /// \param spectrum out, 1/s
  /// \throws std::invalid_argument before start(), and for another shape
  void copy_spectrum(Exec const& space, Spectrum const& spectrum) const;
  /// Options of the plan.
  VorticitySetup const& setup() const;
  /// Bytes of the plan in the memory of `Exec`, without the transforms on a host.
  std::int64_t workspace_bytes() const;
  /// The same before the plan is made, without the two forcings.
  static std::int64_t workspace_bytes(VorticitySetup const& setup);

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                           \
  extern template class VorticitySolver<Exec, float>; \
  extern template class VorticitySolver<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
