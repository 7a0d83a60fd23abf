// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cut_planes.hpp"
#include "problem_part.hpp"
#include <karman/core/backend.hpp>
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/exchange.hpp>
#include <karman/core/host_copy.hpp>
#include <karman/solvers/detail/wall_code_bits.hpp>
#include <karman/solvers/grid/wall_codes.hpp>

#include <string>

namespace karman {

namespace {

template <class Exec>
using WallCells = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<3>, Kokkos::IndexType<std::int64_t>>;

template <class Exec, class V>
WallCells<Exec> all_cells(Exec const& space, V const& view) {
  return WallCells<Exec>(space, {0, 0, 0},
                         {static_cast<std::int64_t>(view.extent(0)), static_cast<std::int64_t>(view.extent(1)),
                          static_cast<std::int64_t>(view.extent(2))});
}

template <class V>
bool has_extents(V const& view, std::array<int, 3> const& extents) {
  return static_cast<int>(view.extent(0)) == extents[0] && static_cast<int>(view.extent(1)) == extents[1] &&
         static_cast<int>(view.extent(2)) == extents[2];
}

unsigned side_bits(Boundary boundary) {
  return boundary == Boundary::neumann ? 0u : boundary == Boundary::dirichlet ? 3u : 2u;
}

template <class Exec>
void encode_solid(Exec const& space, WallCodes<Exec> const& codes, ConstField<Exec, std::uint8_t> const& solid,
                  Kokkos::Array<unsigned, 6> const& sides, Kokkos::Array<bool, 3> const& periodic) {
  int const nz = static_cast<int>(codes.extent(0));
  int const ny = static_cast<int>(codes.extent(1));
  int const nx = static_cast<int>(codes.extent(2));
  bool const has_solid = solid.size() != 0;
  Kokkos::parallel_for(
      "karman::wall_codes::encode", all_cells(space, codes), KOKKOS_LAMBDA(int k, int j, int i) {
        if (has_solid && solid(k, j, i) != 0) {
          codes(k, j, i) = 0;
          return;
        }
        unsigned code = 0;
        for (int face = 0; face < 6; ++face) {
          int const step = face % 2 == 0 ? 1 : -1;
          int ii = i + (face / 2 == 0 ? step : 0);
          int jj = j + (face / 2 == 1 ? step : 0);
          int kk = k + (face / 2 == 2 ? step : 0);
          if (periodic[0]) ii = (ii + nx) % nx;
          if (periodic[1]) jj = (jj + ny) % ny;
          if (periodic[2]) kk = (kk + nz) % nz;
          bool const outside = ii < 0 || ii >= nx || jj < 0 || jj >= ny || kk < 0 || kk >= nz;
          unsigned bits = 2;
          if (outside) {
            bits = sides[face];
          } else if (has_solid && solid(kk, jj, ii) != 0) {
            bits = 0;
          }
          code |= bits << (2 * face);
        }
        codes(k, j, i) = static_cast<WallCode>(code);
      });
}

/// Closes the faces of one side of a part where the cells beyond are solid. `beyond` is indexed (slow, fast).
template <class Exec>
void close_faces(Exec const& space, WallCodes<Exec> const& codes, int side,
                 ConstPlane<Exec, std::uint8_t> const& beyond) {
  using Cells = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>, Kokkos::IndexType<std::int64_t>>;
  int const axis = side / 2;
  int const last = side % 2 == 0 ? static_cast<int>(codes.extent(static_cast<std::size_t>(2 - axis))) - 1 : 0;
  Kokkos::parallel_for(
      "karman::wall_codes::close_faces",
      Cells(space, {0, 0}, {static_cast<std::int64_t>(beyond.extent(0)), static_cast<std::int64_t>(beyond.extent(1))}),
      KOKKOS_LAMBDA(int slow, int fast) {
        if (beyond(slow, fast) == 0) return;
        WallCode& code = axis == 0 ? codes(slow, fast, last) : codes(slow, last, fast);
        code = static_cast<WallCode>(code & ~(3u << (2 * side)));
      });
}

/// Closes the faces between fluid cells of this part and solid cells of others. Collective.
template <class Exec>
void close_cut_faces(Exec const& space, UniformGrid const& grid, detail::ProblemPart const& part,
                     ConstField<Exec, std::uint8_t> const& solid, WallCodes<Exec> const& codes) {
  detail::CutPlanes const planes(part, grid);
  Kokkos::View<std::uint8_t*, typename Exec::memory_space> const beyond(
      Kokkos::view_alloc(space, "karman::wall_codes::beyond"), static_cast<std::size_t>(planes.size()));
  Exchange<Exec, std::uint8_t> exchange(space, part.communicator, planes.neighbors(part));
  exchange.begin(space, solid.data());
  exchange.end(space, beyond.data());
  for (std::size_t side = 0; side < 4; ++side) {
    if (!part.cut[side]) continue;
    close_faces<Exec>(
        space, codes, static_cast<int>(side),
        ConstPlane<Exec, std::uint8_t>(beyond.data() + planes.begin(side), static_cast<std::size_t>(grid.nz()),
                                       static_cast<std::size_t>(planes.fast(side))));
  }
  compat::fence(space, "karman::wall_codes::close_faces");
}

template <class Exec>
bool any_given_weights(Exec const& space, WallCodes<Exec> const& codes) {
  int found = 0;
  Kokkos::parallel_reduce(
      "karman::wall_codes::any_given_weights", all_cells(space, codes),
      KOKKOS_LAMBDA(int k, int j, int i, int& any) {
        if ((codes(k, j, i) & detail::half_weights_flag) != 0) any = 1;
      },
      Kokkos::Max<int>(found));
  return found == 1;
}

template <class Exec, class T>
void decode(Exec const& space, WallCodes<Exec> const& codes, FaceCoefficients<Exec, T> const& out,
            Kokkos::View<T const*, typename Exec::memory_space> const& upper_share) {
  bool const weights = out.has_own_weights();
  Kokkos::parallel_for(
      "karman::wall_codes::decode", all_cells(space, codes), KOKKOS_LAMBDA(int k, int j, int i) {
        unsigned const code = codes(k, j, i);
        T face[6];
        for (int n = 0; n < 6; ++n) face[n] = T(0.5) * T(detail::doubled_face(code, n));
        out.east(k, j, i) = face[0];
        out.west(k, j, i) = face[1];
        out.north(k, j, i) = face[2];
        out.south(k, j, i) = face[3];
        out.top(k, j, i) = face[4];
        out.bottom(k, j, i) = face[5];
        if (weights) {
          bool const given = (code & detail::half_weights_flag) != 0;
          T const share = upper_share(k);
          out.own_x(k, j, i) = given ? T(0.5) * T(detail::doubled_half_weight(code, 0)) : T(0.5) * (face[0] + face[1]);
          out.own_y(k, j, i) = given ? T(0.5) * T(detail::doubled_half_weight(code, 1)) : T(0.5) * (face[2] + face[3]);
          out.own_z(k, j, i) =
              given ? T(0.5) * T(detail::doubled_half_weight(code, 2)) : share * face[4] + (T(1) - share) * face[5];
        }
      });
}

/// Encodes. Returns the flat index of the first cell that a code cannot hold, or the number of cells.
template <class Exec, class T>
std::int64_t encode(Exec const& space, FaceCoefficients<Exec, T> const& in, WallCodes<Exec> const& codes,
                    Kokkos::View<T const*, typename Exec::memory_space> const& upper_share) {
  auto const ny = static_cast<std::int64_t>(codes.extent(1));
  auto const nx = static_cast<std::int64_t>(codes.extent(2));
  auto const cells = static_cast<std::int64_t>(codes.size());
  bool const weights = in.has_own_weights();
  std::int64_t first_bad = cells;
  Kokkos::parallel_reduce(
      "karman::wall_codes::encode_coefficients", all_cells(space, codes),
      KOKKOS_LAMBDA(int k, int j, int i, std::int64_t& first) {
        T const face[6] = {in.east(k, j, i),  in.west(k, j, i), in.north(k, j, i),
                           in.south(k, j, i), in.top(k, j, i),  in.bottom(k, j, i)};
        unsigned code = 0;
        bool good = true;
        for (int n = 0; n < 6; ++n) {
          unsigned const bits = detail::face_bits(2.0 * static_cast<double>(face[n]));
          good = good && bits < 4;
          code |= (bits & 3u) << (2 * n);
        }
        if (weights) {
          T const share = upper_share(k);
          T const x = in.own_x(k, j, i), y = in.own_y(k, j, i), z = in.own_z(k, j, i);
          bool const consistent = x == T(0.5) * (face[0] + face[1]) && y == T(0.5) * (face[2] + face[3]) &&
                                  z == share * face[4] + (T(1) - share) * face[5];
          if (!consistent) {
            bool const larson = (x == T(1) || x == T(0.5)) && (y == T(1) || y == T(0.5)) && (z == T(1) || z == T(0.5));
            good = good && larson;
            code |= detail::half_weights_flag | (x == T(1) ? 1u << 12 : 0u) | (y == T(1) ? 1u << 13 : 0u) |
                    (z == T(1) ? 1u << 14 : 0u);
          }
        }
        codes(k, j, i) = static_cast<WallCode>(code);
        std::int64_t const cell = (k * ny + j) * nx + i;
        if (!good && cell < first) first = cell;
      },
      Kokkos::Min<std::int64_t>(first_bad));
  return first_bad < cells ? first_bad : cells;
}

/// dz_t^-1 / (dz_t^-1 + dz_b^-1) of every layer: the weight of the top face in the consistent own_z.
template <class Exec, class T>
Kokkos::View<T const*, typename Exec::memory_space> upper_shares(Exec const& space, UniformGrid const& grid) {
  std::vector<T> shares;
  for (int k = 0; k < grid.nz(); ++k) {
    double const up = 1 / grid.dz_between(k + 1);
    double const down = 1 / grid.dz_between(k);
    shares.push_back(static_cast<T>(up / (up + down)));
  }
  return device_copy(space, shares, "karman::wall_codes::upper_shares");
}

template <class Exec, class T>
Field<Exec, T> new_field(Exec const& space, std::array<int, 3> const& extents, std::string const& label) {
  return Field<Exec, T>(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, label), extents[0], extents[1],
                        extents[2]);
}

}  // namespace

std::array<bool, 3> Boundaries::periodic() const {
  require((east == Boundary::periodic) == (west == Boundary::periodic) &&
              (north == Boundary::periodic) == (south == Boundary::periodic) &&
              (top == Boundary::periodic) == (bottom == Boundary::periodic),
          "Boundaries: the two sides of an axis must be periodic together");
  return {east == Boundary::periodic, north == Boundary::periodic, top == Boundary::periodic};
}

template <ExecutionSpace Exec>
WallCodes<Exec> make_wall_codes(Exec const& space, UniformGrid const& grid, Boundaries const& boundaries,
                                ConstField<Exec, std::uint8_t> const& solid, Communicator const& communicator) {
  auto const extents = grid.extents(Location::cell);
  communicator.check_in_all([&] {
    require(solid.size() == 0 || has_extents(solid, extents), "make_wall_codes: solid must have shape (nz, ny, nx)");
    boundaries.periodic();
  });
  detail::ProblemPart const part(communicator, grid, boundaries, "make_wall_codes");
  auto const codes = new_field<Exec, WallCode>(space, extents, "karman::wall_codes");
  Kokkos::Array<unsigned, 6> sides{};
  Kokkos::Array<bool, 3> periodic{};
  std::array<bool, 3> const asked = part.sides.periodic();
  std::array<int, 3> const cells{grid.nx(), grid.ny(), grid.nz()};
  for (int side = 0; side < 6; ++side) {
    auto const axis = static_cast<std::size_t>(side / 2);
    bool const itself = asked[axis] && cells[axis] == 1;
    periodic[axis] = asked[axis] && !itself;
    sides[side] = itself ? 0u : side_bits(part.sides[static_cast<Side>(side)]);
  }
  encode_solid(space, codes, solid, sides, periodic);
  if (!part.is_cut()) return codes;
  // A part without cells has none to give.
  bool const all_give = communicator.agree(solid.size() != 0 || grid.cell_count() == 0);
  bool const none_gives = communicator.agree(solid.size() == 0);
  require(all_give || none_gives, "make_wall_codes: some processes give solid cells, others none");
  if (!none_gives) close_cut_faces(space, grid, part, solid, codes);
  return codes;
}

template <ExecutionSpace Exec, Real T>
FaceCoefficients<Exec, T> unpack(Exec const& space, UniformGrid const& grid, WallCodes<Exec> const& codes) {
  auto const extents = grid.extents(Location::cell);
  require(has_extents(codes, extents), "unpack: codes must have shape (nz, ny, nx)");
  auto const field = [&](std::string const& label) { return new_field<Exec, T>(space, extents, label); };
  FaceCoefficients<Exec, T> out(field("karman::wall_codes::east"), field("karman::wall_codes::west"),
                                field("karman::wall_codes::north"), field("karman::wall_codes::south"),
                                field("karman::wall_codes::top"), field("karman::wall_codes::bottom"));
  if (any_given_weights(space, codes)) {
    out.own_x = field("karman::wall_codes::own_x");
    out.own_y = field("karman::wall_codes::own_y");
    out.own_z = field("karman::wall_codes::own_z");
  }
  decode(space, codes, out, upper_shares<Exec, T>(space, grid));
  return out;
}

template <ExecutionSpace Exec, Real T>
WallCodes<Exec> pack(Exec const& space, UniformGrid const& grid, FaceCoefficients<Exec, T> const& coefficients) {
  auto const extents = grid.extents(Location::cell);
  for (auto const& field : coefficients.faces()) {
    require(has_extents(field, extents), "pack: face coefficients must have shape (nz, ny, nx)");
  }
  for (auto const& field : coefficients.own_weights()) {
    require(!coefficients.has_own_weights() || has_extents(field, extents),
            "pack: own_x, own_y, own_z must have shape (nz, ny, nx), or be empty all three");
  }
  auto const codes = new_field<Exec, WallCode>(space, extents, "karman::wall_codes");
  std::int64_t const bad = encode(space, coefficients, codes, upper_shares<Exec, T>(space, grid));
  if (bad < grid.cell_count()) {
    std::int64_t const nx = grid.nx();
    std::int64_t const ny = grid.ny();
    require(false, "pack: cell (k, j, i) = (" + std::to_string(bad / (nx * ny)) + ", " + std::to_string(bad / nx % ny) +
                       ", " + std::to_string(bad % nx) +
                       ") has a coefficient without a wall code; faces take 0, 1/2, 1, 2, and own weights 1/2 "
                       "or 1 unless they follow from the faces");
  }
  return codes;
}

#define KARMAN_INSTANTIATE(Exec)                                                                                       \
  template WallCodes<Exec> make_wall_codes<Exec>(Exec const&, UniformGrid const&, Boundaries const&,                   \
                                                 ConstField<Exec, std::uint8_t> const&, Communicator const&);          \
  template FaceCoefficients<Exec, float> unpack<Exec, float>(Exec const&, UniformGrid const&, WallCodes<Exec> const&); \
  template FaceCoefficients<Exec, double> unpack<Exec, double>(Exec const&, UniformGrid const&,                        \
                                                               WallCodes<Exec> const&);                                \
  template WallCodes<Exec> pack<Exec, float>(Exec const&, UniformGrid const&, FaceCoefficients<Exec, float> const&);   \
  template WallCodes<Exec> pack<Exec, double>(Exec const&, UniformGrid const&, FaceCoefficients<Exec, double> const&);
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
