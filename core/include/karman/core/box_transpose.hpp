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
  /// \throws std::invalid_argument in all processes, for a list without a box for every process, boxes that overlap,
  /// and lists of different cells
  /// \par Synchrony
  /// Fences `space`.
  BoxTranspose(Exec const& space, Communicator const& communicator, std::vector<Box> const& from,
               std::vector<Box> const& to);

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
