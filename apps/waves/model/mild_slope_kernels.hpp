// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The mild-slope equation on one triangle and on one edge of the boundary.
#pragma once

#include "radiation.hpp"
#include "waves/case/dispersion.hpp"
#include <karman/solvers/fem/fem_element.hpp>

namespace karman::waves {

/// Nodal values in a memory space.
template <class Memory>
using Nodal = Kokkos::View<double const*, Memory>;

/// The integral of psi_i psi_j q over a triangle, q linear: area / 60 times 2 (sum + 2 q_i) for i = j, sum + q_i + q_j
/// otherwise, with sum = q_0 + q_1 + q_2. The fraction `lumping` of every row is moved to its diagonal.
///
/// With lumping = 0, waves over linear triangles are too long by a relative error of about (kh)^2 / 24. With 1
/// they are too short by as much. With 1/2 the leading term of the error vanishes where triangles are nearly
/// equilateral; a fifth to a half of it remains elsewhere (for rectangles: K. J. Marfurt, Geophysics 49 (1984)). The
/// order of accuracy in the mesh remains 2.
class QuadraticMass {
 public:
  KOKKOS_FORCEINLINE_FUNCTION QuadraticMass(double const (&q)[3], double area, double lumping)
      : sum_(q[0] + q[1] + q[2]), consistent_((1 - lumping) * area / 60), lumped_(5 * lumping * area / 60) {}
  KOKKOS_FORCEINLINE_FUNCTION double same(double q) const {
    return consistent_ * (2 * sum_ + 4 * q) + lumped_ * (sum_ + q);
  }
  KOKKOS_FORCEINLINE_FUNCTION double different(double q, double r) const { return consistent_ * (sum_ + q + r); }

 private:
  double sum_, consistent_, lumped_;
};

/// int C C_g grad psi . grad eta - (k^2 C C_g + i omega W) psi eta over a triangle.
///
/// C C_g, k^2 C C_g and omega W are linear over the triangle. All integrals are exact except for lumping. 80 flops;
/// reads three fields at the corners.
template <class Memory, class Real>
struct MildSlopeElement {
  using Scalar = Kokkos::complex<Real>;
  static constexpr bool needs_number = false;

  Nodal<Memory> flux;    ///< C C_g, m^2/s^2
  Nodal<Memory> mass;    ///< k^2 C C_g, 1/s^2
  Nodal<Memory> losses;  ///< omega W, 1/s^2
  double lumping = 0;    ///< see QuadraticMass
  double damping = 0;    ///< adds i damping k^2 C C_g to the losses: damped waves, for a preconditioner

  struct Corner {
    double flux, mass, losses;
  };
  KOKKOS_FORCEINLINE_FUNCTION Corner corner(int node) const {
    double const m = mass(node);
    return {flux(node), m, losses(node) + damping * m};
  }

  KOKKOS_FORCEINLINE_FUNCTION void operator()(Triangle const& t, Corner const (&corners)[3],
                                              ElementMatrix<Scalar, 3>& a, ElementVector<Scalar, 3>&) const {
    double bx[3], by[3];
    double const twice_area = edges(t, bx, by);
    double const stiffness = mean_flux(corners) / (2 * twice_area);
    double const m[3] = {corners[0].mass, corners[1].mass, corners[2].mass};
    double const w[3] = {corners[0].losses, corners[1].losses, corners[2].losses};
    QuadraticMass const inner(m, twice_area / 2, lumping), lost(w, twice_area / 2, lumping);
    for (int i = 0; i < 3; ++i) {
      int const j = i < 2 ? i + 1 : 0;
      double const diagonal = stiffness * (bx[i] * bx[i] + by[i] * by[i]) - inner.same(m[i]);
      a(i, i) = Scalar(static_cast<Real>(diagonal), static_cast<Real>(-lost.same(w[i])));
      double const beside = stiffness * (bx[i] * bx[j] + by[i] * by[j]) - inner.different(m[i], m[j]);
      a(i, j) = Scalar(static_cast<Real>(beside), static_cast<Real>(-lost.different(w[i], w[j])));
      a(j, i) = a(i, j);
    }
  }

  /// Computes grad psi_i = (bx[i], by[i]) / (twice the area), and returns twice the area.
  KOKKOS_FORCEINLINE_FUNCTION static double edges(Triangle const& t, double (&bx)[3], double (&by)[3]) {
    for (int i = 0; i < 3; ++i) {
      int const j = i < 2 ? i + 1 : 0, k = i > 0 ? i - 1 : 2;
      bx[i] = t.y[j] - t.y[k];
      by[i] = t.x[k] - t.x[j];
    }
    return bx[0] * by[1] - bx[1] * by[0];
  }

  KOKKOS_FORCEINLINE_FUNCTION static double mean_flux(Corner const (&corners)[3]) {
    return (corners[0].flux + corners[1].flux + corners[2].flux) / 3;
  }
};

/// The same with the terms of a sloping bed (slope_terms()), g times:
///   u1 grad h . grad(psi eta) + slope |grad h|^2 psi eta.
template <class Memory, class Real>
struct ExtendedMildSlopeElement {
  using Scalar = Kokkos::complex<Real>;
  static constexpr bool needs_number = false;

  MildSlopeElement<Memory, Real> plain;
  Nodal<Memory> depth;  ///< m
  Nodal<Memory> u1;     ///< SlopeTerms::flux
  Nodal<Memory> slope;  ///< SlopeTerms::slope, 1/m

  struct Corner {
    typename MildSlopeElement<Memory, Real>::Corner plain;
    double depth, u1, slope;
  };
  KOKKOS_FORCEINLINE_FUNCTION Corner corner(int node) const {
    return {plain.corner(node), depth(node), u1(node), slope(node)};
  }

  KOKKOS_FORCEINLINE_FUNCTION void operator()(Triangle const& t, Corner const (&corners)[3],
                                              ElementMatrix<Scalar, 3>& a, ElementVector<Scalar, 3>& b) const {
    plain(t, {corners[0].plain, corners[1].plain, corners[2].plain}, a, b);
    double bx[3], by[3];
    double const twice_area = plain.edges(t, bx, by);
    double hx = 0, hy = 0, u[3], v[3];
    for (int i = 0; i < 3; ++i) {
      hx += bx[i] * corners[i].depth;
      hy += by[i] * corners[i].depth;
      u[i] = corners[i].u1;
      v[i] = corners[i].slope;
    }
    hx /= twice_area;
    hy /= twice_area;
    double const steepness = hx * hx + hy * hy;
    QuadraticMass const squared(v, gravity * steepness * twice_area / 2, plain.lumping);
    double along[3], part[3];  // grad h . grad psi_i times the area, and int u1 psi_i over the area
    for (int i = 0; i < 3; ++i) {
      along[i] = 0.5 * gravity * (hx * bx[i] + hy * by[i]);
      part[i] = (u[0] + u[1] + u[2] + u[i]) / 12;
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        double const first = along[i] * part[j] + along[j] * part[i];
        double const second = i == j ? squared.same(v[i]) : squared.different(v[i], v[j]);
        a(i, j) += static_cast<Real>(first + second);
      }
    }
  }
};

/// Incident waves at the two nodes of a boundary edge: their elevation, and the elevation with each wave weighted by
/// (direction . normal). The derivative along the normal is i p times the latter.
struct IncidentEdge {
  Complex elevation[2];
  Complex normal[2];
  Complex corner[2];  ///< terms at corners: see MildSlopeEdge
};

/// Stretch and corners of an edge.
struct EdgePlace {
  int stretch = 0;
  Complex corner[2];  ///< see MildSlopeEdge; zero where an end is no corner
};

/// The part -oint C C_g psi d eta/dn of one boundary edge, with d eta/dn from BoundaryTerms:
///   -i share oint C C_g (first psi eta - second psi_s eta_s)                            on the left,
///   oint C C_g (psi d eta_I/dn - i first psi eta_I + i second psi_s eta_I,s)            on the right.
/// Integration by parts of the second derivatives leaves an end term at each end of a stretch. It is -i share C C_g
/// second psi d(eta - eta_I)/dt on the left, where t points along the edge out of it.
///
/// At a corner t is the normal of the next edge, and that edge's condition gives the derivative:
///   d eta/dt = sine (i p share' cosine' (eta - eta_I') + d eta_I'/dn').
/// With corner = sine share' cosine', this adds share C C_g second p (corner psi eta) on the left. The right-hand side
/// gets the same with IncidentEdge::corner. Ends that are no corners add nothing.
template <class Memory, class Real>
struct MildSlopeEdge {
  using Scalar = Kokkos::complex<Real>;

  Nodal<Memory> flux, mass, losses, wave_number;
  Kokkos::View<BoundaryTerms const*, Memory> terms;    ///< one per stretch
  Kokkos::View<EdgePlace const*, Memory> places;       ///< of each edge
  Kokkos::View<IncidentEdge const*, Memory> incident;  ///< one value per edge, or empty where no wave enters

  KOKKOS_FUNCTION void operator()(BoundaryEdge const& edge, ElementMatrix<Scalar, 2>& a,
                                  ElementVector<Scalar, 2>& b) const {
    EdgePlace const place = places(edge.number);
    BoundaryTerms const here = terms(place.stretch);
    if (here.share == Complex(0, 0)) return;
    double const dx = edge.x[1] - edge.x[0], dy = edge.y[1] - edge.y[0];
    double const length = compat::math::sqrt(dx * dx + dy * dy);
    Complex const i(0, 1);
    Complex p[2], first[2], second[2], end[2];
    for (int n = 0; n < 2; ++n) {
      int const node = edge.node[n];
      p[n] = damped_wave_number(wave_number(node), losses(node) / mass(node));
      Outflow const out = outflow(here, p[n]);
      end[n] = here.share * flux(node) * out.second * p[n];
      p[n] *= flux(node);
      first[n] = flux(node) * out.first;
      second[n] = flux(node) * out.second;
    }
    Complex const bending = 0.5 * (second[0] + second[1]) / length;
    for (int n = 0; n < 2; ++n) {
      int const m = 1 - n;
      a(n, n) = rounded(-i * here.share * (same(first, n, length) - bending) + end[n] * place.corner[n]);
      a(n, m) = rounded(-i * here.share * (different(first, length) + bending));
    }
    if (incident.extent(0) == 0) return;
    IncidentEdge const wave = incident(edge.number);
    for (int n = 0; n < 2; ++n) {
      int const m = 1 - n;
      b(n) = rounded(end[n] * wave.corner[n]);
      if (!here.incident) continue;
      Complex const in = same(p, n, length) * wave.normal[n] + different(p, length) * wave.normal[m];
      Complex const out = same(first, n, length) * wave.elevation[n] + different(first, length) * wave.elevation[m];
      Complex const bent = bending * (wave.elevation[n] - wave.elevation[m]);
      b(n) += rounded(i * (in - out + bent));
    }
  }

 private:
  /// oint c psi_n psi_n and oint c psi_0 psi_1, c linear along the edge.
  KOKKOS_FUNCTION static Complex same(Complex const (&c)[2], int n, double length) {
    return (3.0 * c[n] + c[1 - n]) * (length / 12);
  }
  KOKKOS_FUNCTION static Complex different(Complex const (&c)[2], double length) {
    return (c[0] + c[1]) * (length / 12);
  }
  KOKKOS_FUNCTION static Scalar rounded(Complex const& value) {
    return Scalar(static_cast<Real>(value.real()), static_cast<Real>(value.imag()));
  }
};

}  // namespace karman::waves
