// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Assembly of finite-element matrices and vectors on triangles, without races, by a strategy of the caller's choice.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/triangle_mesh.hpp>
#include <karman/solvers/fem/fem_assembly_options.hpp>
#include <karman/solvers/fem/fem_element.hpp>
#include <karman/solvers/fem/fem_profile.hpp>
#include <karman/solvers/sparse/csr.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace karman {

namespace detail {
template <class Exec>
struct FemPlan;
}

/// Fastest strategy on the measured machines.
template <ExecutionSpace Exec>
constexpr AssemblyStrategy automatic_strategy() {
  return runs_on_host<Exec> ? AssemblyStrategy::row_blocks : AssemblyStrategy::row_gather;
}

/// True for a strategy that needs FemProfile::element_entries.
bool needs_element_map(AssemblyStrategy strategy);

/// Plan of an assembly: the data of a strategy beyond mesh and profile, made once, in parallel.
///
/// Any number of assemblies follow without another allocation. The plan holds the mesh: new coordinates in its memory
/// take effect with the next assembly.
/// \pre The mesh has no faults (check_mesh()). For row_gather, the triangles around every node form fans, or one ring.
/// \par Cost
/// Memory per triangle:
/// - row_gather: 15 bytes, 12 with numbers, 4 with along_curve;
/// - row_blocks: about 31 bytes, 4 with numbers;
/// - atomic: none;
/// - coloured: 52 bytes;
/// - colored_blocks: about 26 bytes;
/// - expanded: 54 bytes and 12 values.
///
/// \par Synchrony
/// The constructor fences `space`. Copies share their data. A plan with `expanded` serves one instance at a time, all
/// others any number.
/// \throws std::invalid_argument for a profile of another mesh, or without the element map that the strategy needs; for
/// a node whose triangles row_gather cannot order
template <ExecutionSpace Exec>
class FemAssembly {
 public:
  using execution_space = Exec;  ///< execution space of the plan

  /// Makes the plan.
  /// \param space instance of the kernels
  /// \param mesh mesh to keep
  /// \param profile profile of that mesh
  /// \param setup strategy and options
  FemAssembly(Exec const& space, TriangleMesh<Exec> const& mesh, FemProfile<Exec> const& profile,
              FemAssemblySetup const& setup = {});

  /// Strategy of the plan.
  AssemblyStrategy strategy() const { return strategy_; }
  /// True when rows or triangles follow a curve.
  bool reordered() const;
  /// True when the same mesh and kernel give the same bits from run to run, for any number of threads. False for
  /// atomic, and for row_blocks on a device, whose threads add in scratch in any order.
  bool deterministic() const;
  /// Bytes of the plan in the memory of `Exec`, without mesh and profile.
  std::int64_t workspace_bytes() const;

  detail::FemPlan<Exec> const& plan() const { return *plan_; }  ///< data of assemble()

 private:
  AssemblyStrategy strategy_;
  std::shared_ptr<detail::FemPlan<Exec> const> plan_;
};

/// Assembles a matrix and a vector from element integrals. For test functions i and trial functions j,
///
///     A_ij = sum_T a_T(i, j),  b_i = sum_T b_T(i).
///
/// The former content of both is overwritten.
/// \param space instance of the kernels
/// \param plan plan of the mesh
/// \param kernel element kernel
/// \param matrix matrix with the graph of the plan's profile: make_csr_matrix<Scalar>(space, profile.graph)
/// \param vector one value per node, or empty for none
/// \par Cost
/// The kernel runs once per triangle; with row_gather three times, for one row each time; with row_blocks once per
/// block of the triangle. Bytes per triangle for the Laplacian in real doubles (n nodes are about 2 n triangles and 7 n
/// entries):
/// - row_gather: 53, and 58 more where it moves rows;
/// - atomic: 140;
/// - coloured: 112;
/// - colored_blocks: 57, and the shared part of blocks;
/// - row_blocks: 66, and the shared part of blocks;
/// - expanded: 242.
///
/// \par Synchrony
/// Asynchronous on `space`; allocates nothing.
/// \throws std::invalid_argument for a matrix or vector of another size, and for a kernel that needs triangle numbers
/// which the plan does not keep
/// \par Source
/// C. Cecka, A. J. Lew, E. Darve, Assembly of finite element methods on graphics processors, Int. J. Numer. Meth. Engng
/// 85 (2011); G. R. Markall et al., Finite element assembly strategies on multi-core and many-core architectures, Int.
/// J. Numer. Meth. Fluids 71 (2013).
template <ExecutionSpace Exec, SparseScalar Scalar, ElementKernel<Scalar> Kernel>
void assemble(Exec const& space, FemAssembly<Exec> const& plan, Kernel const& kernel,
              CsrMatrix<Exec, Scalar> const& matrix,
              std::type_identity_t<Kokkos::View<Scalar*, typename Exec::memory_space>> const& vector = {});

/// Adds the integrals over the boundary edges to matrix and vector. Kernels distinguish edges by BoundaryEdge::label.
/// \param space instance of the kernels
/// \param plan plan of the mesh
/// \param kernel edge kernel
/// \param matrix matrix with the graph of the plan's profile
/// \param vector one value per node, or empty for none
/// \par Synchrony
/// Asynchronous on `space`; allocates nothing.
/// \par Reproducibility
/// The same bits from run to run with every strategy.
/// \throws std::invalid_argument for a matrix or vector of another size
template <ExecutionSpace Exec, SparseScalar Scalar, EdgeKernel<Scalar> Kernel>
void add_boundary(Exec const& space, FemAssembly<Exec> const& plan, Kernel const& kernel,
                  CsrMatrix<Exec, Scalar> const& matrix,
                  std::type_identity_t<Kokkos::View<Scalar*, typename Exec::memory_space>> const& vector = {});

#define KARMAN_EXTERN(Exec) extern template class FemAssembly<Exec>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman

#include <karman/solvers/detail/fem_assembly_impl.hpp>
