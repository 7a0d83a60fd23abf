// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The incomplete factors of Kokkos Kernels under one set of names, from 3.4.01 to 4.7. Only this file may test its
/// version. Since 4.4 the functions take instances and let rows run in teams alone. In 4.6 they left an experimental
/// namespace.
#pragma once

#include <karman/core/compat.hpp>

#include <KokkosKernels_Handle.hpp>
#include <KokkosKernels_config.h>
#include <KokkosSparse_spiluk.hpp>
#include <KokkosSparse_sptrsv.hpp>

#include <vector>

namespace karman::detail::kernels {

#if defined(KOKKOSKERNELS_VERSION) && KOKKOSKERNELS_VERSION >= 40600
namespace sparse = KokkosSparse;
#else
namespace sparse = KokkosSparse::Experimental;
#endif

#if defined(KOKKOSKERNELS_VERSION) && KOKKOSKERNELS_VERSION >= 40400

inline constexpr auto ilu_algorithm = KokkosSparse::Experimental::SPILUKAlgorithm::SEQLVLSCHD_TP1;

/// Computes the values of the factors, l and u, on `space`.
template <class Exec, class Handle, class ConstNumbers, class ConstValues, class Numbers, class Values>
void factor(Exec const& space, Handle& handle, int level, ConstNumbers const& a_offsets, ConstNumbers const& a_columns,
            ConstValues const& a, Numbers const& l_offsets, Numbers const& l_columns, Values const& l,
            Numbers const& u_offsets, Numbers const& u_columns, Values const& u) {
  // The variant for several systems, since it takes instances.
  std::vector<Values> l_values{l}, u_values{u};
  KokkosSparse::Experimental::spiluk_numeric_streams(
      std::vector<Exec>{space}, std::vector<Handle*>{&handle}, level, std::vector<ConstNumbers>{a_offsets},
      std::vector<ConstNumbers>{a_columns}, std::vector<ConstValues>{a}, std::vector<Numbers>{l_offsets},
      std::vector<Numbers>{l_columns}, l_values, std::vector<Numbers>{u_offsets}, std::vector<Numbers>{u_columns},
      u_values);
}

template <class Values>
struct Clear {
  Values x;
  KOKKOS_FUNCTION void operator()(int i) const { x(i) = typename Values::non_const_value_type(0); }
};

/// Solves T x = b with a triangular matrix on `space`.
template <class Exec, class Handle, class Numbers, class Values, class ConstValues>
void solve(Exec const& space, Handle& handle, Numbers const& offsets, Numbers const& columns, Values const& values,
           ConstValues const& b, Values const& x) {
  // The sums of a row start from the values of x.
  Kokkos::parallel_for("karman::ilu::clear", Kokkos::RangePolicy<Exec>(space, 0, static_cast<int>(x.extent(0))),
                       Clear<Values>{x});
  Exec instance = space;  // they take a reference that is not const
  sparse::sptrsv_solve(instance, &handle, offsets, columns, values, b, x);
}

#else

inline constexpr auto ilu_algorithm = KokkosSparse::Experimental::SPILUKAlgorithm::SEQLVLSCHD_RP;

// These versions work on the default instance whatever the caller's is: it has to wait before and after.
template <class Exec, class Handle, class ConstNumbers, class ConstValues, class Numbers, class Values>
void factor(Exec const& space, Handle& handle, int level, ConstNumbers a_offsets, ConstNumbers a_columns, ConstValues a,
            Numbers l_offsets, Numbers l_columns, Values l, Numbers u_offsets, Numbers u_columns, Values u) {
  compat::fence(space, "karman::ilu::before_factor");
  sparse::spiluk_numeric(&handle, level, a_offsets, a_columns, a, l_offsets, l_columns, l, u_offsets, u_columns, u);
  Exec().fence();
}

template <class Exec, class Handle, class Numbers, class Values, class ConstValues>
void solve(Exec const& space, Handle& handle, Numbers const& offsets, Numbers const& columns, Values const& values,
           ConstValues const& b, Values const& x) {
  compat::fence(space, "karman::ilu::before_solve");
  sparse::sptrsv_solve(&handle, offsets, columns, values, b, x);
  Exec().fence();
}

#endif

}  // namespace karman::detail::kernels
