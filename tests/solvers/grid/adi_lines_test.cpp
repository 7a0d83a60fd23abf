// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Algorithms for the lines of a part against those for the lines of the whole grid. They give a line its bits.
#include "grid/relaxation/adi_lines.hpp"

#include "tridiagonal/systems.hpp"
#include <karman/core/uniform_grid.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>

namespace adi_lines_test {

using namespace karman;
using detail::WholeBatch;

/// A functor as a row source has no layout of its own.
struct NoRows {};

/// Choices of a device and of a host, by the field on a grid alone.
template <class T>
std::array<std::int64_t, 3> choice(UniformGrid const& grid, int axis, WholeBatch const& whole) {
  auto const lines = detail::lines_along(grid, axis, false);
  auto const along = detail::systems_along(static_cast<T*>(nullptr), grid, axis);
  auto const layout = detail::batch_layout(NoRows(), detail::read_only(along), along, lines);
  auto const device = detail::device_choice<T>(lines, layout, whole);
  return {device.unit, device.on_chip ? 1 : 0, detail::host_chunks<T>(lines, whole, {})};
}

template <class T>
void compare_parts() {
  std::mt19937 random(5);
  auto const draw = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  std::array<int, 3> without{};
  for (int n = 0; n < 2000; ++n) {
    auto const axis = static_cast<std::size_t>(n % 3);
    std::array<int, 3> cells{1 + draw(12), 1 + draw(12), 1 + draw(12)}, own{};
    cells[axis] = n % 2 == 0 ? 1 + draw(200) : 1 + draw(9000);
    for (std::size_t a = 0; a < 3; ++a) own[a] = a == axis ? cells[a] : 1 + draw(cells[a]);
    UniformGrid const grid(cells, {1, 1, 1}), part(own, {1, 1, 1});
    int const lines = static_cast<int>(axis);
    auto const whole = detail::whole_batch(cells, lines);
    auto const expected = choice<T>(grid, lines, {});
    EXPECT_EQ(choice<T>(grid, lines, whole), expected) << n;
    EXPECT_EQ(choice<T>(part, lines, whole), expected) << n;
    auto const alone = choice<T>(part, lines, {});
    for (std::size_t i = 0; i < 3; ++i) without[i] += alone[i] != expected[i] ? 1 : 0;
  }
  // Parts that chose by themselves would often have other algorithms.
  for (int const different : without) EXPECT_GT(different, 10);
}

TEST(AdiLines, PartsHaveTheAlgorithmsOfTheWhole) {
  compare_parts<float>();
  compare_parts<double>();
}

}  // namespace adi_lines_test
