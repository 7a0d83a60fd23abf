// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Values to and from the memory of an execution space. All functions wait.
#pragma once

#include <karman/core/compat.hpp>
#include <karman/core/concepts.hpp>
#include <karman/core/error.hpp>

#include <Kokkos_Core.hpp>

#include <complex>
#include <cstring>
#include <string>
#include <vector>

namespace karman::waves {

/// Into a View of the same length.
template <ExecutionSpace Exec, class T>
void upload(Exec const& space, std::vector<T> const& values,
            Kokkos::View<T*, typename Exec::memory_space> const& target) {
  Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> const source(values.data(),
                                                                                                  values.size());
  Kokkos::deep_copy(space, target, source);
  compat::fence(space, "karman::waves::upload");
}

/// Into a new View.
template <ExecutionSpace Exec, class T>
Kokkos::View<T*, typename Exec::memory_space> uploaded(Exec const& space, std::vector<T> const& values,
                                                       char const* label) {
  Kokkos::View<T*, typename Exec::memory_space> const target(
      Kokkos::view_alloc(space, Kokkos::WithoutInitializing, std::string(label)), values.size());
  if (!values.empty()) upload(space, values, target);
  return target;
}

/// Complex numbers from pairs of real and imaginary parts. Throws std::invalid_argument unless there are `count` pairs.
template <class Real>
std::vector<Kokkos::complex<Real>> complex_values(std::vector<double> const& parts, std::size_t count,
                                                  char const* what) {
  require(parts.size() == 2 * count, "a snapshot of waves has " + std::to_string(parts.size() / 2) + " " + what +
                                         ", the problem " + std::to_string(count));
  std::vector<Kokkos::complex<Real>> values;
  values.reserve(count);
  for (std::size_t n = 0; n < count; ++n)
    values.emplace_back(static_cast<Real>(parts[2 * n]), static_cast<Real>(parts[2 * n + 1]));
  return values;
}

/// On the host, as numbers of the type `To`.
template <class To, ExecutionSpace Exec, class T>
std::vector<To> downloaded(Exec const& space, Kokkos::View<T*, typename Exec::memory_space> const& source) {
  auto const copied = Kokkos::create_mirror_view(source);
  Kokkos::deep_copy(space, copied, source);
  compat::fence(space, "karman::waves::download");
  std::vector<To> values(source.extent(0));
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = To(copied(n));
  return values;
}

}  // namespace karman::waves
