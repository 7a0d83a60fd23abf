// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Colouring of the triangles of a mesh, starting from the mesh itself: the cost of a set-up.
#include "assembly_problem.hpp"
#include "traffic.hpp"
#ifdef KARMAN_PERF_KOKKOS_KERNELS
#include "peers/kokkos_kernels_coloring.hpp"
#endif
#include <karman/mesh/coloring.hpp>

#include <stdexcept>

namespace karman::perf {

namespace {

template <class Exec>
using ColoringMaker = std::function<Coloring<Exec>(Exec const&, TriangleMesh<Exec> const&)>;

template <class Exec>
void spoil_color(Exec const& space, TriangleMesh<Exec> const& mesh, Coloring<Exec>& coloring) {
  // Gives triangle 1 the colour of triangle 0, its neighbour or not; the classes disagree in either case.
  Kokkos::View<int*, typename Exec::memory_space> const color("karman::perf::color", mesh.triangles.extent(0));
  Kokkos::deep_copy(space, color, coloring.color);
  Kokkos::parallel_for(
      "karman::perf::spoil", Kokkos::RangePolicy<Exec>(space, 0, 1),
      KOKKOS_LAMBDA(int) { color(1) = color(1) == color(0) ? color(0) + 1 : color(0); });
  coloring.color = color;
}

template <class Exec>
class ColoringWork final : public SpaceWork<Exec> {
 public:
  ColoringWork(Exec const& space, MeshData const& data, ColoringMaker<Exec> make)
      : SpaceWork<Exec>(space), mesh_(make_triangle_mesh(space, data)), make_(std::move(make)) {}

  std::string check(bool spoil) override {
    auto coloring = make_(this->space(), mesh_);
    if (spoil) spoil_color(this->space(), mesh_, coloring);
    if (!is_valid(this->space(), mesh_, coloring)) return "two triangles of one colour share a node";
    // Upper bound of a greedy method, and at least the number of triangles around a node.
    bool const few = coloring.colors >= coloring.lower_bound && coloring.colors <= 3 * (coloring.lower_bound - 1) + 1;
    return few ? "" : "impossible number of colours, " + std::to_string(coloring.colors);
  }

 protected:
  void run() override { make_(this->space(), mesh_); }

 private:
  TriangleMesh<Exec> mesh_;
  ColoringMaker<Exec> make_;
};

template <class Exec>
void append_row(std::vector<Row>& rows, std::string const& algorithm, int cells, Numbering numbering, char const* peer,
                ColoringMaker<Exec> const& make) {
  double const triangles = 2.0 * cells * cells;
  Row row;
  row.family = "coloring";
  row.algorithm = algorithm + '_' + name(numbering);
  row.backend = name(backend_of<Exec>());
  row.precision = "f64";
  row.size = std::to_string(static_cast<std::int64_t>(triangles));
  row.peer = peer;
  row.unit = "triangles";
  row.units = triangles;
  row.bytes = traffic::coloring(triangles);
  row.memory_bytes = 400 * triangles;
  row.prepare = [cells, numbering, make] {
    return std::make_unique<ColoringWork<Exec>>(Exec(), *assembly_mesh(cells, numbering), make);
  };
  rows.push_back(std::move(row));
}

template <class Exec>
void append_own(std::vector<Row>& rows, char const* algorithm, int cells, Numbering numbering,
                ColoringOptions const& options) {
  append_row<Exec>(rows, algorithm, cells, numbering, "", [options](Exec const& space, TriangleMesh<Exec> const& mesh) {
    return color_elements(space, mesh, options);
  });
}

template <class Exec>
void append_coloring(std::vector<Row>& rows, Selection const& selection) {
  using M = ColoringMethod;
  bool const host = runs_on_host<Exec>;
  int const large = host ? 512 : 2048, small = selection.quick ? 128 : 512;
  for (Numbering numbering : {Numbering::ordered, Numbering::shuffled}) {
    append_own<Exec>(rows, "parallel", large, numbering, {});
#ifdef KARMAN_PERF_KOKKOS_KERNELS
    append_row<Exec>(rows, "parallel", large, numbering, "kokkos_kernels", kokkos_kernels_coloring<Exec>);
#endif
    if (selection.quick) continue;
    append_own<Exec>(rows, "balanced", large, numbering, {.balanced = true});
    append_own<Exec>(rows, "random_order", large, numbering, {.method = M::random_order});
    if (!host) continue;
    append_own<Exec>(rows, "given_order", small, numbering, {.method = M::given_order});
    append_own<Exec>(rows, "largest_degree_first", small, numbering, {.method = M::largest_degree_first});
    append_own<Exec>(rows, "lexicographic_bfs", small, numbering, {.method = M::lexicographic_bfs});
  }
}

}  // namespace

void append_coloring_rows(std::vector<Row>& rows, Selection const& selection) {
#define KARMAN_APPEND(Exec) append_coloring<Exec>(rows, selection);
  KARMAN_FOR_EACH_BACKEND(KARMAN_APPEND)
#undef KARMAN_APPEND
}

}  // namespace karman::perf
