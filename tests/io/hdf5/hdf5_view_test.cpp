// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backends.hpp"
#include "io/expect_message.hpp"
#include "io/temporary_folder.hpp"
#include <karman/io/error.hpp>
#include <karman/io/hdf5_view.hpp>

#include <gtest/gtest.h>

#include <stdexcept>

namespace karman::test {

template <class Exec>
using Field = Kokkos::View<double***, Kokkos::LayoutRight, typename Exec::memory_space>;

template <class Exec>
void number(Exec const& space, Field<Exec> const& field) {
  int const ny = static_cast<int>(field.extent(1)), nx = static_cast<int>(field.extent(2));
  int const count = static_cast<int>(field.size());
  Kokkos::parallel_for(
      "karman::test::number", Kokkos::RangePolicy<Exec>(space, 0, count),
      KOKKOS_LAMBDA(int n) { field(n / (nx * ny), n / nx % ny, n % nx) = 0.5 * n; });
}

template <class Exec>
class Hdf5View : public ::testing::Test {};
TYPED_TEST_SUITE(Hdf5View, AllBackendsDouble, BackendNames);

TYPED_TEST(Hdf5View, ComesBackFromTheFile) {
  using Exec = typename TypeParam::execution_space;
  Exec const space;
  TemporaryFolder const folder;
  Field<Exec> const field("karman::test::field", 2, 3, 5);
  number(space, field);
  Kokkos::View<float*, typename Exec::memory_space> const line("karman::test::line", 7);
  Kokkos::View<int, typename Exec::memory_space> const single("karman::test::single");
  Kokkos::View<double**, Kokkos::LayoutRight, typename Exec::memory_space> const none("karman::test::none", 0, 4);
  Kokkos::deep_copy(space, line, 1.25f);
  Kokkos::deep_copy(space, single, 42);
  {
    Hdf5File file = Hdf5File::create(folder / "a.h5");
    write_view(space, file, "/field", field, {.chunk = {}, .deflate = 1});
    write_view(space, file, "/line", line);
    write_view(space, file, "/single", single);
    write_view(space, file, "/none", none);
    file.commit();
  }
  Hdf5File const file = Hdf5File::open(folder / "a.h5");
  EXPECT_EQ(file.info("/field").extents, ArrayExtents(2, 3, 5));
  EXPECT_EQ(file.info("/single").extents, ArrayExtents());
  EXPECT_EQ(file.info("/none").extents, ArrayExtents(0, 4));
  EXPECT_EQ(file.read_vector<float>("/line"), std::vector<float>(7, 1.25f));
  auto const stored = file.read_vector<double>("/field");
  for (std::size_t n = 0; n < stored.size(); ++n) EXPECT_EQ(stored[n], 0.5 * static_cast<double>(n));

  Field<Exec> const again("karman::test::again", 2, 3, 5);
  read_view(space, file, "/field", again);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), again);
  EXPECT_EQ(host(1, 2, 4), 0.5 * 29);
  Field<Exec> const other("karman::test::other", 2, 5, 3);
  EXPECT_THROW(read_view(space, file, "/field", other), FileError);
}

TYPED_TEST(Hdf5View, IsRefusedWhereItsValuesLieOtherwise) {
  using Exec = typename TypeParam::execution_space;
  Exec const space;
  TemporaryFolder const folder;
  Hdf5File file = Hdf5File::create(folder / "a.h5");
  Kokkos::View<double**, Kokkos::LayoutLeft, typename Exec::memory_space> const left("left", 3, 4);
  std::string const message = message_of<std::invalid_argument>([&] { write_view(space, file, "/left", left); });
  EXPECT_EQ(
      message,
      "the View left for /left has stride 3 along axis 1, a file needs 1; copy it to a contiguous View of LayoutRight");
  Field<Exec> const whole("whole", 2, 3, 5);
  auto const part = Kokkos::subview(whole, Kokkos::ALL, Kokkos::ALL, std::pair(0, 4));
  EXPECT_TRUE(is_one_line(message_of<std::invalid_argument>([&] { write_view(space, file, "/part", part); })));
  EXPECT_TRUE(is_one_line(message_of<std::invalid_argument>([&] { read_view(space, file, "/part", part); })));
  // Planes one after the other are as contiguous as the whole.
  write_view(space, file, "/planes", Kokkos::subview(whole, std::pair(0, 1), Kokkos::ALL, Kokkos::ALL));
  EXPECT_EQ(file.info("/planes").extents, ArrayExtents(1, 3, 5));
  // A column of one row lies as a row does.
  Kokkos::View<double**, Kokkos::LayoutLeft, typename Exec::memory_space> const column("column", 5, 1);
  write_view(space, file, "/column", column);
  EXPECT_EQ(file.info("/column").extents, ArrayExtents(5, 1));
}

}  // namespace karman::test
