// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "probe_kernels.hpp"

#include <limits>

namespace karman::wind {
namespace {

/// The place of a sample along one axis: two neighboring indices and the weight of the upper one.
struct Between {
  int low, high;
  double share;
};

KOKKOS_INLINE_FUNCTION Between between_faces(int cell, double share) { return {cell, cell + 1, share}; }

/// A single cell has no neighbor: both indices are its own.
KOKKOS_INLINE_FUNCTION Between between_centers(int center, double share, int count) {
  return {center, center + 1 < count ? center + 1 : center, share};
}

/// Exact for equal values.
KOKKOS_INLINE_FUNCTION double mix(double low, double high, double share) { return low + share * (high - low); }

template <class Values>
KOKKOS_INLINE_FUNCTION double trilinear(Values const& field, Between const& z, Between const& y, Between const& x) {
  auto const along_x = [&](int k, int j) {
    return mix(static_cast<double>(field(k, j, x.low)), static_cast<double>(field(k, j, x.high)), x.share);
  };
  double const below = mix(along_x(z.low, y.low), along_x(z.low, y.high), y.share);
  double const above = mix(along_x(z.high, y.low), along_x(z.high, y.high), y.share);
  return mix(below, above, z.share);
}

}  // namespace

template <ExecutionSpace Exec, Real T>
void sample_velocity(Exec const& space, Line<Exec, VelocitySample> const& samples,
                     ConstField<Exec, std::uint8_t> const& flag, FaceVelocity<Exec, T> const& velocity,
                     SampledVelocity<Exec> const& out) {
  double const not_a_number = std::numeric_limits<double>::quiet_NaN();
  auto const u = velocity.u;
  auto const v = velocity.v;
  auto const w = velocity.w;
  int const nx = static_cast<int>(flag.extent(2));
  int const ny = static_cast<int>(flag.extent(1));
  int const nz = static_cast<int>(flag.extent(0));
  Kokkos::parallel_for(
      "karman::wind::sample_velocity",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(space, 0,
                                                                 static_cast<std::int64_t>(samples.extent(0))),
      KOKKOS_LAMBDA(std::int64_t n) {
        VelocitySample const at = samples(n);
        if (is_solid(flag(at.k, at.j, at.i))) {
          for (int c = 0; c < 3; ++c) out(n, c) = not_a_number;
          return;
        }
        Between const x = between_centers(at.center_i, at.center_x, nx);
        Between const y = between_centers(at.center_j, at.center_y, ny);
        Between const z = between_centers(at.center_k, at.center_z, nz);
        out(n, 0) = at.ground * trilinear(u, z, y, between_faces(at.i, at.share_x));
        out(n, 1) = at.ground * trilinear(v, z, between_faces(at.j, at.share_y), x);
        out(n, 2) = trilinear(w, between_faces(at.k, at.share_z), y, x);
      });
}

#define KARMAN_INSTANTIATE_REAL(Exec, T)                                                                      \
  template void sample_velocity<Exec, T>(Exec const&, Line<Exec, VelocitySample> const&,                      \
                                         ConstField<Exec, std::uint8_t> const&, FaceVelocity<Exec, T> const&, \
                                         SampledVelocity<Exec> const&);
#define KARMAN_INSTANTIATE(Exec)       \
  KARMAN_INSTANTIATE_REAL(Exec, float) \
  KARMAN_INSTANTIATE_REAL(Exec, double)
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE
#undef KARMAN_INSTANTIATE_REAL

}  // namespace karman::wind
