// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Processes that work together on one problem. Standard library only; karman/core/mpi.hpp makes one from MPI.
#pragma once

#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace karman {

namespace detail {
class ProcessGroup;
}

/// Numbers that may travel between processes as bytes.
template <class T>
concept Transferable = std::is_trivially_copyable_v<T>;

/// A number of processes, each with a rank from 0. Copies name the same processes.
///
/// A call of a member function other than rank(), size() and description() is collective: all processes make it, in the
/// same order, from the thread that initialised the message library.
/// \par Cost
/// One collective message of the library; with one process none.
/// \par Errors
/// std::runtime_error with the text of the message library where it reports a failure.
class Communicator {
 public:
  /// One process, this one. Needs no message library.
  Communicator() = default;
  /// \param group processes of a message library; see communicator_of() of karman/core/mpi.hpp
  explicit Communicator(std::shared_ptr<detail::ProcessGroup const> group);

  /// Number of this process, from 0.
  int rank() const;
  /// Number of processes.
  int size() const;
  /// True in the process with rank 0, which reads and reports for all.
  bool is_first() const { return rank() == 0; }
  /// Message library and version, or "one process".
  std::string description() const;

  /// \param value that of this process
  /// \return the values of all processes, in order of rank
  template <Transferable T>
  std::vector<T> all_gather(T const& value) const {
    std::vector<T> all(static_cast<std::size_t>(size()), value);
    gather_equal(std::as_bytes(std::span(&value, 1)), std::as_writable_bytes(std::span(all)));
    return all;
  }

  /// Arrays of any lengths, one from each process.
  /// \param values array of this process
  /// \return the arrays of all processes, in order of rank
  template <Transferable T>
  std::vector<std::vector<T>> all_gather_arrays(std::span<T const> values) const {
    std::vector<std::size_t> const counts = all_gather(values.size());
    std::size_t total = 0;
    for (std::size_t const count : counts) total += count;
    std::vector<T> joined(total);
    gather(std::as_bytes(values), counts, sizeof(T), std::as_writable_bytes(std::span(joined)));
    std::vector<std::vector<T>> arrays;
    auto from = joined.begin();
    for (std::size_t const count : counts) {
      arrays.emplace_back(from, from + static_cast<std::ptrdiff_t>(count));
      from += static_cast<std::ptrdiff_t>(count);
    }
    return arrays;
  }

  /// Arrays of any lengths, one from each process, for the first one alone. The sizes are one collective message, the
  /// arrays one message from each other process to the first.
  /// \param values array of this process
  /// \return in the first process the arrays of all, in order of rank; in the others nothing
  template <Transferable T>
  std::vector<std::vector<T>> gather_arrays(std::span<T const> values) const {
    std::vector<std::size_t> const counts = all_gather(values.size());
    std::vector<std::vector<T>> arrays;
    std::vector<std::span<std::byte>> all;
    for (std::size_t n = 0; is_first() && n < counts.size(); ++n) arrays.emplace_back(counts[n]);
    for (std::vector<T>& array : arrays) all.push_back(std::as_writable_bytes(std::span(array)));
    gather_to_first(std::as_bytes(values), all);
    return arrays;
  }

  /// \param value of this process
  /// \param root rank of the process whose value counts
  /// \return the value of `root`
  template <Transferable T>
  T broadcast(T value, int root = 0) const {
    broadcast_bytes(std::as_writable_bytes(std::span(&value, 1)), root);
    return value;
  }

  /// \param text of this process
  /// \param root rank of the process whose text counts
  /// \return the text of `root`, whatever its length
  std::string broadcast(std::string text, int root = 0) const;

  /// \param mine answer of this process
  /// \return true where the answer of every process is true
  bool agree(bool mine) const;

  /// Sum over all processes, joined in order of rank: the same bits in every run with this number of processes.
  /// \param value term of this process
  template <class T>
    requires std::is_arithmetic_v<T>
  T sum(T value) const {
    T total = 0;
    for (T const term : all_gather(value)) total = static_cast<T>(total + term);
    return total;
  }

  /// The largest value of all processes; a value that is not a number in any of them is the result.
  /// \param value of this process
  template <class T>
    requires std::is_arithmetic_v<T>
  T largest(T value) const {
    T result = value;
    bool first = true;
    for (T const other : all_gather(value)) {
      if (first || !(other <= result)) result = other;
      if (!(result == result)) return result;
      first = false;
    }
    return result;
  }

  /// The smallest value of all processes; a value that is not a number in any of them is the result.
  /// \param value of this process
  template <class T>
    requires std::is_floating_point_v<T>
  T smallest(T value) const {
    return -largest(-value);
  }

  /// Euclidean norm of all processes, as of Reducer::norm_l2() for a field in parts. Squares neither overflow nor
  /// vanish. They are joined in order of rank.
  /// \param value norm of the part of this process
  template <class T>
    requires std::is_floating_point_v<T>
  T norm(T value) const {
    if (size() == 1) return value;
    T const scale = largest(value);
    if (!(scale > 0 && std::isfinite(scale))) return scale;
    T const ratio = value / scale;
    return scale * std::sqrt(sum(ratio * ratio));
  }

  /// Runs a check in every process. Where it throws std::invalid_argument in one of them, it does so in all. Processes
  /// in which the check passed get the message of the first one in which it failed, with its rank.
  /// \param check must make no collective call
  void check_in_all(std::function<void()> const& check) const;

  /// Waits until all processes have come here.
  void barrier() const { agree(true); }

  /// The processes that give the same colour, in the order of their ranks.
  /// \param color any number from 0
  Communicator split(int color) const;

  /// The processes behind, for the parts of the library that move fields.
  detail::ProcessGroup const& group() const;

 private:
  void gather_equal(std::span<std::byte const> mine, std::span<std::byte> all) const;
  void gather(std::span<std::byte const> mine, std::span<std::size_t const> counts, std::size_t size_of_value,
              std::span<std::byte> all) const;
  void gather_to_first(std::span<std::byte const> mine, std::span<std::span<std::byte> const> all) const;
  void broadcast_bytes(std::span<std::byte> bytes, int root) const;

  std::shared_ptr<detail::ProcessGroup const> group_;  // null: this process alone
};

}  // namespace karman
