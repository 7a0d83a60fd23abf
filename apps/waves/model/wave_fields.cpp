// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "wave_fields.hpp"

#include "extended_terms.hpp"
#include <karman/core/compat.hpp>

#include <string>

namespace karman::waves {
namespace {

template <ExecutionSpace Exec>
NodalField<Exec> nodal(Exec const& space, char const* label, int nodes) {
  return NodalField<Exec>(Kokkos::view_alloc(space, std::string("karman::waves::") + label),
                          static_cast<std::size_t>(nodes));
}

template <ExecutionSpace Exec>
using Nodes = Kokkos::RangePolicy<Exec>;

/// The wave of a component at node n.
template <class Values, class Fields>
KOKKOS_INLINE_FUNCTION LocalWave local_wave(double omega, Values const& elevation, Fields const& f, int n) {
  double const re = elevation(n).real(), im = elevation(n).imag();
  return {omega, f.wave_number(n), f.group_celerity(n), f.depth(n), compat::math::sqrt(re * re + im * im)};
}

template <class Values>
struct WaveHeights {
  KOKKOS_FUNCTION double operator()(int n) const {
    double const re = elevation(n).real(), im = elevation(n).imag();
    return 2 * compat::math::sqrt(re * re + im * im);
  }
  Values elevation;
};

template <class Values>
struct SeaHeights {
  KOKKOS_FUNCTION double operator()(int n) const { return 2 * compat::math::sqrt(sea(n).square); }
  Values sea;
};

template <ExecutionSpace Exec>
void launch_dispersion(Exec const& space, double omega, WaveFields<Exec> const& f) {
  bool const extended = f.slope_flux.extent(0) > 0;
  Kokkos::parallel_for(
      "karman::waves::dispersion", Nodes<Exec>(space, 0, f.depth.extent(0)), KOKKOS_LAMBDA(int n) {
        double const h = f.depth(n);
        Dispersion const d = dispersion(omega, h, f.amplitude(n));
        f.wave_number(n) = d.wave_number;
        f.celerity(n) = d.celerity;
        f.group_celerity(n) = d.group_celerity;
        f.flux(n) = d.celerity * d.group_celerity;
        f.mass(n) = d.wave_number * omega * d.group_celerity;
        if (extended) {
          SlopeTerms const s = slope_terms(d.wave_number, h);
          f.slope_flux(n) = s.flux;
          f.slope_squared(n) = s.slope;
        }
      });
}

template <ExecutionSpace Exec, class Real>
void launch_amplitude(Exec const& space, double part, Elevation<Exec, Real> const& elevation,
                      WaveFields<Exec> const& f) {
  Kokkos::parallel_for(
      "karman::waves::amplitude", Nodes<Exec>(space, 0, f.depth.extent(0)), KOKKOS_LAMBDA(int n) {
        double const re = elevation(n).real(), im = elevation(n).imag();
        f.amplitude(n) += part * (compat::math::sqrt(re * re + im * im) - f.amplitude(n));
      });
}

template <ExecutionSpace Exec, class Real>
void launch_losses(Exec const& space, DissipationLaw const& law, double omega, double part,
                   Elevation<Exec, Real> const& elevation, WaveFields<Exec> const& f) {
  Kokkos::parallel_for(
      "karman::waves::losses", Nodes<Exec>(space, 0, f.depth.extent(0)), KOKKOS_LAMBDA(int n) {
        LocalWave const wave = local_wave(omega, elevation, f, n);
        double const friction = friction_rate(law.friction, f.friction_value(n), wave);
        Breaking const breaking = breaking_rate(law, wave);
        f.friction(n) += part * (friction - f.friction(n));
        f.breaking(n) += part * (breaking.rate - f.breaking(n));
        f.share(n) += part * (breaking.share - f.share(n));
        f.losses(n) = omega * (f.friction(n) + f.breaking(n));
      });
}

template <ExecutionSpace Exec, class Real>
void launch_add_to_sea(Exec const& space, double omega, Elevation<Exec, Real> const& elevation,
                       WaveFields<Exec> const& f, SeaField<Exec> const& sea) {
  Kokkos::parallel_for(
      "karman::waves::add_to_sea", Nodes<Exec>(space, 0, f.depth.extent(0)),
      KOKKOS_LAMBDA(int n) { sea(n) += sea_of(local_wave(omega, elevation, f, n)); });
}

template <ExecutionSpace Exec>
void launch_sea_breaking(Exec const& space, DissipationLaw const& law, double part, SeaField<Exec> const& sea,
                         WaveFields<Exec> const& f) {
  Kokkos::parallel_for(
      "karman::waves::sea_breaking", Nodes<Exec>(space, 0, f.depth.extent(0)), KOKKOS_LAMBDA(int n) {
        Breaking const breaking = breaking_rate(law, mean_wave(sea(n), f.depth(n)));
        f.breaking(n) += part * (breaking.rate - f.breaking(n));
        f.share(n) += part * (breaking.share - f.share(n));
      });
}

template <ExecutionSpace Exec, class Real>
void launch_sea_friction(Exec const& space, DissipationLaw const& law, double omega, double part,
                         SeaField<Exec> const& sea, Elevation<Exec, Real> const& elevation, WaveFields<Exec> const& f) {
  Kokkos::parallel_for(
      "karman::waves::sea_friction", Nodes<Exec>(space, 0, f.depth.extent(0)), KOKKOS_LAMBDA(int n) {
        double const friction =
            sea_friction_rate(law.friction, f.friction_value(n), sea(n), local_wave(omega, elevation, f, n));
        f.friction(n) += part * (friction - f.friction(n));
        f.losses(n) = omega * (f.friction(n) + f.breaking(n));
      });
}

template <ExecutionSpace Exec, class Heights>
HeightChange launch_heights(Exec const& space, Heights const& heights, NodalField<Exec> const& height) {
  HeightChange result;
  Kokkos::parallel_reduce(
      "karman::waves::heights", Nodes<Exec>(space, 0, height.extent(0)),
      KOKKOS_LAMBDA(int n, double& change, double& highest, int& wrong) {
        double const now = heights(n);
        double const gone = compat::math::fabs(now - height(n));
        height(n) = now;
        if (gone > change) change = gone;
        if (now > highest) highest = now;
        if (!(now < 1e300)) ++wrong;
      },
      Kokkos::Max<double>(result.change), Kokkos::Max<double>(result.highest), Kokkos::Sum<int>(result.wrong));
  compat::fence(space, "karman::waves::heights");
  return result;
}

template <ExecutionSpace Exec, class Real>
void launch_derive(Exec const& space, double omega, TriangleMesh<Exec> const& mesh, Graph<Exec> const& around,
                   Elevation<Exec, Real> const& elevation, WaveFields<Exec> const& f, DerivedFields<Exec> const& out) {
  Kokkos::parallel_for(
      "karman::waves::derive", Nodes<Exec>(space, 0, f.depth.extent(0)), KOKKOS_LAMBDA(int n) {
        Complex gx(0, 0), gy(0, 0);
        double area = 0;
        for (int at = around.offsets(n); at < around.offsets(n + 1); ++at) {
          int const t = around.entries(at);
          for (int i = 0; i < 3; ++i) {
            int const a = mesh.triangles(t, i), b = mesh.triangles(t, i < 2 ? i + 1 : 0),
                      c = mesh.triangles(t, i > 0 ? i - 1 : 2);
            Complex const eta(elevation(a).real(), elevation(a).imag());
            gx += (mesh.nodes(b, 1) - mesh.nodes(c, 1)) * eta;
            gy += (mesh.nodes(c, 0) - mesh.nodes(b, 0)) * eta;
          }
          int const a = mesh.triangles(t, 0), b = mesh.triangles(t, 1), c = mesh.triangles(t, 2);
          area += (mesh.nodes(b, 0) - mesh.nodes(a, 0)) * (mesh.nodes(c, 1) - mesh.nodes(a, 1)) -
                  (mesh.nodes(b, 1) - mesh.nodes(a, 1)) * (mesh.nodes(c, 0) - mesh.nodes(a, 0));
        }
        gx /= area;
        gy /= area;
        Complex const eta(elevation(n).real(), elevation(n).imag());
        double const k = f.wave_number(n), kh = k * f.depth(n), ratio = f.group_celerity(n) / f.celerity(n);
        double const half_weight = 0.5 * water_density * gravity;
        double const carried = half_weight * f.flux(n) / omega;
        out.flux_x(n) = carried * (eta.real() * gx.imag() - eta.imag() * gx.real());
        out.flux_y(n) = carried * (eta.real() * gy.imag() - eta.imag() * gy.real());

        double const square = eta.real() * eta.real() + eta.imag() * eta.imag();
        double const xx = gx.real() * gx.real() + gx.imag() * gx.imag();
        double const yy = gy.real() * gy.real() + gy.imag() * gy.imag();
        double const xy = gx.real() * gy.real() + gx.imag() * gy.imag();
        out.bed_velocity(n) = kh > 300 ? 0 : gravity * compat::math::sqrt(xx + yy) / (omega * compat::math::cosh(kh));
        out.dissipation(n) = half_weight * square * (f.friction(n) + f.breaking(n));
        double const standing = 0.5 * (kh / compat::math::tanh(kh) - ratio) * ((xx + yy) / (k * k) - square);
        double const pressure = (ratio - 0.5) * square + standing;
        double const along = ratio / (k * k);
        out.stress_xx(n) = half_weight * (along * xx + pressure);
        out.stress_yy(n) = half_weight * (along * yy + pressure);
        out.stress_xy(n) = half_weight * along * xy;
      });
}

}  // namespace

template <ExecutionSpace Exec>
WaveFields<Exec>::WaveFields(Exec const& space, int nodes, bool extended)
    : depth(nodal(space, "depth", nodes)),
      wave_number(nodal(space, "wave_number", nodes)),
      celerity(nodal(space, "celerity", nodes)),
      group_celerity(nodal(space, "group_celerity", nodes)),
      flux(nodal(space, "flux", nodes)),
      mass(nodal(space, "mass", nodes)),
      slope_flux(nodal(space, "slope_flux", extended ? nodes : 0)),
      slope_squared(nodal(space, "slope_squared", extended ? nodes : 0)),
      friction(nodal(space, "friction", nodes)),
      breaking(nodal(space, "breaking", nodes)),
      losses(nodal(space, "losses", nodes)),
      share(nodal(space, "share", nodes)),
      friction_value(nodal(space, "friction_value", nodes)),
      height(nodal(space, "height", nodes)),
      amplitude(nodal(space, "amplitude", nodes)) {}

template <ExecutionSpace Exec>
std::int64_t WaveFields<Exec>::bytes() const {
  return static_cast<std::int64_t>(sizeof(double) * (13 * depth.size() + 2 * slope_flux.size()));
}

template <ExecutionSpace Exec>
WaveFields<Exec> fields_of_component(Exec const& space, WaveFields<Exec> const& shared, bool amplitude) {
  auto const nodes = static_cast<int>(shared.depth.extent(0));
  WaveFields<Exec> own = shared;
  own.friction = nodal(space, "friction", nodes);
  if (amplitude) own.amplitude = nodal(space, "amplitude", nodes);
  return own;
}

template <ExecutionSpace Exec>
void clear(Exec const& space, WaveFields<Exec> const& fields) {
  Kokkos::deep_copy(space, fields.friction, 0.0);
  Kokkos::deep_copy(space, fields.breaking, 0.0);
  Kokkos::deep_copy(space, fields.losses, 0.0);
  Kokkos::deep_copy(space, fields.share, 0.0);
  Kokkos::deep_copy(space, fields.height, 0.0);
  Kokkos::deep_copy(space, fields.amplitude, 0.0);
}

template <ExecutionSpace Exec>
void set_dispersion(Exec const& space, double omega, WaveFields<Exec> const& fields) {
  launch_dispersion(space, omega, fields);
}

template <ExecutionSpace Exec, class Real>
void update_amplitude(Exec const& space, double part, Elevation<Exec, Real> const& elevation,
                      WaveFields<Exec> const& fields) {
  launch_amplitude<Exec, Real>(space, part, elevation, fields);
}

template <ExecutionSpace Exec, class Real>
void update_losses(Exec const& space, DissipationLaw const& law, double omega, double part,
                   Elevation<Exec, Real> const& elevation, WaveFields<Exec> const& fields) {
  launch_losses<Exec, Real>(space, law, omega, part, elevation, fields);
}

template <ExecutionSpace Exec, class Real>
HeightChange take_heights(Exec const& space, Elevation<Exec, Real> const& elevation, WaveFields<Exec> const& fields) {
  return launch_heights(space, WaveHeights<Elevation<Exec, Real>>{elevation}, fields.height);
}

template <ExecutionSpace Exec>
HeightChange take_sea_heights(Exec const& space, SeaField<Exec> const& sea, WaveFields<Exec> const& fields) {
  return launch_heights(space, SeaHeights<SeaField<Exec>>{sea}, fields.height);
}

template <ExecutionSpace Exec, class Real>
void add_to_sea(Exec const& space, double omega, Elevation<Exec, Real> const& elevation, WaveFields<Exec> const& fields,
                SeaField<Exec> const& sea) {
  launch_add_to_sea<Exec, Real>(space, omega, elevation, fields, sea);
}

template <ExecutionSpace Exec>
void update_sea_breaking(Exec const& space, DissipationLaw const& law, double part, SeaField<Exec> const& sea,
                         WaveFields<Exec> const& fields) {
  launch_sea_breaking(space, law, part, sea, fields);
}

template <ExecutionSpace Exec, class Real>
void update_sea_friction(Exec const& space, DissipationLaw const& law, double omega, double part,
                         SeaField<Exec> const& sea, Elevation<Exec, Real> const& elevation,
                         WaveFields<Exec> const& fields) {
  launch_sea_friction<Exec, Real>(space, law, omega, part, sea, elevation, fields);
}

template <ExecutionSpace Exec>
DerivedFields<Exec>::DerivedFields(Exec const& space, int nodes)
    : flux_x(nodal(space, "flux_x", nodes)),
      flux_y(nodal(space, "flux_y", nodes)),
      bed_velocity(nodal(space, "bed_velocity", nodes)),
      dissipation(nodal(space, "dissipation", nodes)),
      stress_xx(nodal(space, "stress_xx", nodes)),
      stress_xy(nodal(space, "stress_xy", nodes)),
      stress_yy(nodal(space, "stress_yy", nodes)) {}

template <ExecutionSpace Exec, class Real>
void derive(Exec const& space, double omega, TriangleMesh<Exec> const& mesh, Graph<Exec> const& around,
            Elevation<Exec, Real> const& elevation, WaveFields<Exec> const& fields,
            DerivedFields<Exec> const& derived) {
  launch_derive<Exec, Real>(space, omega, mesh, around, elevation, fields, derived);
}

#define KARMAN_INSTANTIATE_REAL(Exec, Real)                                                                     \
  template void update_losses(Exec const&, DissipationLaw const&, double, double, Elevation<Exec, Real> const&, \
                              WaveFields<Exec> const&);                                                         \
  template void update_amplitude(Exec const&, double, Elevation<Exec, Real> const&, WaveFields<Exec> const&);   \
  template HeightChange take_heights(Exec const&, Elevation<Exec, Real> const&, WaveFields<Exec> const&);       \
  template void add_to_sea(Exec const&, double, Elevation<Exec, Real> const&, WaveFields<Exec> const&,          \
                           SeaField<Exec> const&);                                                              \
  template void update_sea_friction(Exec const&, DissipationLaw const&, double, double, SeaField<Exec> const&,  \
                                    Elevation<Exec, Real> const&, WaveFields<Exec> const&);                     \
  template void derive(Exec const&, double, TriangleMesh<Exec> const&, Graph<Exec> const&,                      \
                       Elevation<Exec, Real> const&, WaveFields<Exec> const&, DerivedFields<Exec> const&);
#define KARMAN_INSTANTIATE(Exec)                                                                       \
  template struct WaveFields<Exec>;                                                                    \
  template struct DerivedFields<Exec>;                                                                 \
  template WaveFields<Exec> fields_of_component(Exec const&, WaveFields<Exec> const&, bool);           \
  template void clear(Exec const&, WaveFields<Exec> const&);                                           \
  template void set_dispersion(Exec const&, double, WaveFields<Exec> const&);                          \
  template HeightChange take_sea_heights(Exec const&, SeaField<Exec> const&, WaveFields<Exec> const&); \
  template void update_sea_breaking(Exec const&, DissipationLaw const&, double, SeaField<Exec> const&, \
                                    WaveFields<Exec> const&);                                          \
  KARMAN_INSTANTIATE_REAL(Exec, float)                                                                 \
  KARMAN_INSTANTIATE_REAL(Exec, double)
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE
#undef KARMAN_INSTANTIATE_REAL

}  // namespace karman::waves
