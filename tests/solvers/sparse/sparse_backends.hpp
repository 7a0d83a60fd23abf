// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Typed tests over every backend and every kind of number that sparse matrices hold.
#pragma once

#include "backends.hpp"
#include "sparse_cases.hpp"
#include <karman/core/backend.hpp>

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace karman::test {

#define KARMAN_TEST_SCALARS(Exec) \
  , std::tuple<On<Exec, float>, On<Exec, double>, On<Exec, Kokkos::complex<float>>, On<Exec, Kokkos::complex<double>>>
using SparseCombinations = detail::TeamReduction<std::tuple<std::tuple<>> KARMAN_FOR_EACH_BACKEND(KARMAN_TEST_SCALARS)>;
#undef KARMAN_TEST_SCALARS
#define KARMAN_TEST_WIDE_SCALARS(Exec) , std::tuple<On<Exec, double>, On<Exec, Kokkos::complex<double>>>
using WideCombinations =
    detail::TeamReduction<std::tuple<std::tuple<>> KARMAN_FOR_EACH_BACKEND(KARMAN_TEST_WIDE_SCALARS)>;
#undef KARMAN_TEST_WIDE_SCALARS
#define KARMAN_TEST_COMPLEX(Exec) , std::tuple<On<Exec, Kokkos::complex<double>>>
using ComplexCombinations =
    detail::TeamReduction<std::tuple<std::tuple<>> KARMAN_FOR_EACH_BACKEND(KARMAN_TEST_COMPLEX)>;
#undef KARMAN_TEST_COMPLEX

/// float, double and complex of both.
using SparseBackends = decltype(detail::as_types(SparseCombinations{}));
/// double and complex double.
using WideBackends = decltype(detail::as_types(WideCombinations{}));
/// complex double.
using ComplexBackends = decltype(detail::as_types(ComplexCombinations{}));

/// Names such as "openmp_c64" in the test's output.
struct SparseNames {
  template <class T>
  static std::string GetName(int) {
    using Scalar = typename T::real;
    return std::string(name(backend_of<typename T::execution_space>())) + (is_complex<Scalar> ? "_c" : "_f") +
           (std::is_same_v<RealOf<Scalar>, float> ? "32" : "64");
  }
};

/// A typed suite over them.
template <class Parameter>
class SparseTest : public ::testing::Test {
 public:
  using Exec = typename Parameter::execution_space;
  using Scalar = typename Parameter::real;
  using Number = Exact<Scalar>;
  static constexpr double epsilon = std::numeric_limits<RealOf<Scalar>>::epsilon();
  Exec space;
};

}  // namespace karman::test
