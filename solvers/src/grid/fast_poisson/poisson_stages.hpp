// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The transforms of the fast Poisson solver over many processes: two divisions of the box, each with whole lines, and
/// the transpositions between them.
#pragma once

#include "grid/stencil/problem_part.hpp"
#include "poisson_box.hpp"
#include <karman/core/box_transpose.hpp>
#include <karman/solvers/transforms/fft.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
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

/// Lines of the axis that is transformed first: the part of the caller, or a copy in another division.
template <ExecutionSpace Exec, Real T>
class PoissonLines {
 public:
  /// Collective.
  PoissonLines(Exec const& space, Communicator const& communicator, PoissonDivision const& division) {
    if (!division.gathers()) return;
    gather_.emplace(space, communicator, division.given, division.lines);
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

  /// The lines of a field.
  T const* gather(Exec const& space, T const* field) const {
    if (gather_) gather_->forward(space, field, lines_.data());
    return gather_ ? lines_.data() : field;
  }
  /// Space for lines where `field` may change.
  T* room(T* field) const { return gather_ ? lines_.data() : field; }
  /// The lines in room() to the field.
  void scatter(Exec const& space, T* field) const {
    if (gather_) gather_->backward(space, lines_.data(), field);
  }

 private:
  mutable std::optional<BoxTranspose<Exec, T>> gather_;
  Kokkos::View<T*, typename Exec::memory_space> lines_;
};

/// Real transforms: fields of the caller to the columns of modes and back.
template <ExecutionSpace Exec, Real T>
class PoissonStages {
 public:
  /// Collective.
  PoissonStages(Exec const& space, Communicator const& communicator, BoxDecomposition const& boxes,
                PoissonBox const& box, FftPlanning planning)
      : division_(box, boxes),
        rank_(static_cast<std::size_t>(communicator.rank())),
        lines_(space, communicator, division_),
        turn_(space, communicator, division_.lines, division_.columns),
        columns_(Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string("karman::fast_poisson::columns")),
                 static_cast<std::size_t>(PoissonDivision::cells(columns()))) {
    int const second = division_.first == 0 && box.middle.present ? 1 : -1;
    plan(space, communicator, box, division_.first, division_.lines[rank_], planning, first_);
    plan(space, communicator, box, second, columns(), planning, second_);
  }

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
                                 FftPlanning planning) {
    Box const &lines = division.lines[rank], &columns = division.columns[rank];
    std::int64_t sum = PoissonLines<Exec, T>::most_values(division, rank) + PoissonDivision::cells(lines) +
                       2 * PoissonDivision::cells(columns);
    sum *= static_cast<std::int64_t>(sizeof(T));
    bool const has_second = division.first == 0 && box.middle.present;
    for (int const axis : {division.first, has_second ? 1 : -1}) {
      Box const& part = axis == division.first ? lines : columns;
      if (axis < 0 || PoissonDivision::is_empty(part)) continue;
      AxisModes const modes = modes_of(box[axis].low, box[axis].high);
      sum += Transform::workspace_bytes(PoissonDivision::extents(part), axis == 0 ? Axis::x : Axis::y, modes.kind,
                                        TrigonometricSetup{.planning = planning, .reversed = modes.reversed});
    }
    return sum;
  }

  /// Transforms `from` to values(). `field` is space for the part of this process; it may be `from`.
  void forward(Exec const& space, T const* from, T* field) const {
    T const* lines = lines_.gather(space, from);
    if (first_) {
      T* const to = lines_.room(field);
      transform(space, *first_, true, division_.lines[rank_], lines, to);
      lines = to;
    }
    turn_.forward(space, lines, columns_.data());
    if (second_) transform(space, *second_, true, columns(), columns_.data(), columns_.data());
  }

  /// values() to the field.
  void backward(Exec const& space, T* field) const {
    if (second_) transform(space, *second_, false, columns(), columns_.data(), columns_.data());
    T* const lines = lines_.room(field);
    turn_.backward(space, columns_.data(), lines);
    if (first_) transform(space, *first_, false, division_.lines[rank_], lines, lines);
    lines_.scatter(space, field);
  }

 private:
  using Transform = TrigonometricTransform<Exec, T>;

  /// The transform of an axis, in processes that hold lines.
  void plan(Exec const& space, Communicator const& communicator, PoissonBox const& box, int axis, Box const& part,
            FftPlanning planning, std::optional<Transform>& result) {
    if (axis < 0) return;
    AxisModes const modes = modes_of(box[axis].low, box[axis].high);
    if (!PoissonDivision::is_empty(part)) {
      result.emplace(space, PoissonDivision::extents(part), axis == 0 ? Axis::x : Axis::y, modes.kind,
                     TrigonometricSetup{.planning = planning, .reversed = modes.reversed});
    }
    scale_ /= communicator.largest(result ? result->size() : 0.0);  // in turn, as with one process
    mean_factor_ *= constant_in_first_mode(box[axis]);
  }

  static void transform(Exec const& space, Transform const& plan, bool forward, Box const& part, T const* from, T* to) {
    auto const e = PoissonDivision::extents(part);
    ConstField<Exec, T> const in(from, e[0], e[1], e[2]);
    Field<Exec, T> const out(to, e[0], e[1], e[2]);
    if (forward) {
      plan.forward(space, in, out);
    } else {
      plan.backward(space, in, out);
    }
  }

  PoissonDivision division_;
  std::size_t rank_;
  PoissonLines<Exec, T> lines_;
  mutable BoxTranspose<Exec, T> turn_;
  Kokkos::View<T*, typename Exec::memory_space> columns_;
  std::optional<Transform> first_, second_;
  double scale_ = 1, mean_factor_ = 1;
};

}  // namespace karman::detail
