// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Transposition of a field among processes: from one division into boxes to another one.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/communicator.hpp>
#include <karman/core/exchange.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/core/transport.hpp>
#include <karman/core/uniform_grid.hpp>

#include <cstdint>
#include <vector>

namespace karman {

/// Begin of a slab among `planes` in `slabs` parts, which differ by one plane at most.
constexpr int slab_edge(int planes, int slab, int slabs) {
  return static_cast<int>(std::int64_t(planes) * slab / slabs);
}

/// Moves a field between two divisions among the processes. So lines of one axis, and then lines of
/// another, are whole in one process.
///
/// A process holds the values of its box, x contiguous, then y, then z, without gaps. For complex values, count two
/// cells for each along x. One kernel packs all values and one unpacks. One message goes to each process whose box has
/// common cells. Messages of 4 MiB and more pass in up to four stages: a stage is packed and unpacked while others are
/// under way. Cells that stay in a process are copied beside the messages.
///
/// Allocates in its constructor alone. Plans may be moved, not copied; one plan serves one instance at a time.
/// \tparam Exec execution space of the arrays
/// \tparam T float or double
/// \par Cost
/// Per value that changes its process 2 sizeof(T) read and 2 sizeof(T) written, otherwise half of that. Memory: the
/// values that are sent and received, once for both directions. It is on the device or, staged, in pinned memory of
/// the host.
/// \par Errors
/// std::runtime_error with the text of the message library where it reports a failure.
template <ExecutionSpace Exec, class T>
class BoxTranspose {
 public:
  /// No plan; assign one before its use.
  BoxTranspose() = default;

  /// Collective over the communicator.
  /// \param space execution space instance
  /// \param communicator the processes
  /// \param from box of every process, in order of rank, the same list in all processes; boxes may be empty
  /// \param to the same after the transposition
  /// \param slabs number of slabs, the same in all processes: slab s of S has the planes of slab_edge(n, s, S) to
  /// slab_edge(n, s + 1, S) of the n along z
  /// \throws std::invalid_argument in all processes: a list without a box for every process, boxes that overlap,
  /// lists of different cells, fewer than one slab
  /// \par Synchrony
  /// Fences `space`.
  BoxTranspose(Exec const& space, Communicator const& communicator, std::vector<Box> const& from,
               std::vector<Box> const& to, int slabs = 1);

  /// Arrays in any order of their values. Collective over the communicator.
  /// \param space execution space instance
  /// \param communicator the processes
  /// \param partners one entry for each process with which values pass, and one for the values that stay in this
  /// process. `send` are blocks of the array `from`, `receive` of the array `to`; all together have every value of both
  /// arrays once.
  /// \throws std::invalid_argument in all processes, where the numbers of values sent and received differ
  /// \par Synchrony
  /// Fences `space`.
  BoxTranspose(Exec const& space, Communicator const& communicator, std::vector<BlockNeighbor> const& partners);

  /// Arrays in any order of their values, in slabs.
  /// \param space execution space instance
  /// \param communicator the processes
  /// \param slabs partners of every slab, at least one slab and the same number in all processes. All slabs together
  /// have every value of both arrays once.
  /// \throws std::invalid_argument in all processes, where the numbers of values sent and received differ, and for
  /// different numbers of slabs
  /// \par Synchrony
  /// Fences `space`.
  BoxTranspose(Exec const& space, Communicator const& communicator,
               std::vector<std::vector<BlockNeighbor>> const& slabs);

  /// Moves a field to the boxes `to`.
  /// \param space execution space instance
  /// \param from values of the box of this process in `from`
  /// \param to values of its box in `to`; must not overlap the other array
  /// \par Synchrony
  /// Transport::nccl: asynchronous on `space`. Others fence `space` after the kernel that packs and wait for messages.
  void forward(Exec const& space, T const* from, T* to);

  /// Moves a field back. Otherwise as forward().
  /// \param space execution space instance
  /// \param to values of the box of this process in `to`
  /// \param from values of its box in `from`
  void backward(Exec const& space, T const* to, T* from);

  /// Sends a slab. All slabs begin, in order, before the first one ends.
  /// \param space execution space instance
  /// \param slab number of the slab
  /// \param from as of forward(); values of this slab may change after its end
  /// \par Synchrony
  /// Transport::nccl: asynchronous on `space`. Others fence `space` after the kernel that packs.
  void begin_forward(Exec const& space, int slab, T const* from);
  /// Receives a slab.
  /// \param space execution space instance
  /// \param slab number of the slab
  /// \param from as of begin_forward()
  /// \param to as of forward(); the values of this slab are written
  /// \par Synchrony
  /// Asynchronous on `space`. Transports other than Transport::nccl wait for the messages.
  void end_forward(Exec const& space, int slab, T const* from, T* to);
  /// As begin_forward(), of backward().
  void begin_backward(Exec const& space, int slab, T const* to);
  /// As end_forward(), of backward().
  void end_backward(Exec const& space, int slab, T const* to, T* from);

  /// Number of slabs.
  int slabs() const;
  /// How the values pass; Transport::none where all cells stay in their process.
  Transport transport() const;
  /// Bytes that this process sends in forward().
  std::int64_t bytes_sent() const;
  /// Memory of the plan in the memory of `Exec`. Values of messages count also where Transport::staged keeps them in
  /// pinned memory of the host.
  std::int64_t workspace_bytes() const;

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                        \
  extern template class BoxTranspose<Exec, float>; \
  extern template class BoxTranspose<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
