// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of tridiagonal systems. Compares the plan's own choice with the vendor's solvers. Also varies the algorithm
// over rows and systems, and the hybrid over its intermediate size.
#include "peers/tridiagonal_peers.hpp"
#include "traffic.hpp"
#include <karman/solvers/tridiagonal/tridiagonal.hpp>

#include <algorithm>

namespace karman::perf {

namespace {

using A = TridiagonalAlgorithm;
constexpr std::int64_t k = 1024, m = k * k;

template <class Exec, class T>
class KarmanTridiagonal final : public TridiagonalImplementation<Exec, T> {
 public:
  /// `factored`: one matrix is eliminated once, before the clock.
  KarmanTridiagonal(Exec const& space, TridiagonalBatch<Exec, T> const& batch, TridiagonalSetup const& setup,
                    bool factored)
      : plan_(space, shape(batch.size), setup), factored_(factored) {
    if (factored_) plan_.factor(space, batch.lower, batch.diagonal, batch.upper);
  }

  void run(Exec const& space, TridiagonalBatch<Exec, T> const& batch) override {
    if (factored_) {
      plan_.solve(space, plane(batch, batch.rhs), plane(batch, batch.solution));
    } else if (batch.size.shared) {
      plan_.solve(space, batch.lower, batch.diagonal, batch.upper, plane(batch, batch.rhs),
                  plane(batch, batch.solution));
    } else {
      plan_.solve(space, plane(batch, batch.lower), plane(batch, batch.diagonal), plane(batch, batch.upper),
                  plane(batch, batch.rhs), plane(batch, batch.solution));
    }
  }

 private:
  using Plane =
      Kokkos::View<T**, Kokkos::LayoutRight, typename Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  static TridiagonalShape shape(TridiagonalSize const& size) {
    return size.interleaved ? TridiagonalShape::along(0, {size.rows, size.systems})
                            : TridiagonalShape::along(1, {size.systems, size.rows});
  }
  static Plane plane(TridiagonalBatch<Exec, T> const& batch, typename TridiagonalBatch<Exec, T>::Array const& array) {
    auto const rows = std::size_t(batch.size.rows), systems = std::size_t(batch.size.systems);
    return batch.size.interleaved ? Plane(array.data(), rows, systems) : Plane(array.data(), systems, rows);
  }
  Tridiagonal<Exec, T> plan_;
  bool factored_;
};

/// Name and task of a row.
struct TridiagonalKind {
  std::string family, algorithm;
  TridiagonalSize size;
  TridiagonalSetup setup = {};
  bool factored = false;
};

template <class Exec, class T>
void append_row(std::vector<Row>& rows, TridiagonalKind const& kind, char const* peer,
                TridiagonalMaker<Exec, T> const& make) {
  Row row;
  row.family = kind.family;
  row.algorithm = kind.algorithm;
  row.backend = name(backend_of<Exec>());
  row.precision = precision_name<T>;
  row.size = kind.size.text();
  row.peer = peer;
  row.unit = "rows";
  row.units = kind.size.values();
  row.bytes = traffic::tridiagonal(kind.size.values(), sizeof(T), kind.size.shared);
  // The five arrays twice: workspace of either side, and copies of the arrays that cuSPARSE overwrites.
  row.memory_bytes = 2 * traffic::tridiagonal(kind.size.values(), sizeof(T), false);
  row.back_to_back = true;
  row.prepare = [size = kind.size, make] { return std::make_unique<TridiagonalWork<Exec, T>>(Exec(), size, make); };
  rows.push_back(std::move(row));
}

template <class Exec, class T>
void append_own(std::vector<Row>& rows, TridiagonalKind const& kind) {
  append_row<Exec, T>(rows, kind, "", [kind](Exec const& space, TridiagonalBatch<Exec, T> const& batch) {
    return std::make_unique<KarmanTridiagonal<Exec, T>>(space, batch, kind.setup, kind.factored);
  });
}

/// The plan's own choice, and the usual alternative for this layout.
template <class Exec, class T>
void append_choice(std::vector<Row>& rows, TridiagonalSize const& size) {
  TridiagonalKind const kind{"tridiagonal", size.interleaved ? "interleaved" : "contiguous", size};
  append_own<Exec, T>(rows, kind);
  if constexpr (runs_on_host<Exec>) {
    if (has_lapack()) append_row<Exec, T>(rows, kind, "lapack", lapack_tridiagonal<Exec, T>());
  } else {
    auto const add = [&](char const* peer, Cusparse routine) {
      append_row<Exec, T>(rows, kind, peer, cusparse_tridiagonal<Exec, T>(routine));
    };
    if (size.interleaved) {
      add("cusparse_thomas", Cusparse::interleaved_thomas);
      add("cusparse_lu", Cusparse::interleaved_lu);
      add("cusparse_qr", Cusparse::interleaved_qr);
    } else {
      add("cusparse_strided", Cusparse::strided_batch);
      if (size.systems == 1) add("cusparse_nopivot", Cusparse::no_pivoting);
    }
  }
}

/// One matrix for all systems. LAPACK eliminates in the clock, as Karman does. On a device also with factors that are
/// kept, as in steps of the same size.
template <class Exec, class T>
void append_shared(std::vector<Row>& rows, TridiagonalSize const& size) {
  TridiagonalKind const kind{"tridiagonal", "shared_matrix", size};
  append_own<Exec, T>(rows, kind);
  if constexpr (runs_on_host<Exec>) {
    if (has_lapack()) append_row<Exec, T>(rows, kind, "lapack_many_rhs", lapack_shared_matrix<Exec, T>());
  } else {
    append_own<Exec, T>(rows, {"tridiagonal", "factored_matrix", size, {}, true});
  }
}

/// Row exchanges (pivoting): LAPACK always makes them, cuSPARSE for one matrix at a time.
template <class Exec, class T>
void append_pivoting(std::vector<Row>& rows, TridiagonalSize const& size) {
  TridiagonalKind const kind{"tridiagonal", "pivoting", size, {.algorithm = A::pivoting}};
  append_own<Exec, T>(rows, kind);
  if constexpr (runs_on_host<Exec>) {
    if (has_lapack()) append_row<Exec, T>(rows, kind, "lapack", lapack_tridiagonal<Exec, T>());
  } else if (size.systems == 1) {
    append_row<Exec, T>(rows, kind, "cusparse_gtsv2", cusparse_tridiagonal<Exec, T>(Cusparse::pivoting));
  }
}

/// The small set of sizes for a host: everything larger than its caches, no more.
template <class Exec>
void append_main(std::vector<Row>& rows, bool quick) {
  bool const host = runs_on_host<Exec>;
  std::int64_t const many = host ? (quick ? 2 * k : 8 * k) : 64 * k;
  for (bool interleaved : {false, true}) {
    append_choice<Exec, float>(rows, {512, many, interleaved});
    append_choice<Exec, double>(rows, {512, many, interleaved});
  }
  append_choice<Exec, float>(rows, {512, 512});
  append_choice<Exec, double>(rows, {64, 8 * many});
  append_shared<Exec, double>(rows, {512, many, true, true});
  std::int64_t const large = host ? (quick ? m : 4 * m) : 16 * m;
  append_choice<Exec, double>(rows, {large / 16, 16});
  append_choice<Exec, double>(rows, {large, 1});
  append_pivoting<Exec, double>(rows, {512, many});
  append_pivoting<Exec, double>(rows, {large, 1});
}

constexpr A every_algorithm[] = {A::thomas, A::interleaved_thomas, A::cyclic_reduction, A::parallel_cyclic_reduction,
                                 A::cr_pcr, A::pcr_thomas,         A::partitioned,      A::pivoting};

/// Every algorithm over the rows of a system, with a fixed number of rows in all. Then over the systems at 512 rows.
template <class Exec>
void append_algorithms(std::vector<Row>& rows, bool quick) {
  std::int64_t const total = runs_on_host<Exec> ? m : 8 * m;
  std::vector<TridiagonalSize> sizes;
  for (std::int64_t n : {16, 64, 256, 512, 1024, 4096, 16384, 65536}) {
    if (!quick || n == 64 || n == 4096) sizes.push_back({n, total / n});
  }
  for (std::int64_t systems : {1, 16, 256, 4096}) {
    if (!quick || systems == 16) sizes.push_back({512, systems});
  }
  for (TridiagonalSize const& size : sizes) {
    for (A algorithm : every_algorithm) {
      append_own<Exec, double>(rows, {"tridiagonal_algorithms", std::string(name(algorithm)), size, {algorithm}});
    }
  }
}

/// CR-PCR at 512 rows over the number of rows left to PCR. 1 is cyclic reduction alone, 512 PCR alone.
template <class Exec>
void append_hybrid(std::vector<Row>& rows, bool quick) {
  TridiagonalSize const size{512, runs_on_host<Exec> ? 2 * k : 64 * k};
  for (std::int64_t left = 1; left <= size.rows; left *= quick ? 8 : 2) {
    TridiagonalKind const kind{"tridiagonal_hybrid",
                               "cr_pcr_" + std::to_string(left),
                               size,
                               {.algorithm = A::cr_pcr, .intermediate_size = left}};
    append_own<Exec, float>(rows, kind);
    if (!quick) append_own<Exec, double>(rows, kind);
  }
}

template <class Exec>
void append_tridiagonal(std::vector<Row>& rows, Selection const& selection) {
  append_main<Exec>(rows, selection.quick);
  // The shape of these curves depends on the machine: one host backend is enough.
  if (runs_on_host<Exec> && !std::is_same_v<Exec, Kokkos::DefaultHostExecutionSpace>) return;
  append_algorithms<Exec>(rows, selection.quick);
  append_hybrid<Exec>(rows, selection.quick);
}

}  // namespace

void append_tridiagonal_rows(std::vector<Row>& rows, Selection const& selection) {
#define KARMAN_APPEND(Exec) append_tridiagonal<Exec>(rows, selection);
  KARMAN_FOR_EACH_BACKEND(KARMAN_APPEND)
#undef KARMAN_APPEND
}

}  // namespace karman::perf
