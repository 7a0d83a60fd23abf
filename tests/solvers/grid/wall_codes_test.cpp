// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends.hpp"
#include "fields.hpp"
#include <karman/solvers/grid/wall_codes.hpp>

#include <gtest/gtest.h>

#include <string>

namespace wall_codes_test {

using namespace karman;
using karman::test::HostField;
using karman::test::to_device;
using karman::test::to_host;

template <class Parameter>
class WallCodesOn : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using T = typename Parameter::real;
  Exec space;
};
TYPED_TEST_SUITE(WallCodesOn, karman::test::AllBackends, karman::test::BackendNames);

unsigned face_of(WallCode code, int face) { return (code >> (2 * face)) & 3u; }

TYPED_TEST(WallCodesOn, MarksWallsAndSides) {
  using Exec = typename TestFixture::Exec;
  UniformGrid const grid({4, 3, 2}, {1, 1, 1});
  HostField<std::uint8_t> solid(grid.extents(Location::cell));
  solid(0, 1, 2) = 1;
  Boundaries sides = Boundaries::all(Boundary::fixed);
  sides.bottom = Boundary::neumann;
  sides.west = Boundary::dirichlet;
  auto const codes =
      to_host(this->space, make_wall_codes<Exec>(this->space, grid, sides, to_device(this->space, solid)));
  EXPECT_EQ(codes(0, 1, 2), 0) << "a solid cell has six closed faces";
  EXPECT_EQ(face_of(codes(0, 1, 1), 0), 0u) << "the face toward the solid cell is a wall";
  EXPECT_EQ(face_of(codes(0, 1, 3), 1), 0u);
  EXPECT_EQ(face_of(codes(0, 0, 2), 2), 0u);
  EXPECT_EQ(face_of(codes(0, 2, 2), 3), 0u);
  EXPECT_EQ(face_of(codes(1, 1, 2), 5), 0u);
  EXPECT_EQ(face_of(codes(0, 0, 0), 1), 3u) << "Dirichlet on the side itself";
  EXPECT_EQ(face_of(codes(0, 0, 0), 5), 0u) << "Neumann";
  EXPECT_EQ(face_of(codes(0, 0, 0), 3), 2u) << "ghost centre";
  EXPECT_EQ(codes(1, 1, 1) & 0x00ffu, open_cell_code & 0x00ffu);
}

TYPED_TEST(WallCodesOn, PacksAndUnpacksEveryState) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  // 4^6 face states, each with the consistent weights and with the eight given ones.
  UniformGrid const grid({4096, 9, 1}, {1, 1, 2});
  HostField<WallCode> codes(grid.extents(Location::cell));
  codes.fill([](int, int j, int i) { return j == 8 ? i : (i | 0x8000 | j << 12); });
  auto const device = to_device(this->space, codes);
  auto const arrays = unpack<Exec, T>(this->space, grid, device);
  ASSERT_EQ(arrays.own_x.size(), codes.values.size());
  auto const again = to_host(this->space, pack(this->space, grid, arrays));
  auto const arrays_again = unpack<Exec, T>(this->space, grid, to_device(this->space, again));
  // A given weight that equals the consistent one may be decoded as such, so the arrays are compared.
  auto const expect_equal = [&](Field<Exec, T> const& a, Field<Exec, T> const& b) {
    EXPECT_EQ(to_host(this->space, a).values, to_host(this->space, b).values);
  };
  expect_equal(arrays.east, arrays_again.east);
  expect_equal(arrays.bottom, arrays_again.bottom);
  expect_equal(arrays.own_x, arrays_again.own_x);
  expect_equal(arrays.own_z, arrays_again.own_z);
  for (int i = 0; i < 4096; ++i) EXPECT_EQ(again(0, 8, i), codes(0, 8, i));
}

TYPED_TEST(WallCodesOn, LeavesOutWeightsThatFollowFromTheFaces) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({3, 3, 3}, {1, 1, 1});
  auto const codes = make_wall_codes<Exec>(this->space, grid, Boundaries::all(Boundary::fixed));
  EXPECT_EQ((unpack<Exec, T>(this->space, grid, codes).own_x.size()), 0u);
}

TYPED_TEST(WallCodesOn, RefusesWhatACodeCannotHold) {
  using Exec = typename TestFixture::Exec;
  using T = typename TestFixture::T;
  UniformGrid const grid({3, 4, 5}, {1, 1, 1});
  auto const codes = make_wall_codes<Exec>(this->space, grid, Boundaries::all(Boundary::fixed));
  auto arrays = unpack<Exec, T>(this->space, grid, codes);
  auto north = to_host(this->space, arrays.north);
  north(2, 1, 0) = T(0.3);
  arrays.north = to_device(this->space, north);
  try {
    pack(this->space, grid, arrays);
    FAIL() << "0.3 was packed";
  } catch (std::invalid_argument const& error) {
    EXPECT_NE(std::string(error.what()).find("(2, 1, 0)"), std::string::npos) << error.what();
  }
  UniformGrid const other({3, 4, 6}, {1, 1, 1});
  EXPECT_THROW((unpack<Exec, T>(this->space, other, codes)), std::invalid_argument);
  EXPECT_THROW(
      (make_wall_codes<Exec>(this->space, other, {}, to_device(this->space, HostField<std::uint8_t>({1, 1, 1})))),
      std::invalid_argument);
}

}  // namespace wall_codes_test
