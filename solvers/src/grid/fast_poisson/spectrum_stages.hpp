// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The spectrum of a box over many processes: Fourier transforms of whole rows, a transposition, and Fourier transforms
/// along the middle axis of whole columns. See poisson_spectrum.hpp.
#pragma once

#include "poisson_spectrum.hpp"
#include "poisson_stages.hpp"
#include "transforms/dft_plan.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace karman::detail {

/// Fields of the caller to the columns of the spectrum and back.
///
/// Values of this process after the transposition: (middle, columns, modes of the row), so that one call transforms
/// the middle axis on a device, too. The transposition also puts the middle axis in the order of its transform.
template <ExecutionSpace Exec, Real T>
class SpectrumStages {
 public:
  using Complex = Kokkos::complex<T>;

  /// Collective.
  /// \param slabs number of slabs, or 0
  SpectrumStages(Exec const& space, Communicator const& communicator, BoxDecomposition const& boxes,
                 PoissonBox const& box, FftPlanning planning, int slabs)
      : division_(box, boxes, true),
        slabs_(slabs_of(division_, slabs)),
        rank_(static_cast<std::size_t>(communicator.rank())),
        x_(line_order(box.row)),
        y_(line_order(box.middle)),
        nz_(box.columns.cells),
        lines_(space, communicator, division_, slabs_) {
    make_rows(space, box, planning);
    std::vector<std::vector<BlockNeighbor>> partners;
    for (int slab = 0; slab < slabs_; ++slab) partners.push_back(partners_of(slab));
    turn_ = BoxTranspose<Exec, T>(space, communicator, partners);
    auto const half = std::int64_t(half_of(columns())), row = nz_ * half;
    spectrum_ =
        raw_memory(space, y_.n * row * 2 * static_cast<std::int64_t>(sizeof(T)), "karman::fast_poisson::columns");
    if (box.middle.present && half > 0) {
      for (DftShape const& shape : middle_shapes(box, columns(), slabs_)) {
        middle_.emplace_back(space, shape, DftKind::complex_forward, true, planning);
        middle_.emplace_back(space, shape, DftKind::complex_backward, true, planning);
      }
      std::vector<DftPlan<Exec, T>*> all;
      for (auto& plan : middle_) all.push_back(&plan);
      work_ = share_work<Exec, T>(space, all);
    }
    turn_x_ = turn_table<Exec, T>(space, "karman::fast_poisson::turn_x", x_.n, x_.n / 2 + 1);
    turn_y_ = turn_table<Exec, T>(space, "karman::fast_poisson::turn_y", y_.n, y_.n / 2 + 1);
    eigenvalue_x_ = eigenvalue_table<Exec, T>(space, "karman::fast_poisson::eigenvalue_x", box.row);
    eigenvalue_y_ = eigenvalue_table<Exec, T>(space, "karman::fast_poisson::eigenvalue_y", box.middle);
  }

  static int slabs_of(PoissonDivision const& division, int wanted) { return division.slabs(wanted, complex_bytes); }

  int slabs() const { return slabs_; }
  /// Modes of this process.
  Box const& columns() const { return division_.columns[rank_]; }
  /// As of PoissonStages.
  double scale() const { return 1 / mean_factor(); }
  double mean_factor() const { return double(x_.n) * y_.n; }
  int owner_of_constant() const { return division_.owner_of_constant(); }
  std::int64_t bytes() const {
    std::int64_t const tables = static_cast<std::int64_t>((turn_x_.size() + turn_y_.size()) * sizeof(Complex) +
                                                          (eigenvalue_x_.size() + eigenvalue_y_.size()) * sizeof(T));
    return lines_.bytes() + (rows_ ? rows_->bytes() : 0) + turn_.workspace_bytes() + tables +
           static_cast<std::int64_t>(spectrum_.size() + work_.size());
  }

  /// As of PoissonStages.
  static std::int64_t most_bytes(PoissonDivision const& division, std::size_t rank, PoissonBox const& box, FftPlanning,
                                 int wanted) {
    int const slabs = slabs_of(division, wanted);
    Box const &lines = division.lines[rank], &columns = division.columns[rank];
    PoissonBox const rows = rows_of_part(box, lines);
    std::int64_t const half = box.row.cells / 2 + 1, ny = box.middle.cells;
    std::int64_t const line_values = std::int64_t(rows.columns.cells) * rows.middle.cells * half;
    std::int64_t sum = PoissonLines<Exec, T>::most_values(division, rank) * static_cast<std::int64_t>(sizeof(T)) +
                       (line_values + 2 * PoissonDivision::cells(columns) + half + ny / 2 + 1) * complex_bytes +
                       (box.row.cells + ny + 2) * static_cast<std::int64_t>(sizeof(T));
    if (!PoissonDivision::is_empty(lines)) sum += SpectrumLayout<Exec, T>(rows, slabs).bytes();
    if (box.middle.present && !PoissonDivision::is_empty(columns)) {
      std::int64_t work = 0;
      for (DftShape const& shape : middle_shapes(box, columns, slabs)) {
        work = std::max({work, library_work_bytes<Exec, T>(shape, DftKind::complex_forward),
                         library_work_bytes<Exec, T>(shape, DftKind::complex_backward)});
      }
      sum += work;
    }
    return sum;
  }

  /// The own modes, as if they were all: mode nx - k of the row lies at eigenvalue_x[nx - k].
  SpectrumColumns<Exec, T, true> port(double scale) const {
    SpectrumColumns<Exec, T, true> result;
    int const first = columns().begin[0];
    result.half = half_of(columns());
    result.spectrum = values();
    result.turn_x = turn_x_.data() + first;
    result.turn_y = turn_y_.data();
    result.eigenvalue_x = eigenvalue_x_.data() + first;
    result.eigenvalue_y = eigenvalue_y_.data();
    result.nx = x_.n - 2 * first;
    result.ny = y_.n;
    result.rows = nz_;
    result.cosine_x = x_.sorted;
    result.cosine_y = y_.sorted;
    result.scale = static_cast<T>(scale);
    return result;
  }

  /// The constant mode is the real part of the first value of each row.
  T* constant_mode() const { return reinterpret_cast<T*>(values()); }
  std::int64_t constant_stride() const { return 2 * std::int64_t(half_of(columns())); }

  void forward(Exec const& space, T const* from) const {
    T const* const rows = rows_ ? rows_->constant_mode() : nullptr;
    lines_.begin_gather(space, from);
    for (int slab = 0; slab < slabs_; ++slab) {
      T const* const lines = lines_.end_gather(space, slab, from);
      if (rows_) rows_->forward(space, lines, slab);
      turn_.begin_forward(space, slab, rows);
    }
    for (int slab = 0; slab < slabs_; ++slab) {
      turn_.end_forward(space, slab, rows, constant_mode());
      transform_middle(space, slab, 0);
    }
  }

  void backward(Exec const& space, T* field) const {
    T* const rows = rows_ ? rows_->constant_mode() : nullptr;
    for (int slab = 0; slab < slabs_; ++slab) {
      transform_middle(space, slab, 1);
      turn_.begin_backward(space, slab, constant_mode());
    }
    for (int slab = 0; slab < slabs_; ++slab) {
      turn_.end_backward(space, slab, constant_mode(), rows);
      if (rows_) rows_->backward(space, lines_.room(field), slab);
      lines_.begin_scatter(space, slab);
    }
    lines_.end_scatter(space, field);
  }

 private:
  static constexpr std::int64_t complex_bytes = sizeof(Complex);

  static int half_of(Box const& part) { return part.end[0] - part.begin[0]; }
  Complex* values() const { return reinterpret_cast<Complex*>(spectrum_.data()); }

  /// Transforms along the row alone, of the own lines. Signs of the middle axis belong to the order of its lines.
  void make_rows(Exec const& space, PoissonBox const& box, FftPlanning planning) {
    Box const& own = division_.lines[rank_];
    if (PoissonDivision::is_empty(own)) return;
    rows_.emplace(space, rows_of_part(box, own), planning, own.begin[1], slabs_);
  }

  static PoissonBox rows_of_part(PoissonBox const& box, Box const& lines) {
    PoissonBox rows = box;
    rows.columns.cells = lines.end[2] - lines.begin[2];
    rows.middle.cells = lines.end[1] - lines.begin[1];
    rows.middle.present = false;
    return rows;
  }

  /// Of the smaller slabs, and of those with one plane more.
  static std::vector<DftShape> middle_shapes(PoissonBox const& box, Box const& columns, int slabs) {
    std::int64_t const ny = box.middle.cells, half = half_of(columns), planes = box.columns.cells;
    std::int64_t const row = planes * half;
    std::vector<DftShape> result;
    for (std::int64_t const count : {planes / slabs, planes / slabs + 1}) {
      result.push_back({{{ny, row, row}}, {{1, ny * row, ny * row}, {count * half, 1, 1}}});
      if (planes % slabs == 0) break;
    }
    return result;
  }

  /// Lines of the middle axis in a slab.
  void transform_middle(Exec const& space, int slab, std::size_t direction) const {
    if (middle_.empty()) return;
    int const first = slab_edge(nz_, slab, slabs_), count = slab_edge(nz_, slab + 1, slabs_) - first;
    Complex* const at = values() + std::int64_t(first) * half_of(columns());
    middle_[(count > nz_ / slabs_ ? middle_.size() - 2 : 0) + direction].execute(space, at, at);
  }

  /// Rows of one parity among the lines of a process: in its lines, and in the sorted middle axis.
  struct Rows {
    int count, first, step;  ///< of the own lines
    int sorted_first, sorted_step;
  };

  std::vector<Rows> rows_of(Box const& lines) const {
    int const begin = lines.begin[1], end = lines.end[1];
    if (!y_.sorted) return {{end - begin, 0, 1, begin, 1}};
    std::vector<Rows> result;
    for (int const parity : {0, 1}) {
      int const first = begin + (begin + parity) % 2;
      if (first < end) {
        result.push_back({(end - first + 1) / 2, first - begin, 2, y_.target(first), parity == 0 ? 1 : -1});
      }
    }
    return result;
  }

  /// Values of a slab. Complex values count twice. Lines: (columns, middle, row); columns: (middle, columns, row).
  std::vector<BlockNeighbor> partners_of(int slab) const {
    std::vector<BlockNeighbor> result;
    Box const &own_lines = division_.lines[rank_], &own_columns = columns();
    std::int64_t const row = 2 * (x_.n / 2 + 1), plane = row * (own_lines.end[1] - own_lines.begin[1]);
    std::int64_t const own_row = 2 * half_of(own_columns), own_plane = own_row * nz_;
    // The planes of a process in the slab.
    auto const planes_of = [&](Box const& lines) {
      int const first = std::max(lines.begin[2], slab_edge(nz_, slab, slabs_));
      return std::array<int, 2>{first, std::min(lines.end[2], slab_edge(nz_, slab + 1, slabs_)) - first};
    };
    for (std::size_t other = 0; other < division_.lines.size(); ++other) {
      BlockNeighbor partner{static_cast<int>(other), {}, {}};
      Box const &lines = division_.lines[other], &columns = division_.columns[other];
      std::int64_t const width = 2 * half_of(columns);
      if (auto const [first, count] = planes_of(own_lines); width > 0 && count > 0) {
        for (Rows const& rows : rows_of(own_lines)) {
          partner.send.push_back({(first - own_lines.begin[2]) * plane + rows.first * row + 2 * columns.begin[0],
                                  {count, rows.count, width},
                                  {plane, rows.step * row, 1}});
        }
      }
      if (auto const [first, count] = planes_of(lines); own_row > 0 && count > 0) {
        for (Rows const& rows : rows_of(lines)) {
          partner.receive.push_back({rows.sorted_first * own_plane + first * own_row,
                                     {count, rows.count, own_row},
                                     {own_row, rows.sorted_step * own_plane, 1}});
        }
      }
      if (!partner.send.empty() || !partner.receive.empty()) result.push_back(partner);
    }
    return result;
  }

  PoissonDivision division_;
  int slabs_;
  std::size_t rank_;
  LineOrder x_, y_;
  int nz_;
  PoissonLines<Exec, T> lines_;
  std::optional<BoxSpectrum<Exec, T>> rows_;
  mutable BoxTranspose<Exec, T> turn_;
  RawMemory<Exec> spectrum_, work_;
  std::vector<DftPlan<Exec, T>> middle_;  ///< forward, backward; then of slabs with one plane more
  Kokkos::View<Complex*, typename Exec::memory_space> turn_x_, turn_y_;
  Kokkos::View<T*, typename Exec::memory_space> eigenvalue_x_, eigenvalue_y_;
};

}  // namespace karman::detail
