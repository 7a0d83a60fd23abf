// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Assembly of finite-element matrices and vectors on triangles, without races, by the strategy of the caller's choice.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/mesh/triangle_mesh.hpp>
#include <karman/solvers/csr.hpp>
#include <karman/solvers/fem_element.hpp>
#include <karman/solvers/fem_profile.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>

namespace karman {

namespace detail {
template <class Exec>
struct FemPlan;
}

/// How contributions of several triangles come together in one entry. All give the same matrix to round-off.
enum class AssemblyStrategy {
  automatic,        ///< automatic_strategy(): row_gather on a device, row_blocks on a host
  atomic,           ///< every triangle adds its nine entries atomically, in any order: rounding differs from run to run
  coloured,         ///< the same without atomics, colour by colour: triangles of one colour share no node
  coloured_blocks,  ///< blocks of triangles are put together in team scratch, blocks of one colour at a time
  row_gather,       ///< the owner of a row walks round its node and integrates every triangle there: nothing is shared
  row_blocks,       ///< the owner of a block of rows puts them together in team scratch from every triangle there
  expanded          ///< element matrices are stored, then every entry sums its own
};

/// "automatic", "atomic", "coloured", "coloured_blocks", "row_gather", "row_blocks", "expanded".
std::string_view name(AssemblyStrategy strategy);

/// The quickest on machines that were measured.
template <ExecutionSpace Exec>
constexpr AssemblyStrategy automatic_strategy() {
  return runs_on_host<Exec> ? AssemblyStrategy::row_blocks : AssemblyStrategy::row_gather;
}

/// Whether a strategy needs FemProfile::element_entries.
bool needs_element_map(AssemblyStrategy strategy);

/// The order in which rows (row_gather, row_blocks) or triangles (atomic, coloured) are taken. The matrix is always in
/// the mesh's own numbering; the order decides what memory serves at one time.
enum class AssemblyOrder {
  automatic,   ///< as_given where most nodes lie near the one before them, otherwise and with row_blocks along_curve
  as_given,    ///< of the mesh
  along_curve  ///< along a Hilbert curve through the nodes
};

/// What is settled when the plan is made.
struct FemAssemblySetup {
  AssemblyStrategy strategy = AssemblyStrategy::automatic;
  AssemblyOrder order = AssemblyOrder::automatic;
  /// sizeof the largest scalar that assemble() will be called with: element storage (expanded) and blocks are made for
  /// it.
  std::size_t value_bytes = sizeof(double);
  /// Of row_gather and row_blocks: keeps the numbers of triangles, 12 and about 4 bytes a triangle. Kernels need them
  /// unless they say needs_number = false.
  bool triangle_numbers = true;
  /// Of coloured_blocks; 0: the plan chooses.
  int block_triangles = 0;
  /// Of row_blocks; 0: the plan chooses.
  int block_rows = 0;
};

/// What a strategy needs beyond mesh and profile: made once, in parallel; the values are then assembled as often as
/// wanted without another allocation. It holds the mesh: coordinates that change in its memory are used from the next
/// assembly on.
///
/// Preconditions: the mesh is as check_mesh() wants it; row_gather moreover needs the triangles round every node to
/// make fans, or one ring. Memory a triangle: row_gather 15 bytes, 12 with numbers, 4 with along_curve; row_blocks
/// about 31, 4 with numbers; atomic none; coloured 52; coloured_blocks about 26; expanded 54 and 12 values. The
/// constructor waits for `space`. Throws std::invalid_argument for a profile of another mesh, one without the map of
/// the elements where the strategy needs it, and for a node whose triangles row_gather cannot order. Plans share what
/// they hold when copied; one plan with `expanded` serves one instance at a time, the others any number.
template <ExecutionSpace Exec>
class FemAssembly {
 public:
  using execution_space = Exec;

  FemAssembly(Exec const& space, TriangleMesh<Exec> const& mesh, FemProfile<Exec> const& profile,
              FemAssemblySetup const& setup = {});

  AssemblyStrategy strategy() const { return strategy_; }
  /// Whether rows or triangles are taken along a curve.
  bool reordered() const;
  /// Whether the same mesh and kernel give the same bits from run to run, for any number of threads.
  /// atomic is not, nor is row_blocks on a device, whose threads add in scratch in any order.
  bool deterministic() const;
  /// Memory of the plan in the memory of `Exec`, without mesh and profile.
  std::int64_t workspace_bytes() const;

  detail::FemPlan<Exec> const& plan() const { return *plan_; }  ///< for assemble()

 private:
  AssemblyStrategy strategy_;
  std::shared_ptr<detail::FemPlan<Exec> const> plan_;
};

/// matrix = sum over the triangles of their element matrices, vector likewise: for test functions i, trial functions j,
///   A_ij = sum_T a_T(i, j),  b_i = sum_T b_T(i).
/// What was in both before is gone. Give no vector, or an empty one, where none is wanted. `matrix` has the graph of
/// the plan's profile (make_csr_matrix<Scalar>(space, profile.graph)), `vector` a value a node.
///
/// Traffic with memory for real doubles and the Laplacian, bytes a triangle (n nodes are about 2 n triangles and 7 n
/// entries): row_gather 53, atomic 140, coloured the same less 28, coloured_blocks 57 and row_blocks 66 and what blocks
/// share, expanded 242. The element kernel runs three times a triangle with row_gather, for a row each time, once
/// otherwise, and with row_blocks once more for every further block that a triangle touches.
/// Asynchronous on `space`; allocates nothing. Throws std::invalid_argument for a matrix or vector of another size, and
/// for a kernel that needs triangle numbers which the plan does not keep.
/// Sources: C. Cecka, A. J. Lew, E. Darve, Assembly of finite element methods on graphics processors, Int. J. Numer.
/// Meth. Engng 85 (2011); G. R. Markall et al., Finite element assembly strategies on multi-core and many-core
/// architectures, Int. J. Numer. Meth. Fluids 71 (2013).
template <ExecutionSpace Exec, SparseScalar Scalar, ElementKernel<Scalar> Kernel>
void assemble(Exec const& space, FemAssembly<Exec> const& plan, Kernel const& kernel,
              CsrMatrix<Exec, Scalar> const& matrix,
              std::type_identity_t<Kokkos::View<Scalar*, typename Exec::memory_space>> const& vector = {});

/// Adds the integrals over the boundary edges to what assemble() has left: matrix += , vector +=. A kernel tells edges
/// apart by BoundaryEdge::label. The same bits from run to run with every strategy. Asynchronous; allocates nothing.
template <ExecutionSpace Exec, SparseScalar Scalar, EdgeKernel<Scalar> Kernel>
void add_boundary(Exec const& space, FemAssembly<Exec> const& plan, Kernel const& kernel,
                  CsrMatrix<Exec, Scalar> const& matrix,
                  std::type_identity_t<Kokkos::View<Scalar*, typename Exec::memory_space>> const& vector = {});

#define KARMAN_EXTERN(Exec) extern template class FemAssembly<Exec>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman

#include <karman/solvers/detail/fem_assembly_impl.hpp>
