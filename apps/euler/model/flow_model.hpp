// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// March of a compressible flow on one backend, behind an interface without Kokkos.
#pragma once

#include "common/fields/host_field.hpp"
#include "euler/case/flow_problem.hpp"
#include <karman/core/backend_name.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace karman::euler {

/// Figures of Newton's method, or of implicit steps, since the last check.
struct NewtonFigures {
  EulerNewtonState state;              ///< from which a march continues; not of implicit steps
  std::int64_t iterations = 0;         ///< of Newton's method in implicit steps
  std::int64_t linear_iterations = 0;  ///< of GMRES
  std::int64_t evaluations = 0;        ///< residuals with their projection
  std::string stall;                   ///< reason why no step improves the flow; empty without one
};

/// Figures of a flow at one time.
struct FlowFigures {
  std::int64_t step = 0;
  double time = 0;                     ///< s
  double dt = 0;                       ///< s, of the next step; the smallest of local steps
  std::array<double, 3> earlier_dt{};  ///< s, of the last steps, the last first
  double residual = 0;                 ///< root mean square of d rho/dt over the area, kg/(m^3 s)
  double round_off = 0;                ///< estimated round-off of the residual, in a march to a steady flow
  Conservative total{};                ///< integrals over the domain, per depth
  double least_density = 0, least_pressure = 0, largest_mach = 0;
  std::vector<std::array<double, 3>> forces;  ///< per group: force in x and y, N/m, and moment, N m/m, nose up
  std::vector<std::array<double, 4>> gauges;  ///< density, velocity in x and y, pressure
  std::int64_t floor_changes = 0;             ///< by floors since the last check, of nodes in stages
  int floor_node = -1;                        ///< a node that a floor has changed since then
  double added_mass = 0, added_energy = 0;    ///< by floors since then, per depth
  double least_quality = 1;  ///< of the triangles of a moving mesh: 4 sqrt(3) area / sum of the squared edges
  bool finished = false;     ///< the end time is reached
  NewtonFigures newton;      ///< of Newton's method
  std::string breakdown;     ///< reason why no more steps are made; empty without one
};

/// Time of a flow, from which a march begins.
struct FlowTime {
  std::int64_t step = 0;
  double time = 0;
  double dt = 0;                       ///< of the next step; 0: found from the flow
  std::array<double, 3> earlier_dt{};  ///< of the last steps, the last first
  EulerNewtonState newton = {};        ///< of a march by Newton's method
};

/// Fields are tables (4, nodes) of the precision of the problem, in the numbering of its mesh.
class FlowModel {
 public:
  virtual ~FlowModel() = default;

  /// Begins a march. `former`: derivatives of earlier steps as copy_former() has them. Waits.
  virtual void start(FlowTime const& from, app::HostField const& conservative, app::HostField const& former = {}) = 0;
  /// Begins a march at the flow as it is: the next steps have the bits of a march that start() begins with a copy of
  /// it. Waits.
  virtual void restart(FlowTime const& from) = 0;
  /// Sets the end time of the following steps, not with local steps. Asynchronous.
  virtual void set_end(double end) = 0;
  /// Makes steps; implicit methods fewer where they stall. Asynchronous, except for implicit methods and for prescribed
  /// states that vary in time or along moving boundaries: the host evaluates them before each step.
  virtual void advance(int steps) = 0;
  /// Figures of the flow: one residual and some passes over the nodes. Waits.
  virtual FlowFigures diagnostics() = 0;
  /// Copies the flow. Waits.
  virtual void copy(app::HostField& conservative) const = 0;

  /// Copies the derivatives or flows that a multistep march holds after a check, the newest first: (4 n, nodes). Empty:
  /// none. Waits.
  virtual void copy_former(app::HostField& former) const = 0;

  /// Coordinates of all nodes; of a moving mesh those at the end of the last step. Waits.
  virtual std::vector<std::array<double, 2>> points() const = 0;
  /// Iterations that the motion of the mesh took to set up; 0 without one.
  virtual int motion_iterations() const = 0;

  /// Integrals over the time since `averages_from` of density, velocity, pressure and pressure squared, (5, nodes), and
  /// the length of that time. Waits.
  virtual double copy_averages(app::HostField& sums) const = 0;
  /// Restores them.
  virtual void set_averages(double seconds, app::HostField const& sums) = 0;

  /// Of mesh, plan and fields, in the memory of the backend.
  virtual std::int64_t memory_bytes() const = 0;
};

/// Makes a model. Kokkos must be initialised, and must not be finalised while the model lives. Nodes and triangles are
/// renumbered along a Hilbert curve inside. Throws std::invalid_argument for a problem that the solvers refuse.
std::unique_ptr<FlowModel> make_flow_model(Backend backend, FlowProblem const& problem);

/// Estimated memory of a model on its backend.
std::int64_t flow_model_bytes(FlowProblem const& problem, Backend backend);

}  // namespace karman::euler
