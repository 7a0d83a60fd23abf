// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The wind model on one execution space in one precision.
#pragma once

#include "wind_kernels.hpp"
#include "wind_model.hpp"
#include <karman/core/exchange.hpp>
#include <karman/core/reductions.hpp>
#include <karman/solvers/grid/multigrid.hpp>
#include <karman/solvers/grid/red_black_sor.hpp>

#include <memory>

namespace karman::wind {

/// See WindModel. Memory: model_bytes() in the memory of `Exec`, all of it allocated by the constructor.
template <ExecutionSpace Exec, Real T>
class WindSolver final : public WindModel {
 public:
  WindSolver(Exec const& space, WindCase const& wind_case, Communicator const& communicator = {});

  DomainPart const& part() const override { return part_; }
  void set_direction(double direction) override;
  void set_wind(WindCase const& wind_case) override;
  void set_initial_field() override;
  void set_initial_field_keeping_lambda() override;
  void apply_first_guess() override;
  double update_divergence() override;
  void keep_divergence_before() override;
  void begin_pass() override;
  void resume_pass() override;
  void iterate(int count) override;
  double remaining_divergence() override;
  void store_correction() override;
  void end_pass() override;
  bool has_whole_passes() const override { return multigrid_ != nullptr; }
  WholePassEnd solve_pass(WholePass const& pass) override;
  bool has_wall_law() const override { return case_.parameterisations.wall_law; }
  void apply_wall_law() override;
  double omega() const override { return omega_; }
  void copy(ModelField field, MutableArray const& destination) override;
  void copy_cell_velocity(Axis component, MutableArray const& destination) override;
  void copy_lambda_slice(Watch const& slice, MutableArray const& destination) override;
  void sample_velocity(std::span<VelocitySample const> samples, std::span<std::array<double, 3>> velocity) override;
  void restore(ModelField field, ConstArray const& source) override;
  std::optional<std::array<int, 3>> find_not_finite(ModelField field) override;

 private:
  /// A field with a ring, where has_ring(); else with the own cells.
  Field<Exec, T> real_field(ModelField field);
  static bool has_ring(ModelField field);
  /// The own values of a field. Several processes: a copy of those with a ring.
  Field<Exec, T> own_field(ModelField field);
  /// Adds the gradient of own values of the multiplier to the velocity, and them to `sum` unless it is empty. Several
  /// processes: `values` must not be correction_, whose memory is used.
  void add_gradient_of(Field<Exec, T> const& values, Field<Exec, T> const& sum);
  /// Fills the ring of the velocities.
  void exchange_velocity();
  /// Solid cells and, where walls cut cells, the openings of the faces. Returns the problem for lambda.
  SevenPointProblem<Exec, T> place_walls(WindCase const& wind_case);
  bool cuts() const { return cuts_cells(case_); }
  /// Zero velocity on closed faces, where walls cut cells. Comes after every change of the velocity.
  void close_cut_faces();
  void compute_divergence(double scale, Field<Exec, T> const& out);
  /// Ratio of the right-hand side to the divergence: -2 alpha_1^2.
  double right_hand_side_factor() const { return -2 * alpha_[0] * alpha_[0]; }

  Exec space_;
  WindCase case_;
  Communicator communicator_;
  DomainPart part_;
  std::array<double, 2> const& alpha_ = case_.solver.alpha;
  DeviceGrid<Exec, T> device_grid_;
  Line<Exec, double> ground_;  ///< height of the columns; none without terrain
  DeviceZones<Exec> zones_;
  Field<Exec, std::uint8_t> flag_;
  FaceVelocity<Exec, T> velocity_;
  FaceVelocity<Exec, T> open_;    ///< open fractions of the faces; empty where walls are stairs
  Field<Exec, T> ringed_values_;  ///< memory of correction_ and of temporary values with a ring
  Field<Exec, T> lambda_, correction_, right_hand_side_, divergence_before_;  ///< own cells
  Exchange<Exec, T> cell_ring_, u_ring_, v_ring_, w_ring_;                    ///< of several processes
  Reducer<Exec> reducer_;
  std::unique_ptr<RedBlackSor<Exec, T>> sor_;      ///< of Method::sor
  std::unique_ptr<Multigrid<Exec, T>> multigrid_;  ///< of the other methods
  bool conjugate_gradients_;
  double omega_ = 0;
};

#define KARMAN_EXTERN(Exec)                      \
  extern template class WindSolver<Exec, float>; \
  extern template class WindSolver<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman::wind
