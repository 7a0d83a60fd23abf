// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Meshes for assembly, in three numberings, and the check of every assembly.
///
/// A square of n x n cells with two triangles each. Nodes are moved by up to a fifth of a side, and one diagonal in
/// eight is flipped. So coefficients and valences (4 to 8) vary as in a mesh from a generator.
#pragma once

#include "space_work.hpp"
#include "traffic.hpp"
#include <karman/mesh/mesh_data.hpp>
#include <karman/mesh/triangle_mesh.hpp>
#include <karman/solvers/fem/fem_assembly.hpp>
#include <karman/solvers/fem/fem_kernels.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace karman::perf {

/// Numbering of nodes and triangles.
enum class Numbering {
  ordered,    ///< row by row, as from a structured generator
  shuffled,   ///< at random: the worst order of a file
  renumbered  ///< the shuffled one, renumbered along a Hilbert curve by its user
};

inline char const* name(Numbering numbering) {
  switch (numbering) {
    case Numbering::ordered: return "ordered";
    case Numbering::shuffled: return "shuffled";
    case Numbering::renumbered: return "renumbered";
  }
  return "";
}

/// The mesh of n x n cells; the last mesh is kept.
std::shared_ptr<MeshData const> assembly_mesh(int n, Numbering numbering);

/// Equation of the matrix.
enum class Equation { laplacian, mild_slope };

template <Equation equation, class T>
using AssemblyScalar = std::conditional_t<equation == Equation::laplacian, T, Kokkos::complex<T>>;
template <Equation equation, class Exec, class T>
using AssemblyKernel =
    std::conditional_t<equation == Equation::laplacian, P1Laplacian<T>, P1Terms<Exec, Kokkos::complex<T>>>;

// Kernels of this header have names: more than one file includes it.

/// Slope of the bed in both directions.
template <class Exec, class T>
struct MildSlopeCoefficients {
  TriangleMesh<Exec> mesh;
  Kokkos::View<T*, typename Exec::memory_space> diffusion;
  Kokkos::View<Kokkos::complex<T>*, typename Exec::memory_space> reaction;

  KOKKOS_FUNCTION void operator()(int i) const {
    double const x = mesh.nodes(i, 0), y = mesh.nodes(i, 1);
    diffusion(i) = T(1 + x + 0.5 * y);
    reaction(i) = Kokkos::complex<T>(T(-40 * (1 + y)), T(-3 * x));
  }
};

/// A mesh on a backend with its profile and a matrix.
template <class Exec, Equation equation, class T>
struct AssemblyProblem {
  using Scalar = AssemblyScalar<equation, T>;
  using Kernel = AssemblyKernel<equation, Exec, T>;
  TriangleMesh<Exec> mesh;
  FemProfile<Exec> profile;
  CsrMatrix<Exec, Scalar> matrix;
  Kernel kernel;

  AssemblyProblem(Exec const& space, MeshData const& data)
      : mesh(make_triangle_mesh(space, data)),
        profile(make_fem_profile(space, mesh)),
        matrix(make_csr_matrix<Scalar>(space, profile.graph)) {
    if constexpr (equation == Equation::mild_slope) {
      Kokkos::View<T*, typename Exec::memory_space> const diffusion("karman::perf::diffusion", data.nodes.size());
      Kokkos::View<Scalar*, typename Exec::memory_space> const reaction("karman::perf::reaction", data.nodes.size());
      Kokkos::parallel_for("karman::perf::coefficients", Kokkos::RangePolicy<Exec>(space, 0, mesh.node_count()),
                           MildSlopeCoefficients<Exec, T>{mesh, diffusion, reaction});
      kernel.diffusion = diffusion;
      kernel.reaction = reaction;
    }
  }
};

/// A way to assemble: Karman's or a peer's.
template <class Exec, Equation equation, class T>
class AssemblyImplementation {
 public:
  virtual ~AssemblyImplementation() = default;
  virtual void run(Exec const& space, AssemblyProblem<Exec, equation, T> const& problem) = 0;
};

template <class Exec, Equation equation, class T>
using AssemblyMaker = std::function<std::unique_ptr<AssemblyImplementation<Exec, equation, T>>(
    Exec const&, AssemblyProblem<Exec, equation, T> const&)>;

/// Distinct weights of the columns, between 1 and 2.
KOKKOS_INLINE_FUNCTION double assembly_weight(int node) { return 1 + double((node * 37LL) % 101) / 101; }

/// Of each row: real and imaginary part of A w, and the sum of magnitudes.
template <class Exec>
using RowSums = Kokkos::View<double* [3], typename Exec::memory_space>;

/// Computes A w from the elements.
template <class Exec, class Scalar, class Kernel>
struct ApplyElements {
  TriangleMesh<Exec> mesh;
  Kernel kernel;
  RowSums<Exec> sums;

  KOKKOS_FUNCTION void operator()(int t) const {
    Triangle triangle;
    triangle.number = t;
    for (int m = 0; m < 3; ++m) {
      triangle.node[m] = mesh.triangles(t, m);
      triangle.x[m] = mesh.nodes(triangle.node[m], 0);
      triangle.y[m] = mesh.nodes(triangle.node[m], 1);
    }
    ElementMatrix<Scalar, 3> a;
    ElementVector<Scalar, 3> b;
    integrate<Scalar>(kernel, triangle, a, b);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        double const w = assembly_weight(triangle.node[j]);
        Kokkos::complex<double> const value(a(i, j));
        Kokkos::atomic_add(&sums(triangle.node[i], 0), value.real() * w);
        Kokkos::atomic_add(&sums(triangle.node[i], 1), value.imag() * w);
        double const size = compat::math::fabs(value.real()) + compat::math::fabs(value.imag());
        Kokkos::atomic_add(&sums(triangle.node[i], 2), size * w);
      }
    }
  }
};

/// A w element by element, w = assembly_weight(). Asynchronous.
template <class Scalar, class Exec, class Kernel>
RowSums<Exec> element_sums(Exec const& space, TriangleMesh<Exec> const& mesh, Kernel const& kernel) {
  RowSums<Exec> const sums("karman::perf::sums", mesh.nodes.extent(0));
  Kokkos::parallel_for("karman::perf::apply_elements", Kokkos::RangePolicy<Exec>(space, 0, mesh.triangle_count()),
                       ApplyElements<Exec, Scalar, Kernel>{mesh, kernel, sums});
  return sums;
}

/// The largest difference of a row of A w from the sums, relative to the magnitudes in it.
template <class Exec, class Scalar>
struct LargestDifference {
  CsrMatrix<Exec, Scalar> matrix;
  RowSums<Exec> sums;

  KOKKOS_FUNCTION void operator()(int i, double& worst) const {
    double real = -sums(i, 0), imaginary = -sums(i, 1);
    for (int n = matrix.graph.offsets(i); n < matrix.graph.offsets(i + 1); ++n) {
      double const w = assembly_weight(matrix.graph.entries(n));
      Kokkos::complex<double> const value(matrix.values(n));
      real += value.real() * w;
      imaginary += value.imag() * w;
    }
    double const difference = (compat::math::fabs(real) + compat::math::fabs(imaginary)) / sums(i, 2);
    if (!(difference <= worst)) worst = difference;
  }
};

/// Adds 1 % to an entry.
template <class Exec, class Scalar>
struct SpoilMatrix {
  CsrMatrix<Exec, Scalar> matrix;
  KOKKOS_FUNCTION void operator()(int) const {
    matrix.values(matrix.graph.offsets(matrix.rows() / 2)) *= Scalar(1.01f);
  }
};

/// Compares the matrix times a vector with distinct weights to the same product from the elements.
template <class Exec, Equation equation, class T>
class AssemblyWork final : public SpaceWork<Exec> {
 public:
  using Problem = AssemblyProblem<Exec, equation, T>;
  using Scalar = typename Problem::Scalar;

  AssemblyWork(Exec const& space, MeshData const& data, AssemblyMaker<Exec, equation, T> const& make)
      : SpaceWork<Exec>(space), problem_(space, data), implementation_(make(space, problem_)) {
    this->fence();
  }

  std::string check(bool spoil) override {
    auto const& matrix = problem_.matrix;
    Kokkos::deep_copy(this->space(), matrix.values, Scalar(std::numeric_limits<T>::quiet_NaN()));
    run();
    auto const sums = element_sums<Scalar>(this->space(), problem_.mesh, problem_.kernel);
    double const difference = worst_row(this->space(), matrix.rows(), LargestDifference<Exec, Scalar>{matrix, sums},
                                        spoil, SpoilMatrix<Exec, Scalar>{matrix});
    // Bound of the difference. The angles of these triangles are between about 20 and 120 degrees. A coefficient then
    // differs by at most ten roundings, relative to the diagonal, when its corners come in another order. Every entry
    // is rounded once more, and a row adds up at most 30 numbers.
    return compare("the largest difference of a row", difference, 0, 50 * double(std::numeric_limits<T>::epsilon()));
  }

 protected:
  void run() override { implementation_->run(this->space(), problem_); }

 private:
  Problem problem_;
  std::unique_ptr<AssemblyImplementation<Exec, equation, T>> implementation_;
};

}  // namespace karman::perf
