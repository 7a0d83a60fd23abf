// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The combinations of backend and precision that typed tests run over.
#pragma once

#include <karman/core/backend.hpp>

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <type_traits>

namespace karman::test {

/// One combination, the parameter of a typed test.
template <class Exec, class T>
struct On {
  using execution_space = Exec;
  using real = T;
};

namespace detail {
template <class... Lists>
using TeamReduction = decltype(std::tuple_cat(std::declval<Lists>()...));

template <class... Ts>
::testing::Types<Ts...> as_types(std::tuple<std::tuple<>, Ts...>);

#define KARMAN_TEST_BOTH(Exec) , std::tuple<On<Exec, float>, On<Exec, double>>
#define KARMAN_TEST_DOUBLE(Exec) , std::tuple<On<Exec, double>>
using Both = TeamReduction<std::tuple<std::tuple<>> KARMAN_FOR_EACH_BACKEND(KARMAN_TEST_BOTH)>;
using Double = TeamReduction<std::tuple<std::tuple<>> KARMAN_FOR_EACH_BACKEND(KARMAN_TEST_DOUBLE)>;
#undef KARMAN_TEST_BOTH
#undef KARMAN_TEST_DOUBLE
}  // namespace detail

/// Every enabled backend in float and double: `TYPED_TEST_SUITE(Suite, karman::test::AllBackends, BackendNames);`.
using AllBackends = decltype(detail::as_types(detail::Both{}));
/// Every enabled backend in double.
using AllBackendsDouble = decltype(detail::as_types(detail::Double{}));

/// Names such as "openmp_f64" in the test's output.
struct BackendNames {
  template <class T>
  static std::string GetName(int) {
    return std::string(name(backend_of<typename T::execution_space>())) +
           (std::is_same_v<typename T::real, float> ? "_f32" : "_f64");
  }
};

}  // namespace karman::test
