// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Exchange of values between the processes of a communicator: halos of boxes and of meshes.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/communicator.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/core/transport.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace karman {

/// Regular block of values in an array. Value (a, b, c) lies at first + a strides[0] + b strides[1] + c strides[2].
struct StridedBlock {
  std::int64_t first = 0;                        ///< index of value (0, 0, 0)
  std::array<std::int64_t, 3> extents{1, 1, 1};  ///< number of values in each direction, the last one the fastest
  std::array<std::int64_t, 3> strides{0, 0, 0};  ///< distance of neighbours in the array
  /// Number of values.
  std::int64_t size() const { return extents[0] * extents[1] * extents[2]; }
};

/// Values that pass between this process and another one, as blocks. The blocks to receive have the sizes and the order
/// of the blocks that the other process sends here.
struct BlockNeighbor {
  int rank = 0;                       ///< the other process
  std::vector<StridedBlock> send;     ///< of the array of begin()
  std::vector<StridedBlock> receive;  ///< of the array of end()
};

/// The same as lists of indices.
struct IndexNeighbor {
  int rank = 0;                       ///< the other process
  std::vector<std::int64_t> send;     ///< indices into the array of begin()
  std::vector<std::int64_t> receive;  ///< indices into the array of end(), in the order in which the other one sends
};

/// Sends values of an array to the processes around and receives theirs.
///
/// One kernel packs all values, one message goes to each neighbour, one kernel unpacks. The interior of a field can be
/// computed between begin() and end(). Values to receive must have different indices.
///
/// Allocates in its constructor alone. Plans may be moved, not copied; one plan serves one instance at a time.
/// \tparam Exec execution space of the arrays
/// \tparam T float, double, std::uint8_t or std::int64_t
/// \par Cost
/// Per value 2 sizeof(T) read and 2 sizeof(T) written, and 8 B of an index list. Memory: the values that are sent and
/// received, on the device and, staged, in pinned memory of the host.
/// \par Errors
/// std::runtime_error with the text of the message library where it reports a failure.
template <ExecutionSpace Exec, class T>
class Exchange {
 public:
  /// No plan; assign one before its use.
  Exchange() = default;

  /// Blocks of arrays. Collective over the communicator.
  /// \param space execution space instance
  /// \param communicator the processes
  /// \param neighbors one entry for each process with which values pass; may be empty in some processes
  /// \throws std::invalid_argument in all processes, where the numbers of values sent and received differ
  /// \par Synchrony
  /// Fences `space`.
  Exchange(Exec const& space, Communicator const& communicator, std::vector<BlockNeighbor> const& neighbors);

  /// Lists of indices. Otherwise as for blocks.
  Exchange(Exec const& space, Communicator const& communicator, std::vector<IndexNeighbor> const& neighbors);

  /// Starts to send.
  /// \param space execution space instance
  /// \param values array in the memory of `Exec`; may change after the call
  /// \par Synchrony
  /// Transport::nccl: asynchronous on `space`. Others fence `space` after the kernel that packs.
  void begin(Exec const& space, T const* values);

  /// Ends the exchange of the last begin().
  /// \param space execution space instance
  /// \param values array in the memory of `Exec`
  /// \par Synchrony
  /// Asynchronous on `space`. Transports other than Transport::nccl wait for the messages.
  void end(Exec const& space, T* values);

  /// begin(), then end().
  void exchange(Exec const& space, T* values) {
    begin(space, values);
    end(space, values);
  }

  /// How the values pass.
  Transport transport() const;
  /// Bytes that this process sends in one exchange.
  std::int64_t bytes_sent() const;
  /// Memory of the plan in the memory of `Exec`. Values of messages count also where Transport::staged keeps them in
  /// pinned memory of the host.
  std::int64_t workspace_bytes() const;
  /// The same before the plan is made; an upper bound, reached where any process has a neighbour. Not collective.
  /// \param neighbors as of the constructor
  static std::int64_t workspace_bytes(std::vector<BlockNeighbor> const& neighbors);

 private:
  struct State;
  detail::PlanState<State> state_;
};

#define KARMAN_EXTERN(Exec)                           \
  extern template class Exchange<Exec, float>;        \
  extern template class Exchange<Exec, double>;       \
  extern template class Exchange<Exec, std::uint8_t>; \
  extern template class Exchange<Exec, std::int64_t>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
