// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Time-dependent problem on one backend, behind an interface without Kokkos and precision.
#pragma once

#include "linear_system.hpp"
#include "poisson/case/time_case.hpp"
#include "poisson/model/solver.hpp"
#include <karman/core/backend_name.hpp>
#include <karman/io/array.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace karman::poisson {

/// Fields and plan of one problem. Values are of the precision of the case, indexed (k, j, i).
class TimeModel {
 public:
  virtual ~TimeModel() = default;
  /// Values from host memory, of the precision of the case. Waits.
  virtual void set(ConstArray const& values) = 0;
  /// Advances from `time` by one step. Asynchronous.
  virtual void advance(double time) = 0;
  /// Inflow during the last step, per horizontal area and time. NaN where an end has a given value, whose flux is
  /// unknown. Serves the balance of the whole domain.
  virtual double inflow() const = 0;
  /// Values into host memory. Waits.
  virtual void copy(MutableArray const& values) = 0;
  virtual std::int64_t memory_bytes() const = 0;
  /// Name of the solution method, for the user.
  virtual std::string algorithm() const = 0;
};

/// Coefficients of the columns, in double precision on the host. For layer k, L q = low (q_{k-1} - q_k) + high (q_{k+1}
/// - q_k) with low = K / (distance of the centres * thickness). At an end with a given value the distance is half a
/// layer.
struct ColumnCoefficients {
  bool shared = true;  ///< the same in all columns: nz values, else (nz, ny, nx)
  CellValues low, high;
};

/// Evaluates the diffusivity in the columns of this process. Throws CaseError for values that are negative or not
/// finite. Collective.
ColumnCoefficients column_coefficients(Case const& input, ColumnCase const& column_case);

/// Makes models; all memory is allocated here. `input` must outlive the model, because errors of its time-dependent
/// formulas refer to it. Collective, as are set(), advance() and copy().
std::unique_ptr<TimeModel> make_column_model(Backend backend, Case const& input, ColumnCase const& column_case);
std::unique_ptr<TimeModel> make_heat_model(Backend backend, HeatCase const& heat_case, LinearSystem const& steady);

/// Grid and parts of a problem in time of so many processes.
SystemShape shape_of(TimeCase const& time_case, int processes);

/// Memory of a model on its backend, in the process with most cells among so many; an upper bound for several. By
/// workspace_bytes() of the solvers. Kokkos must be initialised.
std::int64_t column_model_bytes(Backend backend, ColumnCase const& column_case, int processes = 1);
std::int64_t heat_model_bytes(Backend backend, HeatCase const& heat_case, int processes = 1);

}  // namespace karman::poisson
