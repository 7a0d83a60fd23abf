// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The matrix of the mild-slope equation on a mesh, with a right-hand side whose solution is known.
#pragma once

#include "assembly_problem.hpp"
#include "waves/model/wave_fields.hpp"
#include <karman/core/host_copy.hpp>
#include <karman/solvers/sparse/spmv.hpp>

#include <numbers>
#include <vector>

namespace karman::perf {

/// A mesh in metres with the depth at its nodes.
struct Water {
  MeshData const& mesh;
  std::vector<double> const& depth;
  double period;  ///< s
};

/// Damping of the waves by a factor e^{-pi/2} per wavelength, as in the preconditioner of the shifted operator. The
/// condition of such a matrix is known, and with it the accuracy of a solver. Kernels and traffic are as for any
/// waves.
constexpr double wave_damping = 0.5;

template <class Exec>
using WaveNumbers = Kokkos::View<Kokkos::complex<double>*, typename Exec::memory_space>;

/// b(i) = the sum of a row of A w.
template <class Exec>
struct TakeSums {
  RowSums<Exec> sums;
  WaveNumbers<Exec> b;
  KOKKOS_FUNCTION void operator()(int i) const { b(i) = Kokkos::complex<double>(sums(i, 0), sums(i, 1)); }
};

template <class Exec>
struct WaveSystem {
  using Scalar = Kokkos::complex<double>;
  using Kernel = waves::MildSlopeElement<typename Exec::memory_space, double>;
  using Rows = Kokkos::RangePolicy<Exec>;

  TriangleMesh<Exec> mesh;
  FemProfile<Exec> profile;
  FemAssembly<Exec> plan;
  CsrMatrix<Exec, Scalar> matrix;
  waves::WaveFields<Exec> fields;
  Kernel kernel;

  WaveSystem(Exec const& space, Water const& water)
      : mesh(make_triangle_mesh(space, water.mesh)),
        profile(make_fem_profile(space, mesh, false)),
        plan(space, mesh, profile, {.value_bytes = sizeof(Scalar), .triangle_numbers = false}),
        matrix(make_csr_matrix<Scalar>(space, profile.graph)),
        fields(space, mesh.node_count(), false) {
    copy_to_device(space, water.depth, fields.depth);
    waves::set_dispersion(space, 2 * std::numbers::pi / water.period, fields);
    kernel = {fields.flux, fields.mass, fields.losses, 0.5, wave_damping};
  }

  void assemble(Exec const& space) const { karman::assemble(space, plan, kernel, matrix); }

  /// A w element by element, w = assembly_weight().
  RowSums<Exec> sums(Exec const& space) const { return element_sums<Scalar>(space, mesh, kernel); }

  /// A w, from which a solver should recover w.
  WaveNumbers<Exec> rhs(Exec const& space) const {
    WaveNumbers<Exec> const b("karman::perf::rhs", matrix.rows());
    Kokkos::parallel_for("karman::perf::take_sums", Rows(space, 0, matrix.rows()), TakeSums<Exec>{sums(space), b});
    return b;
  }
};

template <class Exec>
struct AddOneTo {
  WaveNumbers<Exec> values;
  int place;
  KOKKOS_FUNCTION void operator()(int) const { values(place) += 1.0; }
};

template <class Exec>
struct FillWeights {
  WaveNumbers<Exec> values;
  KOKKOS_FUNCTION void operator()(int i) const { values(i) = assembly_weight(i); }
};

/// Largest difference from w, over both parts.
template <class Exec>
struct DistanceFromWeights {
  WaveNumbers<Exec> values;
  KOKKOS_FUNCTION void operator()(int i, double& worst) const {
    double const real = compat::math::fabs(values(i).real() - assembly_weight(i));
    double const imaginary = compat::math::fabs(values(i).imag());
    double const distance = real > imaginary ? real : imaginary;
    if (!(distance <= worst)) worst = distance;
  }
};

/// Largest difference of a product from A w, relative to the magnitudes in a row.
template <class Exec>
struct DistanceFromSums {
  WaveNumbers<Exec> values;
  RowSums<Exec> sums;
  KOKKOS_FUNCTION void operator()(int i, double& worst) const {
    double const distance =
        (compat::math::fabs(values(i).real() - sums(i, 0)) + compat::math::fabs(values(i).imag() - sums(i, 1))) /
        sums(i, 2);
    if (!(distance <= worst)) worst = distance;
  }
};

}  // namespace karman::perf
