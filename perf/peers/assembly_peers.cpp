// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assembly_peers.hpp"

#include <karman/core/backend.hpp>
#include <karman/core/host_copy.hpp>

#include <Kokkos_ScatterView.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace karman::perf {

namespace {

template <class Exec, class T>
using Device = Kokkos::View<T*, typename Exec::memory_space>;

template <class Mesh>
KOKKOS_INLINE_FUNCTION Triangle triangle_of(Mesh const& mesh, int t) {
  Triangle triangle;
  triangle.number = t;
  for (int m = 0; m < 3; ++m) {
    triangle.node[m] = mesh.triangles(t, m);
    triangle.x[m] = mesh.nodes(triangle.node[m], 0);
    triangle.y[m] = mesh.nodes(triangle.node[m], 1);
  }
  return triangle;
}

template <class Exec, Equation equation, class T>
class ElementAtomics final : public AssemblyImplementation<Exec, equation, T> {
 public:
  using Problem = AssemblyProblem<Exec, equation, T>;
  using Scalar = typename Problem::Scalar;
  void run(Exec const& space, Problem const& problem) override {
    auto const mesh = problem.mesh;
    auto const kernel = problem.kernel;
    auto const entries = problem.profile.element_entries;
    auto const values = problem.matrix.values;
    Kokkos::deep_copy(space, values, Scalar(0));
    Kokkos::parallel_for(
        "karman::perf::element_atomics", Kokkos::RangePolicy<Exec>(space, 0, mesh.triangle_count()),
        KOKKOS_LAMBDA(int t) {
          ElementMatrix<Scalar, 3> a;
          ElementVector<Scalar, 3> b;
          integrate<Scalar>(kernel, triangle_of(mesh, t), a, b);
          for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) Kokkos::atomic_add(&values(entries(t, 3 * i + j)), a(i, j));
          }
        });
  }
};

template <class Exec, Equation equation, class T>
class ColorsWithGaps final : public AssemblyImplementation<Exec, equation, T> {
 public:
  using Problem = AssemblyProblem<Exec, equation, T>;
  using Scalar = typename Problem::Scalar;

  explicit ColorsWithGaps(Problem const& problem) {
    auto const triangles = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), problem.mesh.triangles);
    std::vector<std::uint64_t> taken(problem.mesh.nodes.extent(0), 0);  // colours at each node
    std::vector<std::uint8_t> colors(triangles.extent(0));
    for (std::size_t t = 0; t < colors.size(); ++t) {
      std::uint64_t const used = taken[std::size_t(triangles(t, 0))] | taken[std::size_t(triangles(t, 1))] |
                                 taken[std::size_t(triangles(t, 2))];
      int color = 0;
      while (used >> color & 1U) ++color;
      colors[t] = std::uint8_t(color);
      for (std::size_t m = 0; m < 3; ++m) taken[std::size_t(triangles(t, m))] |= std::uint64_t(1) << color;
      colors_ = std::max(colors_, color + 1);
    }
    color_ = device_copy(Exec(), colors, "karman::perf::colors");
  }

  void run(Exec const& space, Problem const& problem) override {
    auto const mesh = problem.mesh;
    auto const kernel = problem.kernel;
    auto const entries = problem.profile.element_entries;
    auto const values = problem.matrix.values;
    auto const color = color_;
    Kokkos::deep_copy(space, values, Scalar(0));
    for (int c = 0; c < colors_; ++c) {
      Kokkos::parallel_for(
          "karman::perf::colors_with_gaps", Kokkos::RangePolicy<Exec>(space, 0, mesh.triangle_count()),
          KOKKOS_LAMBDA(int t) {
            if (color(t) != c) return;
            ElementMatrix<Scalar, 3> a;
            ElementVector<Scalar, 3> b;
            integrate<Scalar>(kernel, triangle_of(mesh, t), a, b);
            for (int i = 0; i < 3; ++i) {
              for (int j = 0; j < 3; ++j) values(entries(t, 3 * i + j)) += a(i, j);
            }
          });
    }
  }

 private:
  Device<Exec, std::uint8_t> color_;
  int colors_ = 0;
};

template <class Exec, Equation equation, class T>
class CoordinateForm final : public AssemblyImplementation<Exec, equation, T> {
 public:
  using Problem = AssemblyProblem<Exec, equation, T>;
  using Scalar = typename Problem::Scalar;

  explicit CoordinateForm(Problem const& problem) {
    auto const entries = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), problem.profile.element_entries);
    std::vector<std::int64_t> first(problem.matrix.values.extent(0) + 1, 0), places(9 * entries.extent(0));
    for (std::size_t t = 0; t < entries.extent(0); ++t) {
      for (std::size_t n = 0; n < 9; ++n) ++first[std::size_t(entries(t, n)) + 1];
    }
    for (std::size_t n = 1; n < first.size(); ++n) first[n] += first[n - 1];
    std::vector<std::int64_t> next = first;
    for (std::size_t t = 0; t < entries.extent(0); ++t) {
      for (std::size_t n = 0; n < 9; ++n) {
        places[std::size_t(next[std::size_t(entries(t, n))]++)] = std::int64_t(9 * t + n);
      }
    }
    first_ = device_copy(Exec(), first, "karman::perf::first");
    places_ = device_copy(Exec(), places, "karman::perf::places");
    elements_ = Device<Exec, Scalar>("karman::perf::elements", 9 * entries.extent(0));
  }

  void run(Exec const& space, Problem const& problem) override {
    auto const mesh = problem.mesh;
    auto const kernel = problem.kernel;
    auto const values = problem.matrix.values;
    auto const elements = elements_;
    auto const first = first_, places = places_;
    Kokkos::parallel_for(
        "karman::perf::coordinate_values", Kokkos::RangePolicy<Exec>(space, 0, mesh.triangle_count()),
        KOKKOS_LAMBDA(int t) {
          ElementMatrix<Scalar, 3> a;
          ElementVector<Scalar, 3> b;
          integrate<Scalar>(kernel, triangle_of(mesh, t), a, b);
          for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) elements(9 * std::size_t(t) + 3 * i + j) = a(i, j);
          }
        });
    Kokkos::parallel_for(
        "karman::perf::coordinate_sums", Kokkos::RangePolicy<Exec>(space, 0, values.extent(0)), KOKKOS_LAMBDA(int n) {
          Scalar sum = Scalar(0);
          for (std::int64_t k = first(n); k < first(n + 1); ++k) sum += elements(places(k));
          values(n) = sum;
        });
  }

 private:
  Device<Exec, std::int64_t> first_, places_;
  Device<Exec, Scalar> elements_;
};

template <class Exec, Equation equation, class T>
class ScatterValues final : public AssemblyImplementation<Exec, equation, T> {
 public:
  using Problem = AssemblyProblem<Exec, equation, T>;
  using Scalar = typename Problem::Scalar;
  using Values = Kokkos::View<Scalar*, Kokkos::Device<Exec, typename Exec::memory_space>>;
  using Scatter = decltype(Kokkos::Experimental::create_scatter_view(std::declval<Values>()));

  explicit ScatterValues(Problem const& problem)
      : values_(problem.matrix.values), scatter_(Kokkos::Experimental::create_scatter_view(values_)) {}

  void run(Exec const& space, Problem const& problem) override {
    auto const mesh = problem.mesh;
    auto const kernel = problem.kernel;
    auto const entries = problem.profile.element_entries;
    auto const scatter = scatter_;
    Kokkos::deep_copy(space, values_, Scalar(0));
    scatter_.reset();
    Kokkos::parallel_for(
        "karman::perf::scatter_view", Kokkos::RangePolicy<Exec>(space, 0, mesh.triangle_count()), KOKKOS_LAMBDA(int t) {
          ElementMatrix<Scalar, 3> a;
          ElementVector<Scalar, 3> b;
          integrate<Scalar>(kernel, triangle_of(mesh, t), a, b);
          auto access = scatter.access();
          for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) access(entries(t, 3 * i + j)) += a(i, j);
          }
        });
    Kokkos::Experimental::contribute(values_, scatter_);
  }

 private:
  Values values_;
  Scatter scatter_;
};

}  // namespace

template <class Exec, Equation equation, class T>
AssemblyMaker<Exec, equation, T> element_atomics() {
  return [](Exec const&, AssemblyProblem<Exec, equation, T> const&) {
    return std::make_unique<ElementAtomics<Exec, equation, T>>();
  };
}
template <class Exec, Equation equation, class T>
AssemblyMaker<Exec, equation, T> colors_with_gaps() {
  return [](Exec const&, AssemblyProblem<Exec, equation, T> const& problem) {
    return std::make_unique<ColorsWithGaps<Exec, equation, T>>(problem);
  };
}
template <class Exec, Equation equation, class T>
AssemblyMaker<Exec, equation, T> coordinate_form() {
  return [](Exec const&, AssemblyProblem<Exec, equation, T> const& problem) {
    return std::make_unique<CoordinateForm<Exec, equation, T>>(problem);
  };
}
template <class Exec, Equation equation, class T>
AssemblyMaker<Exec, equation, T> scatter_view() {
  return [](Exec const&, AssemblyProblem<Exec, equation, T> const& problem) {
    return std::make_unique<ScatterValues<Exec, equation, T>>(problem);
  };
}

#define KARMAN_INSTANTIATE_CASE(Exec, equation, T)              \
  template AssemblyMaker<Exec, equation, T> element_atomics();  \
  template AssemblyMaker<Exec, equation, T> colors_with_gaps(); \
  template AssemblyMaker<Exec, equation, T> coordinate_form();  \
  template AssemblyMaker<Exec, equation, T> scatter_view();
#define KARMAN_INSTANTIATE(Exec)                             \
  KARMAN_INSTANTIATE_CASE(Exec, Equation::laplacian, double) \
  KARMAN_INSTANTIATE_CASE(Exec, Equation::laplacian, float)
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE
#undef KARMAN_INSTANTIATE_CASE

}  // namespace karman::perf
