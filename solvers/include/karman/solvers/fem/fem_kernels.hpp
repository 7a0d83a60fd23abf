// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Element kernels for linear (P1) triangles and boundary edges, for assemble() and add_boundary().
///
/// With e_i the edge opposite to corner i, and A the area of the triangle,
///
///     grad N_i . grad N_j = e_i . e_j / (4 A^2),
///     int N_i N_j = A / 12 (1 + delta_ij),
///     int N_i N_j N_k = A / 60 (6, 2, 1 for three, two, no equal numbers).
///
/// Integrals are computed in double and rounded once to the scalar of the matrix.
/// \par Units
/// Lengths are in the unit of the mesh.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/core/concepts.hpp>
#include <karman/solvers/detail/real_part.hpp>
#include <karman/solvers/fem/fem_element.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace karman {

namespace detail {

/// A real integral as an entry.
template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION Scalar as_scalar(double value) {
  return Scalar(static_cast<RealPart<Scalar>>(value));
}
template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION Scalar as_scalar(Kokkos::complex<double> const& value) {
  using Part = RealPart<Scalar>;
  return Scalar(static_cast<Part>(value.real()), static_cast<Part>(value.imag()));
}

/// Type of the integrals of a scalar.
template <class Scalar>
using Integrand = std::conditional_t<std::is_floating_point_v<Scalar>, double, Kokkos::complex<double>>;

/// The triangle seen from corner i: the edges opposite of it and of the next two corners, and twice the area.
struct CornerView {
  int j, k;  ///< the next two corners
  double x_i, y_i, x_j, y_j, x_k, y_k;
  double twice_area;

  KOKKOS_FORCEINLINE_FUNCTION CornerView(Triangle const& t, int i) : j(i == 2 ? 0 : i + 1), k(i == 0 ? 2 : i - 1) {
    x_i = t.x[k] - t.x[j], y_i = t.y[k] - t.y[j];
    x_j = t.x[i] - t.x[k], y_j = t.y[i] - t.y[k];
    x_k = t.x[j] - t.x[i], y_k = t.y[j] - t.y[i];
    twice_area = x_j * y_k - y_j * x_k;
  }
  KOKKOS_FORCEINLINE_FUNCTION double dot_ij() const { return x_i * x_j + y_i * y_j; }
  KOKKOS_FORCEINLINE_FUNCTION double dot_ik() const { return x_i * x_k + y_i * y_k; }
  KOKKOS_FORCEINLINE_FUNCTION double dot_jk() const { return x_j * x_k + y_j * y_k; }
};

}  // namespace detail

/// Conductivity of a Laplacian, one value per triangle.
enum class LaplacianWeight {
  area,          ///< kappa = 1: the Laplacian, triangles weighted by area
  inverse_area,  ///< kappa = 1 / A: equal weights, small triangles are stiffer
  quality  ///< kappa = 1 / (mu^2 A), mu = 4 sqrt(3) A / (sum of squared sides), 1 if equilateral: stiffens bad and
           ///< small triangles, for moving meshes
};

/// Laplacian: a(i, j) = int kappa grad N_i . grad N_j, b = 0. Rows sum to zero to round-off.
/// \par Cost
/// About 40 flops and one division.
template <SparseScalar Scalar>
struct P1Laplacian {
  static constexpr bool needs_number = false;      ///< triangle numbers are unused
  LaplacianWeight weight = LaplacianWeight::area;  ///< conductivity

  /// Sets the integrals of one triangle.
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Triangle const& triangle, ElementMatrix<Scalar, 3>& a,
                                              ElementVector<Scalar, 3>&) const {
    detail::CornerView const v(triangle, 0);
    double const scale = factor(v);
    double const a01 = v.dot_ij() * scale, a02 = v.dot_ik() * scale, a12 = v.dot_jk() * scale;
    a(0, 0) = detail::as_scalar<Scalar>(-(a01 + a02));
    a(1, 1) = detail::as_scalar<Scalar>(-(a01 + a12));
    a(2, 2) = detail::as_scalar<Scalar>(-(a02 + a12));
    a(0, 1) = a(1, 0) = detail::as_scalar<Scalar>(a01);
    a(0, 2) = a(2, 0) = detail::as_scalar<Scalar>(a02);
    a(1, 2) = a(2, 1) = detail::as_scalar<Scalar>(a12);
  }

 private:
  /// kappa A / (4 A^2).
  KOKKOS_FORCEINLINE_FUNCTION double factor(detail::CornerView const& v) const {
    double const c = v.twice_area;
    if (weight == LaplacianWeight::area) return 0.5 / c;
    if (weight == LaplacianWeight::inverse_area) return 1 / (c * c);
    double const sides = v.x_i * v.x_i + v.y_i * v.y_i + v.x_j * v.x_j + v.y_j * v.y_j + v.x_k * v.x_k + v.y_k * v.y_k;
    double const inverse = sides / (c * c);
    return inverse * inverse / 12;
  }
};

/// Mass matrix: a(i, j) = factor int N_i N_j, b = 0. Lumped: the sum of the row on the diagonal, factor A / 3.
template <SparseScalar Scalar>
struct P1Mass {
  static constexpr bool needs_number = false;  ///< triangle numbers are unused
  Scalar factor = Scalar(1);                   ///< factor of the matrix
  bool lumped = false;                         ///< lumped matrix

  /// Sets the integrals of one triangle.
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Triangle const& triangle, ElementMatrix<Scalar, 3>& a,
                                              ElementVector<Scalar, 3>&) const {
    detail::CornerView const v(triangle, 0);
    Scalar const part = factor * detail::as_scalar<Scalar>(v.twice_area / 24);
    Scalar const same = part * detail::as_scalar<Scalar>(lumped ? 4 : 2), different = lumped ? Scalar(0) : part;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) a(i, j) = i == j ? same : different;
    }
  }
};

/// Diffusion, reaction and load with coefficients at the nodes, linear in every triangle, integrated exactly:
///
///     a(i, j) = int alpha grad N_i . grad N_j + int gamma N_i N_j,  b(i) = int f N_i.
///
/// Examples:
/// - Poisson, -div grad u = f: load = f.
/// - Helmholtz: reaction = -k^2.
/// - Mild-slope equation, div(C C_g grad eta) + (k^2 C C_g + i omega W) eta = 0: diffusion = C C_g, reaction = -(k^2 C
///   C_g + i omega W).
///
/// \par Views
/// One value per node. `diffusion` (alpha) is real; `reaction` (gamma) and `load` (f) have the scalar of the matrix.
/// Empty Views mean alpha = 1, gamma = 0, f = 0.
template <ExecutionSpace Exec, SparseScalar Scalar>
struct P1Terms {
  using Part = detail::RealPart<Scalar>;       ///< real type of the scalar
  static constexpr bool needs_number = false;  ///< triangle numbers are unused

  /// One value per node.
  template <class T>
  using Nodal = Kokkos::View<T const*, typename Exec::memory_space>;

  Nodal<Part> diffusion = Nodal<Part>();     ///< alpha
  Nodal<Scalar> reaction = Nodal<Scalar>(),  ///< gamma
      load = Nodal<Scalar>();                ///< f

  /// Type of the integrals.
  using Value = detail::Integrand<Scalar>;

  /// Coefficients at a node.
  struct Corner {
    double diffusion;  ///< alpha
    Value reaction,    ///< gamma
        load;          ///< f
  };
  /// Reads the coefficients of a node.
  KOKKOS_FORCEINLINE_FUNCTION Corner corner(int node) const {
    return {diffusion.data() == nullptr ? 1. : double(diffusion.data()[node]),
            reaction.data() == nullptr ? Value(0) : Value(reaction.data()[node]),
            load.data() == nullptr ? Value(0) : Value(load.data()[node])};
  }

  /// Sets the integrals of one triangle.
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Triangle const& triangle, Corner const (&corners)[3],
                                              ElementMatrix<Scalar, 3>& a, ElementVector<Scalar, 3>& b) const {
    Corner const &at_0 = corners[0], &at_1 = corners[1], &at_2 = corners[2];
    detail::CornerView const v(triangle, 0);
    double const scale = (at_0.diffusion + at_1.diffusion + at_2.diffusion) / 6 / v.twice_area;
    double const d01 = v.dot_ij() * scale, d02 = v.dot_ik() * scale, d12 = v.dot_jk() * scale;
    Value a00(-(d01 + d02)), a11(-(d01 + d12)), a22(-(d02 + d12)), a01(d01), a02(d02), a12(d12);
    if (reaction.data() != nullptr) {
      Value const twice = 2. * (at_0.reaction + at_1.reaction + at_2.reaction);
      double const part = v.twice_area / 120;
      a00 += (twice + 4. * at_0.reaction) * part;
      a11 += (twice + 4. * at_1.reaction) * part;
      a22 += (twice + 4. * at_2.reaction) * part;
      a01 += (twice - at_2.reaction) * part;
      a02 += (twice - at_1.reaction) * part;
      a12 += (twice - at_0.reaction) * part;
    }
    a(0, 0) = detail::as_scalar<Scalar>(a00);
    a(1, 1) = detail::as_scalar<Scalar>(a11);
    a(2, 2) = detail::as_scalar<Scalar>(a22);
    a(0, 1) = a(1, 0) = detail::as_scalar<Scalar>(a01);
    a(0, 2) = a(2, 0) = detail::as_scalar<Scalar>(a02);
    a(1, 2) = a(2, 1) = detail::as_scalar<Scalar>(a12);
    if (load.data() != nullptr) {
      double const part = v.twice_area / 24;
      Value const all = at_0.load + at_1.load + at_2.load;
      b(0) = detail::as_scalar<Scalar>((all + at_0.load) * part);
      b(1) = detail::as_scalar<Scalar>((all + at_1.load) * part);
      b(2) = detail::as_scalar<Scalar>((all + at_2.load) * part);
    }
  }
};

/// Mass, stiffness and load on the boundary edges of one label, or of all:
///
///     a(i, j) = mass int N_i N_j + stiffness int dN_i/ds dN_j/ds,  b(i) = load int N_i.
///
/// On an edge of length l: a = mass l (1/3, 1/6) +- stiffness / l, b = load l / 2.
template <SparseScalar Scalar>
struct EdgeTerms {
  Scalar mass = Scalar(0),    ///< factor of the mass
      stiffness = Scalar(0),  ///< factor of the stiffness
      load = Scalar(0);       ///< load per length
  bool every_label = true;    ///< all labels
  int label = 0;              ///< the one label, unless every_label

  /// Sets the integrals of one edge.
  KOKKOS_FUNCTION void operator()(BoundaryEdge const& edge, ElementMatrix<Scalar, 2>& a,
                                  ElementVector<Scalar, 2>& b) const {
    if (!every_label && edge.label != label) return;
    double const dx = edge.x[1] - edge.x[0], dy = edge.y[1] - edge.y[0];
    double const length = compat::math::sqrt(dx * dx + dy * dy);
    Scalar const sixth = mass * detail::as_scalar<Scalar>(length / 6);
    Scalar const slope = stiffness * detail::as_scalar<Scalar>(1 / length);
    a(0, 0) = a(1, 1) = sixth + sixth + slope;
    a(0, 1) = a(1, 0) = sixth - slope;
    b(0) = b(1) = load * detail::as_scalar<Scalar>(length / 2);
  }
};

}  // namespace karman
