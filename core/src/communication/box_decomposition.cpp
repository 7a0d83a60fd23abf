// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <karman/core/box_decomposition.hpp>
#include <karman/core/error.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace karman {

namespace {

std::string text(std::array<int, 3> const& n) {
  return std::to_string(n[0]) + " x " + std::to_string(n[1]) + " x " + std::to_string(n[2]);
}

/// Ranges of nearly equal size, with edges at multiples of `multiple`.
std::vector<int> equal_edges(int cells, int parts, int multiple) {
  std::int64_t const units = (std::int64_t(cells) + multiple - 1) / multiple;
  std::vector<int> edges;
  for (std::int64_t part = 0; part < parts; ++part) edges.push_back(static_cast<int>(part * units / parts * multiple));
  edges.push_back(cells);
  return edges;
}

/// Largest number of parts along an axis that leaves every part a cell.
int most_parts(int cells, int multiple) { return (cells - 1) / multiple + 1; }

/// Parts along x and y.
std::array<int, 2> choose_parts(std::array<int, 3> const& cells, int processes,
                                BoxDecompositionOptions const& options) {
  constexpr int slabs = 8;            // from here on, boxes have less surface than slabs of whole rows
  constexpr double strided_cost = 2;  // the values of a face in x lie apart in memory
  std::array<int, 2> const most{most_parts(cells[0], options.multiple), most_parts(cells[1], options.multiple)};
  std::array<int, 2> best{0, 0};
  double least = std::numeric_limits<double>::infinity();
  for (int py = 1; py <= processes; ++py) {
    int const px = processes / py;
    if (px * py != processes || px > most[0] || py > most[1]) continue;
    if ((options.parts[0] != 0 && px != options.parts[0]) || (options.parts[1] != 0 && py != options.parts[1]))
      continue;
    double const faces_x = px > 1 ? strided_cost * cells[1] / py : 0;
    double const faces_y = py > 1 ? double(cells[0]) / px : 0;
    bool const prefers_slabs = processes <= slabs && px == 1;
    double const cost = prefers_slabs ? -1 : faces_x + faces_y;
    if (cost <= least) {  // of equal ones that with more rows
      least = cost;
      best = {px, py};
    }
  }
  std::string const multiples =
      options.multiple > 1 ? ", with edges at multiples of " + std::to_string(options.multiple) + " cells" : "";
  require(best[0] > 0, "BoxDecomposition: " + std::to_string(processes) + " processes do not divide the " +
                           std::to_string(cells[0]) + " x " + std::to_string(cells[1]) + " columns into " +
                           (options.parts[0] != 0 ? std::to_string(options.parts[0]) : "n") + " x " +
                           (options.parts[1] != 0 ? std::to_string(options.parts[1]) : "m") + " parts; at most " +
                           std::to_string(most[0]) + " x " + std::to_string(most[1]) + multiples);
  return best;
}

}  // namespace

BoxDecomposition::BoxDecomposition(std::array<int, 3> cells, int processes, BoxDecompositionOptions const& options) {
  require(*std::min_element(cells.begin(), cells.end()) >= 1,
          "BoxDecomposition: needs a cell in every direction, found " + text(cells));
  require(processes >= 1, "BoxDecomposition: needs at least one process, found " + std::to_string(processes));
  require(options.multiple >= 1,
          "BoxDecomposition: edges are multiples of at least 1 cell, found " + std::to_string(options.multiple));
  require(options.parts[0] >= 0 && options.parts[1] >= 0, "BoxDecomposition: numbers of parts must not be negative");
  auto const [px, py] = choose_parts(cells, processes, options);
  edges_ = {equal_edges(cells[0], px, options.multiple), equal_edges(cells[1], py, options.multiple), {0, cells[2]}};
}

BoxDecomposition::BoxDecomposition(std::array<std::vector<int>, 3> edges) : edges_(std::move(edges)) {
  for (auto const& axis : edges_) {
    require(axis.size() >= 2 && axis.front() == 0 && axis.back() >= 1 && std::is_sorted(axis.begin(), axis.end()),
            "BoxDecomposition: edges of an axis begin at 0, end at the number of cells and never fall");
  }
}

BoxDecomposition BoxDecomposition::gathered(Communicator const& communicator, UniformGrid const& grid) {
  struct Part {
    std::array<int, 3> cells;
    Box box;
  };
  std::vector<Part> const all = communicator.all_gather(Part{grid.global_cells(), grid.own_box()});
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    require(all[rank].cells == all[0].cells, "BoxDecomposition: process 0 has a part of a grid of " +
                                                 text(all[0].cells) + " cells, process " + std::to_string(rank) +
                                                 " one of " + text(all[rank].cells));
  }
  // Empty boxes leave more than one division into rows of parts; each of them has the same cells.
  for (int px = 1; px <= communicator.size(); ++px) {
    if (communicator.size() % px != 0) continue;
    std::array<std::vector<int>, 3> edges{std::vector{0}, {0}, {0, all[0].cells[2]}};
    for (int part = 0; part < px; ++part) edges[0].push_back(all[static_cast<std::size_t>(part)].box.end[0]);
    for (std::size_t first = 0; first < all.size(); first += static_cast<std::size_t>(px)) {
      edges[1].push_back(all[first].box.end[1]);
    }
    bool fits = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      fits = fits && std::is_sorted(edges[axis].begin(), edges[axis].end()) && edges[axis].back() == all[0].cells[axis];
    }
    if (!fits) continue;
    BoxDecomposition result(std::move(edges));
    for (int rank = 0; fits && rank < communicator.size(); ++rank) {
      Box const expected = result.box(rank), found = all[static_cast<std::size_t>(rank)].box;
      fits = expected.begin == found.begin && expected.end == found.end;
    }
    if (fits) return result;
  }
  throw std::invalid_argument("BoxDecomposition: the boxes of " + std::to_string(communicator.size()) +
                              " processes must divide the x and y of the grid of " + text(all[0].cells) +
                              " cells in ranges, with processes numbered along x first");
}

std::array<int, 3> BoxDecomposition::cells() const { return {edges_[0].back(), edges_[1].back(), edges_[2].back()}; }

std::array<int, 3> BoxDecomposition::parts() const {
  std::array<int, 3> result{};
  for (std::size_t axis = 0; axis < 3; ++axis) result[axis] = static_cast<int>(edges_[axis].size()) - 1;
  return result;
}

int BoxDecomposition::processes() const {
  auto const n = parts();
  return n[0] * n[1] * n[2];
}

std::array<int, 3> BoxDecomposition::place(int rank) const {
  require(rank >= 0 && rank < processes(), "BoxDecomposition: a rank lies between 0 and " +
                                               std::to_string(processes() - 1) + ", found " + std::to_string(rank));
  auto const n = parts();
  return {rank % n[0], rank / n[0] % n[1], rank / n[0] / n[1]};
}

Box BoxDecomposition::box(int rank) const {
  auto const at = place(rank);
  Box result;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    result.begin[axis] = edges_[axis][static_cast<std::size_t>(at[axis])];
    result.end[axis] = edges_[axis][static_cast<std::size_t>(at[axis]) + 1];
  }
  return result;
}

int BoxDecomposition::neighbor(int rank, int axis, int step, bool periodic) const {
  auto at = place(rank);
  auto const n = parts();
  std::size_t const a = static_cast<std::size_t>(axis);
  std::array<int, 3> const strides{1, n[0], n[0] * n[1]};
  for (int tries = 0; tries < n[a]; ++tries) {
    at[a] += step;
    if (!periodic && (at[a] < 0 || at[a] >= n[a])) return -1;
    at[a] = (at[a] + n[a]) % n[a];
    std::size_t const p = static_cast<std::size_t>(at[a]);
    if (edges_[a][p] < edges_[a][p + 1]) return at[0] * strides[0] + at[1] * strides[1] + at[2] * strides[2];
  }
  return -1;
}

UniformGrid BoxDecomposition::part(UniformGrid const& whole, int rank) const {
  require(whole.global_cells() == cells(), "BoxDecomposition: divides a grid of " + text(cells()) +
                                               " cells, found one of " + text(whole.global_cells()));
  return whole.part(box(rank));
}

}  // namespace karman
