// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Factors of IluPreconditioner, computed and applied by Kokkos Kernels. Instantiated in one file per scalar: a device
/// compiler takes minutes for each.
#pragma once

#include "ilu_factors.hpp"
#include "sparse/products/kokkos_kernels_calls.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

namespace karman::detail {

template <class Exec, class Scalar>
class KokkosKernelsIlu final : public IluFactors<Exec, Scalar> {
  using Memory = typename Exec::memory_space;
  // Kokkos Kernels takes the execution space from Views. Without it a View of host memory would have the default one.
  using Device = Kokkos::Device<Exec, Memory>;
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  using Numbers = Kokkos::View<int*, Device>;
  using Values = Kokkos::View<Scalar*, Device>;
  using GivenNumbers = Kokkos::View<int const*, Device, Unmanaged>;
  using GivenValues = Kokkos::View<Scalar const*, Device, Unmanaged>;
  using Handle = KokkosKernels::Experimental::KokkosKernelsHandle<int, int, Scalar, Exec, Memory, Memory>;

  /// L or U.
  struct Triangle {
    Numbers offsets, columns;
    Values values;
    CsrMatrix<Exec, Scalar> matrix;
    Handle handle;  ///< of its solution
  };

 public:
  KokkosKernelsIlu(Exec const& space, Graph<Exec> const& profile, int fill_level)
      : profile_(profile), level_(fill_level), n_(profile.rows()) {
    compat::fence(space, "karman::ilu::profile");  // the next calls work on the default instance
    find_entries(space);
    compat::fence(space, "karman::ilu::entries");
    prepare(space, lower_, true);
    prepare(space, upper_, false);
    work_ = Values(Kokkos::view_alloc(space, std::string("karman::ilu::work")), std::size_t(n_));
    compat::fence(space, "karman::ilu::plan");
  }

  void factor(Exec const& space, ConstVector<Exec, Scalar> const& values) override {
    kernels::factor(space, ilu_, level_, given(profile_.offsets), given(profile_.entries),
                    GivenValues(values.data(), values.extent(0)), lower_.offsets, lower_.columns, lower_.values,
                    upper_.offsets, upper_.columns, upper_.values);
  }

  void solve(Exec const& space, Scalar const* r, Scalar* z) override {
    kernels::solve(space, lower_.handle, lower_.offsets, lower_.columns, lower_.values, GivenValues(r, std::size_t(n_)),
                   work_);
    kernels::solve(space, upper_.handle, upper_.offsets, upper_.columns, upper_.values,
                   GivenValues(work_.data(), std::size_t(n_)), Values(z, std::size_t(n_)));
  }

  CsrMatrix<Exec, Scalar> const& lower() const override { return lower_.matrix; }
  CsrMatrix<Exec, Scalar> const& upper() const override { return upper_.matrix; }

  std::array<int, 2> levels() const override { return {levels_of(lower_), levels_of(upper_)}; }

  std::int64_t bytes() const override {
    auto const n = static_cast<std::int64_t>(n_);
    auto const scalar = static_cast<std::int64_t>(sizeof(Scalar));
    auto const entries = static_cast<std::int64_t>(lower_.columns.extent(0) + upper_.columns.extent(0));
    auto* const plan = handle_of(ilu_).get_spiluk_handle();
    // Newer versions keep the table, on a device cut to its used size; others allocate it in factor().
    std::int64_t table = 0;
    if constexpr (requires { plan->get_iw(); }) {
      table = static_cast<std::int64_t>(plan->get_iw().span());
    } else {
      table = n * static_cast<std::int64_t>(plan->get_level_maxrows());
    }
    // Levels: three numbers per row for the factors, four for each triangle.
    return entries * (4 + scalar) + n * (2 * 4 + scalar) + n * 4 * (3 + 2 * 4) + 4 * table;
  }

 private:
  static GivenNumbers given(typename Graph<Exec>::Numbers const& numbers) {
    return GivenNumbers(numbers.data(), numbers.extent(0));
  }

  /// The getters of a handle are not const.
  static Handle& handle_of(Handle const& handle) { return const_cast<Handle&>(handle); }
  static int levels_of(Triangle const& triangle) {
    return static_cast<int>(handle_of(triangle.handle).get_sptrsv_handle()->get_num_levels());
  }

  static Numbers numbers(Exec const& space, char const* label, std::int64_t n) {
    return Numbers(Kokkos::view_alloc(space, std::string(label)), static_cast<std::size_t>(n));
  }

  /// The symbolic phase needs an estimate of the number of entries in advance. It throws when that is exceeded.
  void find_entries(Exec const& space) {
    auto offsets = given(profile_.offsets), columns = given(profile_.entries);
    lower_.offsets = numbers(space, "karman::ilu::lower_offsets", n_ + 1);
    upper_.offsets = numbers(space, "karman::ilu::upper_offsets", n_ + 1);
    std::int64_t const square = std::int64_t(n_) * (n_ + 1) / 2;
    std::int64_t const most = std::min<std::int64_t>(square, std::numeric_limits<int>::max());
    // Enough for level 0 whatever the halves: each has the entries and a diagonal.
    std::int64_t const given_entries = static_cast<std::int64_t>(profile_.entries.extent(0)) + n_;
    for (std::int64_t room = std::min(most, given_entries);; room = std::min(most, 2 * room)) {
      lower_.columns = numbers(space, "karman::ilu::lower_columns", room);
      upper_.columns = numbers(space, "karman::ilu::upper_columns", room);
      compat::fence(space, "karman::ilu::room");
      ilu_.create_spiluk_handle(kernels::ilu_algorithm, n_, static_cast<int>(room), static_cast<int>(room));
      try {
        kernels::sparse::spiluk_symbolic(&ilu_, level_, offsets, columns, lower_.offsets, lower_.columns,
                                         upper_.offsets, upper_.columns);
        break;
      } catch (std::runtime_error const&) {
        if (room == most) throw;
      }
    }
    auto const* const plan = ilu_.get_spiluk_handle();
    lower_.columns = shrunk(space, lower_.columns, static_cast<int>(plan->get_nnzL()));
    upper_.columns = shrunk(space, upper_.columns, static_cast<int>(plan->get_nnzU()));
  }

  static Numbers shrunk(Exec const& space, Numbers const& room, int entries) {
    auto const exact = numbers(space, "karman::ilu::columns", entries);
    Kokkos::deep_copy(space, exact, Kokkos::subview(room, Kokkos::make_pair(0, entries)));
    compat::fence(space, "karman::ilu::shrunk");
    return exact;
  }

  void prepare(Exec const& space, Triangle& triangle, bool lower) {
    triangle.values = Values(Kokkos::view_alloc(space, std::string("karman::ilu::values")), triangle.columns.extent(0));
    triangle.matrix = {{triangle.offsets, triangle.columns}, triangle.values, n_};
    // One thread per row: its sum has one order, and rows of a mesh are too short for a team.
    triangle.handle.create_sptrsv_handle(KokkosSparse::Experimental::SPTRSVAlgorithm::SEQLVLSCHD_RP, n_, lower);
    kernels::sparse::sptrsv_symbolic(&triangle.handle, triangle.offsets, triangle.columns);
  }

  Graph<Exec> profile_;
  int level_;
  int n_;
  Handle ilu_;
  Triangle lower_, upper_;
  Values work_;
};

template <ExecutionSpace Exec, SparseScalar Scalar>
std::unique_ptr<IluFactors<Exec, Scalar>> make_kokkos_kernels_ilu(Exec const& space, Graph<Exec> const& profile,
                                                                  int fill_level) {
  return std::make_unique<KokkosKernelsIlu<Exec, Scalar>>(space, profile, fill_level);
}

}  // namespace karman::detail
