// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The transforms of the fast Poisson solver over many processes: two divisions of the box, each with whole lines, and
/// the transpositions between them.
///
/// Transforms and messages overlap in slabs of planes, across which no line of either transform runs. Beside the
/// messages of a slab the first transform takes the next ones. The second transform takes slabs that have arrived.
#pragma once

#include "grid/stencil/problem_part.hpp"
#include "poisson_box.hpp"
#include <karman/core/box_transpose.hpp>
#include <karman/solvers/transforms/fft.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace karman::detail {

/// Boxes of all processes, counted along row, middle and columns of a PoissonBox.
///
/// 1. `given`: the parts of the caller.
/// 2. `lines`: whole lines of the axis that is transformed first, row, or middle where there is no row. The given parts
///    where their rows are whole, which saves two transpositions.
/// 3. `columns`: whole lines of all others; the modes of the first axis are cut. A spectrum has nx / 2 + 1 of them.
struct PoissonDivision {
  std::vector<Box> given, lines, columns;
  int first = -1;  ///< the axis that is transformed first; -1: one column alone, in process 0

  PoissonDivision(PoissonBox const& box, BoxDecomposition const& boxes, bool spectrum = false) {
    int const size = boxes.processes();
    PoissonBox modes = box;
    if (spectrum) modes.row.cells = box.row.cells / 2 + 1;
    for (int rank = 0; rank < size; ++rank) given.push_back(in_roles(box, boxes.box(rank)));
    first = box.row.present ? 0 : box.middle.present ? 1 : -1;
    int const cut = first == 0 && box.middle.cells > 1 ? 1 : 2;  // of `lines`
    for (int rank = 0; rank < size; ++rank) {
      lines.push_back(first < 0 ? all_in_first(box, rank) : equal_part(box, cut, rank, size));
      columns.push_back(first < 0 ? all_in_first(box, rank) : equal_part(modes, first, rank, size));
    }
    bool const whole_rows = std::all_of(given.begin(), given.end(), [&](Box const& part) {
      return is_empty(part) || part.end[0] - part.begin[0] == box.row.cells;
    });
    if (first == 0 && whole_rows) lines = given;
  }

  bool gathers() const {
    for (std::size_t rank = 0; rank < given.size(); ++rank) {
      if (given[rank].begin != lines[rank].begin || given[rank].end != lines[rank].end) return true;
    }
    return false;
  }

  /// Number of slabs along the columns for `wanted` ones, 0 for the automatic number. The same in all processes.
  ///
  /// A slab costs a message to every process and some launches of kernels. The time that is left beside the messages is
  /// that of one slab. So the automatic number keeps messages large enough to pass at full speed: on two and four H200s
  /// four slabs were best, and eight where their messages still have 64 MiB. A slab also has enough values for the
  /// transforms of hosts to take the same operations for every line.
  int slabs(int wanted, std::int64_t value_bytes) const {
    std::int64_t values = 0, messages = 0, fewest = std::numeric_limits<std::int64_t>::max();
    int planes = 1;
    for (auto const* boxes : {&lines, &columns}) {
      std::int64_t parts = 0;
      values = 0;
      for (Box const& part : *boxes) {
        if (is_empty(part)) continue;
        ++parts;
        values += cells(part);
        fewest = std::min(fewest, cells(part));
        planes = std::max(planes, part.end[2]);
      }
      messages = boxes == &lines ? parts : messages * parts;
    }
    for (Box const& part : lines) {
      if (!is_empty(part) && part.end[2] - part.begin[2] < planes) return 1;  // cut along the columns
    }
    if (wanted > 0) return std::min(wanted, planes);
    constexpr std::int64_t least_message = std::int64_t(8) << 20, large_message = 8 * least_message;
    constexpr std::int64_t least_values = 1 << 15;
    std::int64_t const bytes = values * value_bytes / messages, most = bytes >= 8 * large_message ? 8 : 4;
    std::int64_t const fitting = std::min(bytes / least_message, fewest / least_values);
    return static_cast<int>(std::clamp<std::int64_t>(fitting, 1, std::min<std::int64_t>(most, planes)));
  }

  /// The process with the column of the first modes.
  int owner_of_constant() const {
    int rank = 0;
    while (is_empty(columns[static_cast<std::size_t>(rank)])) ++rank;
    return rank;
  }

  static bool is_empty(Box const& part) { return cells(part) == 0; }
  static std::int64_t cells(Box const& part) {
    auto const n = extents(part);
    return std::int64_t(n[0]) * n[1] * n[2];
  }
  /// As PoissonBox::extents().
  static std::array<int, 3> extents(Box const& part) {
    return {part.end[2] - part.begin[2], part.end[1] - part.begin[1], part.end[0] - part.begin[0]};
  }

  static Box whole(PoissonBox const& box) { return {{0, 0, 0}, {box.row.cells, box.middle.cells, box.columns.cells}}; }

  static Box in_roles(PoissonBox const& box, Box const& part) {
    if (is_empty(part)) return {};
    Box result = whole(box);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (box.role[axis] < 0) continue;
      result.begin[static_cast<std::size_t>(box.role[axis])] = part.begin[axis];
      result.end[static_cast<std::size_t>(box.role[axis])] = part.end[axis];
    }
    return result;
  }

 private:
  static Box all_in_first(PoissonBox const& box, int rank) { return rank == 0 ? whole(box) : Box{}; }

  static Box equal_part(PoissonBox const& box, int axis, int rank, int size) {
    std::int64_t const cells = box[axis].cells;
    Box result = whole(box);
    result.begin[static_cast<std::size_t>(axis)] = static_cast<int>(cells * rank / size);
    result.end[static_cast<std::size_t>(axis)] = static_cast<int>(cells * (rank + 1) / size);
    return is_empty(result) ? Box{} : result;
  }
};

/// Lines of the axis that is transformed first: the part of the caller, or a copy in another division. In slabs, as
/// BoxTranspose.
template <ExecutionSpace Exec, Real T>
class PoissonLines {
 public:
  /// Collective.
  PoissonLines(Exec const& space, Communicator const& communicator, PoissonDivision const& division, int slabs)
      : slabs_(slabs) {
    if (!division.gathers()) return;
    gather_.emplace(space, communicator, division.given, division.lines, slabs);
    lines_ = Kokkos::View<T*, typename Exec::memory_space>(
        Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::fast_poisson::lines")),
        static_cast<std::size_t>(
            PoissonDivision::cells(division.lines[static_cast<std::size_t>(communicator.rank())])));
  }

  std::int64_t bytes() const {
    return gather_ ? gather_->workspace_bytes() + static_cast<std::int64_t>(lines_.size() * sizeof(T)) : 0;
  }
  /// Most values of a process: the lines, and all values sent and received.
  static std::int64_t most_values(PoissonDivision const& division, std::size_t rank) {
    if (!division.gathers()) return 0;
    return PoissonDivision::cells(division.given[rank]) + 2 * PoissonDivision::cells(division.lines[rank]);
  }

  /// Sends all slabs of a field.
  void begin_gather(Exec const& space, T const* field) const {
    for (int slab = 0; gather_ && slab < slabs_; ++slab) gather_->begin_forward(space, slab, field);
  }
  /// The lines of a field, of which this slab has arrived.
  T const* end_gather(Exec const& space, int slab, T const* field) const {
    if (gather_) gather_->end_forward(space, slab, field, lines_.data());
    return gather_ ? lines_.data() : field;
  }
  /// Space for lines where `field` may change.
  T* room(T* field) const { return gather_ ? lines_.data() : field; }
  /// Sends a slab of the lines in room() to the field.
  void begin_scatter(Exec const& space, int slab) const {
    if (gather_) gather_->begin_backward(space, slab, lines_.data());
  }
  /// Receives all slabs.
  void end_scatter(Exec const& space, T* field) const {
    for (int slab = 0; gather_ && slab < slabs_; ++slab) gather_->end_backward(space, slab, lines_.data(), field);
  }

 private:
  int slabs_;
  mutable std::optional<BoxTranspose<Exec, T>> gather_;
  Kokkos::View<T*, typename Exec::memory_space> lines_;
};

/// A real transform of a part in slabs of planes: two plans at most, since slabs differ by one plane.
template <ExecutionSpace Exec, Real T>
class SlabTransform {
 public:
  SlabTransform(Exec const& space, Box const& part, int slabs, int axis, AxisModes const& modes, FftPlanning planning)
      : part_(part), slabs_(slabs) {
    for (auto const& extents : sizes(part, slabs)) {
      plans_.emplace_back(space, extents, axis_of(axis), modes.kind, setup_of(modes, planning));
    }
  }

  static std::int64_t workspace_bytes(Box const& part, int slabs, int axis, AxisModes const& modes,
                                      FftPlanning planning) {
    std::int64_t sum = 0;
    for (auto const& extents : sizes(part, slabs)) {
      sum += Transform::workspace_bytes(extents, axis_of(axis), modes.kind, setup_of(modes, planning));
    }
    return sum;
  }
  std::int64_t workspace_bytes() const {
    std::int64_t sum = 0;
    for (Transform const& plan : plans_) sum += plan.workspace_bytes();
    return sum;
  }
  double size() const { return plans_.front().size(); }

  /// A slab of the part at `from` to the same place at `to`, which may be `from`.
  void run(Exec const& space, bool forward, int slab, T const* from, T* to) const {
    auto const [planes, rows, cells] = PoissonDivision::extents(part_);
    int const first = slab_edge(planes, slab, slabs_), count = slab_edge(planes, slab + 1, slabs_) - first;
    std::int64_t const begin = std::int64_t(first) * rows * cells;
    ConstField<Exec, T> const in(from + begin, count, rows, cells);
    Field<Exec, T> const out(to + begin, count, rows, cells);
    Transform const& plan = plans_[count > planes / slabs_ ? plans_.size() - 1 : 0];
    if (forward) {
      plan.forward(space, in, out);
    } else {
      plan.backward(space, in, out);
    }
  }

 private:
  using Transform = TrigonometricTransform<Exec, T>;

  static Axis axis_of(int axis) { return axis == 0 ? Axis::x : Axis::y; }
  static TrigonometricSetup setup_of(AxisModes const& modes, FftPlanning planning) {
    return {.planning = planning, .reversed = modes.reversed};
  }
  /// Extents of the smaller slabs, and of those with one plane more.
  static std::vector<std::array<int, 3>> sizes(Box const& part, int slabs) {
    std::array<int, 3> extents = PoissonDivision::extents(part);
    bool const rest = extents[0] % slabs > 0;
    extents[0] /= slabs;
    std::vector<std::array<int, 3>> result{extents};
    ++extents[0];
    if (rest) result.push_back(extents);
    return result;
  }

  Box part_;
  int slabs_;
  std::vector<Transform> plans_;
};

/// Real transforms: fields of the caller to the columns of modes and back.
template <ExecutionSpace Exec, Real T>
class PoissonStages {
 public:
  /// Collective.
  /// \param slabs number of slabs, or 0
  PoissonStages(Exec const& space, Communicator const& communicator, BoxDecomposition const& boxes,
                PoissonBox const& box, FftPlanning planning, int slabs)
      : division_(box, boxes),
        slabs_(slabs_of(division_, slabs)),
        rank_(static_cast<std::size_t>(communicator.rank())),
        lines_(space, communicator, division_, slabs_),
        turn_(space, communicator, division_.lines, division_.columns, slabs_),
        columns_(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::fast_poisson::columns")),
                 static_cast<std::size_t>(PoissonDivision::cells(columns()))) {
    int const second = division_.first == 0 && box.middle.present ? 1 : -1;
    plan(space, communicator, box, division_.first, division_.lines[rank_], planning, first_);
    plan(space, communicator, box, second, columns(), planning, second_);
  }

  static int slabs_of(PoissonDivision const& division, int wanted) { return division.slabs(wanted, sizeof(T)); }

  int slabs() const { return slabs_; }
  /// The columns of this process.
  Box const& columns() const { return division_.columns[rank_]; }
  T* values() const { return columns_.data(); }
  /// Factor that makes backward the inverse of forward, and the value of the constant 1 in the first mode.
  double scale() const { return scale_; }
  double mean_factor() const { return mean_factor_; }
  int owner_of_constant() const { return division_.owner_of_constant(); }
  std::int64_t bytes() const {
    std::int64_t sum = lines_.bytes() + turn_.workspace_bytes();
    sum += static_cast<std::int64_t>(columns_.size() * sizeof(T));
    for (auto const* transform : {&first_, &second_}) sum += *transform ? (*transform)->workspace_bytes() : 0;
    return sum;
  }

  /// Most bytes of a process before the plan is made, except the lists of blocks.
  static std::int64_t most_bytes(PoissonDivision const& division, std::size_t rank, PoissonBox const& box,
                                 FftPlanning planning, int slabs) {
    Box const &lines = division.lines[rank], &columns = division.columns[rank];
    std::int64_t sum = PoissonLines<Exec, T>::most_values(division, rank) + PoissonDivision::cells(lines) +
                       2 * PoissonDivision::cells(columns);
    sum *= static_cast<std::int64_t>(sizeof(T));
    bool const has_second = division.first == 0 && box.middle.present;
    for (int const axis : {division.first, has_second ? 1 : -1}) {
      Box const& part = axis == division.first ? lines : columns;
      if (axis < 0 || PoissonDivision::is_empty(part)) continue;
      sum += Transform::workspace_bytes(part, slabs_of(division, slabs), axis, modes_of(box[axis].low, box[axis].high),
                                        planning);
    }
    return sum;
  }

  /// Transforms `from` to values(). `field` is space for the part of this process; it may be `from`.
  void forward(Exec const& space, T const* from, T* field) const {
    T* const room = lines_.room(field);
    T const* lines = nullptr;
    lines_.begin_gather(space, from);
    for (int slab = 0; slab < slabs_; ++slab) {
      lines = lines_.end_gather(space, slab, from);
      if (first_) {
        first_->run(space, true, slab, lines, room);
        lines = room;
      }
      turn_.begin_forward(space, slab, lines);
    }
    for (int slab = 0; slab < slabs_; ++slab) {
      turn_.end_forward(space, slab, lines, columns_.data());
      if (second_) second_->run(space, true, slab, columns_.data(), columns_.data());
    }
  }

  /// values() to the field.
  void backward(Exec const& space, T* field) const {
    for (int slab = 0; slab < slabs_; ++slab) {
      if (second_) second_->run(space, false, slab, columns_.data(), columns_.data());
      turn_.begin_backward(space, slab, columns_.data());
    }
    T* const lines = lines_.room(field);
    for (int slab = 0; slab < slabs_; ++slab) {
      turn_.end_backward(space, slab, columns_.data(), lines);
      if (first_) first_->run(space, false, slab, lines, lines);
      lines_.begin_scatter(space, slab);
    }
    lines_.end_scatter(space, field);
  }

 private:
  using Transform = SlabTransform<Exec, T>;

  /// The transform of an axis, in processes that hold lines.
  void plan(Exec const& space, Communicator const& communicator, PoissonBox const& box, int axis, Box const& part,
            FftPlanning planning, std::optional<Transform>& result) {
    if (axis < 0) return;
    AxisModes const modes = modes_of(box[axis].low, box[axis].high);
    if (!PoissonDivision::is_empty(part)) result.emplace(space, part, slabs_, axis, modes, planning);
    scale_ /= communicator.largest(result ? result->size() : 0.0);  // in turn, as with one process
    mean_factor_ *= constant_in_first_mode(box[axis]);
  }

  PoissonDivision division_;
  int slabs_;
  std::size_t rank_;
  PoissonLines<Exec, T> lines_;
  mutable BoxTranspose<Exec, T> turn_;
  Kokkos::View<T*, typename Exec::memory_space> columns_;
  std::optional<Transform> first_, second_;
  double scale_ = 1, mean_factor_ = 1;
};

}  // namespace karman::detail
