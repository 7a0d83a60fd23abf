// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/solvers/tridiagonal/tridiagonal.hpp>

#include <cstdio>

namespace karman {

std::string_view name(TridiagonalAlgorithm algorithm) {
  switch (algorithm) {
    case TridiagonalAlgorithm::automatic: return "automatic";
    case TridiagonalAlgorithm::thomas: return "thomas";
    case TridiagonalAlgorithm::cyclic_reduction: return "cyclic_reduction";
    case TridiagonalAlgorithm::parallel_cyclic_reduction: return "parallel_cyclic_reduction";
    case TridiagonalAlgorithm::cr_pcr: return "cr_pcr";
    case TridiagonalAlgorithm::pcr_thomas: return "pcr_thomas";
    case TridiagonalAlgorithm::interleaved_thomas: return "interleaved_thomas";
    case TridiagonalAlgorithm::partitioned: return "partitioned";
    case TridiagonalAlgorithm::pivoting: return "pivoting";
  }
  return "unknown";
}

std::string summary(TridiagonalReport const& report) {
  char line[160];
  if (report.breakdown) {
    std::snprintf(line, sizeof line,
                  "breakdown in system %lld, row %lld; relative residual %.3g, pivot growth in order %.3g",
                  static_cast<long long>(report.system), static_cast<long long>(report.row), report.residual,
                  report.growth_in_order);
  } else {
    std::snprintf(line, sizeof line, "relative residual %.3g, pivot growth in order %.3g", report.residual,
                  report.growth_in_order);
  }
  return line;
}

TridiagonalShape TridiagonalShape::along(int axis, std::initializer_list<std::int64_t> extents) {
  TridiagonalShape shape;
  shape.rank = static_cast<int>(extents.size());
  shape.axis = axis;
  require(shape.rank >= 1 && shape.rank <= 3, "TridiagonalShape: systems lie in Views of rank 1, 2 or 3");
  require(axis >= 0 && axis < shape.rank, "TridiagonalShape: the axis must be one of the View's");
  std::size_t other = 0;
  int d = 0;
  for (std::int64_t const extent : extents) {
    if (d == axis) {
      shape.rows = extent;
    } else {
      shape.batch[other++] = extent;
    }
    ++d;
  }
  return shape;
}

}  // namespace karman
