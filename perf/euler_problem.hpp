// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Rows of the Euler equations: a smooth flow on a mesh, and the check of every residual.
#pragma once

#include "assembly_problem.hpp"
#include "euler_operations.hpp"
#include "traffic.hpp"
#include <karman/solvers/euler/euler_rhs.hpp>

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>

namespace karman::perf {

// Kernels of this header have names: more than one file includes it.

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

/// One residual, alone or with the variables copied from the host and the result copied back; or one step of the
/// four-stage method of minimal storage.
enum class EulerTask { residual, plain_transfers, pinned_transfers, step };

constexpr bool transfers(EulerTask task) {
  return task == EulerTask::plain_transfers || task == EulerTask::pinned_transfers;
}

/// Memory of the host for copies: plain, or page-locked, which a device reads and writes itself.
template <class Exec, bool pinned>
struct HostMemory {
  using type = Kokkos::HostSpace;
};
#if defined(KOKKOS_ENABLE_CUDA)
template <>
struct HostMemory<Kokkos::Cuda, true> {
  using type = Kokkos::CudaHostPinnedSpace;
};
#endif

/// The variables and the result on the host.
template <class Exec, class T, bool pinned>
struct EulerHostFields {
  using Field = Kokkos::View<T* [4], Kokkos::LayoutLeft, typename HostMemory<Exec, pinned>::type>;
  Field u, result;

  explicit EulerHostFields(std::size_t nodes)
      : u("karman::perf::host_u", nodes), result("karman::perf::host_a", nodes) {}
};

template <class Exec, class T>
class EulerWork final : public SpaceWork<Exec> {
 public:
  EulerWork(Exec const& space, MeshData const& data, EulerRhsSetup const& setup, EulerTask task)
      : SpaceWork<Exec>(space),
        mesh_(make_triangle_mesh(space, data)),
        rhs_(space, mesh_, setup),
        u_("karman::perf::u", data.nodes.size()),
        a_("karman::perf::a", data.nodes.size()),
        b_("karman::perf::b", data.nodes.size()),
        plain_(task == EulerTask::plain_transfers ? data.nodes.size() : 0),
        pinned_(task == EulerTask::pinned_transfers ? data.nodes.size() : 0),
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
    if (task_ == EulerTask::plain_transfers) check_transfers(plain_);
    else if (task_ == EulerTask::pinned_transfers) check_transfers(pinned_);
    else rhs_.evaluate(space, u_, dt_, a_, rate_);
    EulerRhs<Exec, double> reference(space, mesh_, {.strategy = EulerStrategy::colored});
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
    if (task_ == EulerTask::plain_transfers) return with_transfers(plain_);
    if (task_ == EulerTask::pinned_transfers) return with_transfers(pinned_);
    rhs_.project(space, u_);
    rhs_.advance(space, u_, u_, 1.0 / 4, dt_, a_);
    rhs_.advance(space, u_, a_, 1.0 / 3, dt_, b_);
    rhs_.advance(space, u_, b_, 1.0 / 2, dt_, a_);
    rhs_.advance(space, u_, a_, 1, dt_, b_, rate_);
  }

 private:
  Kokkos::RangePolicy<Exec> nodes() const { return Kokkos::RangePolicy<Exec>(this->space(), 0, mesh_.node_count()); }

  /// Waits for the result, as its reader on the host does.
  template <bool pinned>
  void with_transfers(EulerHostFields<Exec, T, pinned> const& host) {
    auto const& space = this->space();
    Kokkos::deep_copy(space, u_, host.u);
    rhs_.evaluate(space, u_, dt_, a_, rate_);
    Kokkos::deep_copy(space, host.result, a_);
    this->fence();
  }

  /// The variables leave the device before and the result after, so that only copies can bring them back.
  template <bool pinned>
  void check_transfers(EulerHostFields<Exec, T, pinned> const& host) {
    auto const& space = this->space();
    Kokkos::deep_copy(space, host.u, u_);
    Kokkos::deep_copy(space, u_, T(0));
    with_transfers(host);
    Kokkos::deep_copy(space, a_, T(0));
    Kokkos::deep_copy(space, a_, host.result);
  }

  TriangleMesh<Exec> mesh_;
  EulerRhs<Exec, T> rhs_;
  EulerField<Exec, T> u_, a_, b_;
  EulerHostFields<Exec, T, false> plain_;
  EulerHostFields<Exec, T, true> pinned_;
  EulerTask task_;
  std::map<int, EulerBoundary> conditions_;
  DeviceNumber<Exec> dt_{"karman::perf::dt"}, rate_{"karman::perf::rate"};
};

/// A row on the mesh of `cells` by `cells` squares, without its family and algorithm.
template <class Exec, class T>
Row euler_row(int cells, Numbering numbering, EulerTask task, EulerRhsSetup const& setup = {}) {
  double const triangles = 2.0 * cells * cells;
  bool const step = task == EulerTask::step;
  Row row;
  row.backend = name(backend_of<Exec>());
  row.precision = precision_name<T>;
  row.size = std::to_string(static_cast<std::int64_t>(triangles));
  row.unit = step ? "triangle stages" : "triangles";
  row.units = triangles * (step ? 4 : 1);
  row.bytes = step ? traffic::euler_step(triangles, sizeof(T)) : traffic::euler_residual(triangles, sizeof(T));
  row.flops = triangles * (step ? euler_step_flops() : euler_residual_flops(true));
  row.memory_bytes = triangles * (300 + 40 * sizeof(T));
  row.back_to_back = !transfers(task);
  row.prepare = [=] {
    return std::make_unique<EulerWork<Exec, T>>(Exec(), *assembly_mesh(cells, numbering), setup, task);
  };
  return row;
}

}  // namespace karman::perf
