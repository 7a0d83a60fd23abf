// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Storage of the peers with a separate array for each colour: filled and checked through Kokkos, swept by others.
#pragma once

#include "../sor_problem.hpp"
#include "../space_work.hpp"

#include <stdexcept>

namespace karman::perf {

/// x and right-hand side of both colours with a layer of ghosts: own cell (k, j, i) of either colour is at (k + 1, j +
/// 1, i / 2 + 1). The right-hand side is divided by the cell's own weight.
template <class Exec, class T>
struct SplitColors {
  using Array = Kokkos::View<T***, Kokkos::LayoutRight, typename Exec::memory_space>;
  using Policy = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>>;

  SorBox box;
  SorShape<Exec> shape;
  Array lambda[2], rhs[2];

  SplitColors(Exec const& space, SorProblem const& problem) : box(problem.box()), shape(space, problem) {
    if (box.nx % 2 != 0) throw std::invalid_argument("the split-colour peers need an even nx");
    for (int color : {0, 1}) {
      lambda[color] = allocate<Array>(space, "karman::perf::lambda", box.nz + 2, box.ny + 2, pitch());
      rhs[color] = allocate<Array>(space, "karman::perf::rhs", box.nz + 2, box.ny + 2, pitch());
    }
  }

  /// Values in a row, ghosts included, rounded up to whole cache lines.
  std::int64_t pitch() const { return (box.nx / 2 + 2 + 31) / 32 * 32; }

  void fill(Exec const& space, SorAmplitudes const& amplitudes, double source) const {
    for (int color : {0, 1}) fill_color(space, color, color == 0 ? amplitudes.red : amplitudes.black, source);
  }

  void fill_color(Exec const& space, int color, double amplitude, double source) const {
    auto const values = lambda[color];
    auto const right = rhs[color];
    auto const v = shape;
    int const nx = box.nx, ny = box.ny, nz = box.nz;
    int const columns = int(values.extent(2));
    Kokkos::parallel_for(
        "karman::perf::fill", Policy(space, {0, 0}, {nz + 2, ny + 2}), KOKKOS_LAMBDA(int k, int j) {
          bool const inside = k > 0 && k <= nz && j > 0 && j <= ny;
          int const shift = (k + j + color) % 2;  // (k - 1) + (j - 1) has the same parity
          for (int m = 0; m < columns; ++m) {
            bool const own = inside && m > 0 && m <= nx / 2;
            double const shape_here = own ? v(k - 1, j - 1, 2 * (m - 1) + shift) : 0.0;
            values(k, j, m) = T(amplitude * shape_here);
            right(k, j, m) = T(source * shape_here);
          }
        });
  }

  double distance(Exec const& space, SorAmplitudes const& expected) const {
    double const red = distance_color(space, 0, expected.red);
    double const black = distance_color(space, 1, expected.black);
    return red > black ? red : black;
  }

  double distance_color(Exec const& space, int color, double amplitude) const {
    auto const values = lambda[color];
    auto const v = shape;
    int const half = box.nx / 2;
    double largest = 0;
    Kokkos::parallel_reduce(
        "karman::perf::check", Policy(space, {0, 0}, {box.nz, box.ny}),
        KOKKOS_LAMBDA(int k, int j, double& worst) {
          int const shift = (k + j + color) % 2;
          for (int m = 0; m < half; ++m) {
            double const difference =
                compat::math::fabs(double(values(k + 1, j + 1, m + 1)) - amplitude * v(k, j, 2 * m + shift));
            if (!(difference <= worst)) worst = difference;
          }
        },
        Kokkos::Max<double>(largest));
    return largest;
  }
};

}  // namespace karman::perf
