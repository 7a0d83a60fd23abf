// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Right-hand side of the Euler equations: the plan's own choice against the usual ways to sum over triangles, and a
// whole Runge-Kutta step.
#include "assembly_problem.hpp"
#include "traffic.hpp"
#include <karman/solvers/euler_rhs.hpp>

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace karman::perf {

namespace {

using S = EulerStrategy;

/// A smooth flow with waves of every variable, without discontinuities.
template <class Exec, class T>
struct SmoothFlow {
  TriangleMesh<Exec> mesh;
  EulerField<Exec, T> u;

  KOKKOS_FUNCTION void operator()(int i) const {
    namespace math = karman::compat::math;
    double const x = mesh.nodes(i, 0), y = mesh.nodes(i, 1);
    double const rho = 1 + 0.2 * math::sin(7 * x + 5 * y), vx = 0.7 + 0.3 * math::sin(9 * y),
                 vy = 0.3 * math::cos(8 * x), p = 1 + 0.2 * math::cos(6 * x - 4 * y);
    u(i, 0) = T(rho);
    u(i, 1) = T(rho * vx);
    u(i, 2) = T(rho * vy);
    u(i, 3) = T(p / 0.4 + 0.5 * rho * (vx * vx + vy * vy));
  }
};

/// Largest difference of a residual from that in double, relative to the largest values.
template <class Exec, class T>
struct ResidualDifference {
  EulerField<Exec, T> found;
  EulerField<Exec, double> expected;
  KOKKOS_FUNCTION void operator()(int i, double& worst) const {
    for (int c = 0; c < 4; ++c) {
      double const difference = compat::math::fabs(double(found(i, c)) - expected(i, c));
      if (!(difference <= worst)) worst = difference;
    }
  }
};

template <class Exec, class T>
struct SpoilResidual {
  EulerField<Exec, T> field;
  KOKKOS_FUNCTION void operator()(int) const { field(field.extent(0) / 2, 3) += T(0.1); }
};

/// One residual, or one step of the four-stage method of minimal storage.
enum class EulerTask { residual, step };

template <class Exec, class T>
class EulerWork final : public SpaceWork<Exec> {
 public:
  EulerWork(Exec const& space, MeshData const& data, S strategy, EulerTask task)
      : SpaceWork<Exec>(space),
        mesh_(make_triangle_mesh(space, data)),
        rhs_(space, mesh_, {.strategy = strategy}),
        u_("karman::perf::u", data.nodes.size()),
        a_("karman::perf::a", data.nodes.size()),
        b_("karman::perf::b", data.nodes.size()),
        task_(task) {
    for (int const label : data.edge_labels) conditions_[label] = {EulerBoundaryKind::far_field, {1, {0.7, 0}, 1}};
    rhs_.set_boundary(space, conditions_);
    Kokkos::parallel_for("karman::perf::flow", nodes(), SmoothFlow<Exec, T>{mesh_, u_});
    Kokkos::deep_copy(space, dt_, 1e-5);
    rhs_.project(space, u_);
    this->fence();
  }

  std::string check(bool spoil) override {
    auto const& space = this->space();
    rhs_.project(space, u_);
    rhs_.evaluate(space, u_, dt_, a_, rate_);
    EulerRhs<Exec, double> reference(space, mesh_, {.strategy = S::colored});
    reference.set_boundary(space, conditions_);
    EulerField<Exec, double> const v("karman::perf::v", u_.extent(0)), expected("karman::perf::r", u_.extent(0));
    Kokkos::parallel_for("karman::perf::flow", nodes(), SmoothFlow<Exec, double>{mesh_, v});
    reference.project(space, v);
    reference.evaluate(space, v, dt_, expected);
    double const difference = worst_row(space, mesh_.node_count(), ResidualDifference<Exec, T>{a_, expected}, spoil,
                                        SpoilResidual<Exec, T>{a_});
    double rate = 0;
    Kokkos::deep_copy(space, rate, rate_);
    this->fence();
    // Rounding of a state changes the fluxes through the sides of a triangle by its size. The rate of the fastest wave
    // is the side over the area.
    return compare("the largest difference of a residual", difference, 0,
                   10 * double(std::numeric_limits<T>::epsilon()) * rate);
  }

 protected:
  void run() override {
    auto const& space = this->space();
    if (task_ == EulerTask::residual) {
      rhs_.evaluate(space, u_, dt_, a_, rate_);
      return;
    }
    rhs_.project(space, u_);
    rhs_.advance(space, u_, u_, 1.0 / 4, dt_, a_);
    rhs_.advance(space, u_, a_, 1.0 / 3, dt_, b_);
    rhs_.advance(space, u_, b_, 1.0 / 2, dt_, a_);
    rhs_.advance(space, u_, a_, 1, dt_, b_, rate_);
  }

 private:
  Kokkos::RangePolicy<Exec> nodes() const { return Kokkos::RangePolicy<Exec>(this->space(), 0, mesh_.node_count()); }

  TriangleMesh<Exec> mesh_;
  EulerRhs<Exec, T> rhs_;
  EulerField<Exec, T> u_, a_, b_;
  EulerTask task_;
  std::map<int, EulerBoundary> conditions_;
  DeviceNumber<Exec> dt_{"karman::perf::dt"}, rate_{"karman::perf::rate"};
};

template <class Exec, class T>
void append_row(std::vector<Row>& rows, int cells, Numbering numbering, EulerTask task, S strategy, char const* peer) {
  double const triangles = 2.0 * cells * cells, passes = task == EulerTask::step ? 4 : 1;
  bool const step = task == EulerTask::step;
  Row row;
  row.family = "euler";
  row.algorithm = std::string(step ? "rk4_step_" : "residual_") + name(numbering);
  row.backend = name(backend_of<Exec>());
  row.precision = precision_name<T>;
  row.size = std::to_string(static_cast<std::int64_t>(triangles));
  row.peer = peer;
  row.unit = step ? "triangle stages" : "triangles";
  row.units = triangles * passes;
  row.bytes = step ? traffic::euler_step(triangles, sizeof(T)) : traffic::euler_residual(triangles, sizeof(T));
  row.memory_bytes = triangles * (300 + 40 * sizeof(T));
  row.back_to_back = true;
  row.prepare = [=] {
    return std::make_unique<EulerWork<Exec, T>>(Exec(), *assembly_mesh(cells, numbering), strategy, task);
  };
  rows.push_back(std::move(row));
}

template <class Exec, class T>
void append_precision(std::vector<Row>& rows, int cells, Numbering numbering) {
  append_row<Exec, T>(rows, cells, numbering, EulerTask::residual, S::automatic, "");
  append_row<Exec, T>(rows, cells, numbering, EulerTask::residual, S::atomic, "atomics");
  append_row<Exec, T>(rows, cells, numbering, EulerTask::residual, S::colored, "colors");
  append_row<Exec, T>(rows, cells, numbering, EulerTask::residual, S::expanded, "expanded_arrays");
  append_row<Exec, T>(rows, cells, numbering, EulerTask::step, S::automatic, "");
}

template <class Exec>
void append(std::vector<Row>& rows, Selection const& selection) {
  int const cells = runs_on_host<Exec> ? (selection.quick ? 256 : 512) : 2048;
  append_precision<Exec, double>(rows, cells, Numbering::renumbered);
  if (selection.quick) return;
  append_precision<Exec, float>(rows, cells, Numbering::renumbered);
  append_precision<Exec, double>(rows, cells, Numbering::shuffled);
  append_precision<Exec, float>(rows, cells, Numbering::shuffled);
}

}  // namespace

void append_euler_rows(std::vector<Row>& rows, Selection const& selection) {
#define KARMAN_APPEND(Exec) append<Exec>(rows, selection);
  KARMAN_FOR_EACH_BACKEND(KARMAN_APPEND)
#undef KARMAN_APPEND
}

}  // namespace karman::perf
