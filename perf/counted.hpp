// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A real number that counts the arithmetic of a kernel while the kernel computes with it.
#pragma once

#include <Kokkos_Core.hpp>

namespace karman::perf {

/// Floating-point operations by kind. Comparisons, absolute values and changes of sign count nothing.
struct OperationCount {
  int additions = 0;  ///< and subtractions
  int multiplications = 0;
  int divisions = 0;
  int roots = 0;

  int total() const { return additions + multiplications + divisions + roots; }
};

/// A double with the counter of its operations. Numbers without a counter are constants: operations of constants alone
/// are not counted, since a compiler folds them.
struct Counted {
  double value = 0;
  OperationCount* count = nullptr;

  constexpr Counted() = default;
  KOKKOS_FUNCTION constexpr Counted(double number, OperationCount* counter = nullptr) : value(number), count(counter) {}
  KOKKOS_FUNCTION constexpr Counted(int number) : value(number) {}

  KOKKOS_FUNCTION Counted& operator+=(Counted const& other);
  KOKKOS_FUNCTION Counted& operator-=(Counted const& other);
};

/// The result of one operation of this kind.
KOKKOS_INLINE_FUNCTION Counted counted(double value, Counted const& a, Counted const& b, int OperationCount::* kind) {
  OperationCount* const count = a.count != nullptr ? a.count : b.count;
  if (count != nullptr) ++(count->*kind);
  return {value, count};
}

KOKKOS_INLINE_FUNCTION Counted operator+(Counted const& a, Counted const& b) {
  return counted(a.value + b.value, a, b, &OperationCount::additions);
}
KOKKOS_INLINE_FUNCTION Counted operator-(Counted const& a, Counted const& b) {
  return counted(a.value - b.value, a, b, &OperationCount::additions);
}
KOKKOS_INLINE_FUNCTION Counted operator*(Counted const& a, Counted const& b) {
  return counted(a.value * b.value, a, b, &OperationCount::multiplications);
}
KOKKOS_INLINE_FUNCTION Counted operator/(Counted const& a, Counted const& b) {
  return counted(a.value / b.value, a, b, &OperationCount::divisions);
}
KOKKOS_INLINE_FUNCTION Counted operator-(Counted const& a) { return {-a.value, a.count}; }
KOKKOS_INLINE_FUNCTION bool operator>(Counted const& a, Counted const& b) { return a.value > b.value; }
KOKKOS_INLINE_FUNCTION bool operator<(Counted const& a, Counted const& b) { return a.value < b.value; }
KOKKOS_INLINE_FUNCTION Counted& Counted::operator+=(Counted const& other) { return *this = *this + other; }
KOKKOS_INLINE_FUNCTION Counted& Counted::operator-=(Counted const& other) { return *this = *this - other; }

KOKKOS_INLINE_FUNCTION Counted sqrt(Counted const& a) { return counted(::sqrt(a.value), a, a, &OperationCount::roots); }
KOKKOS_INLINE_FUNCTION Counted fabs(Counted const& a) { return {::fabs(a.value), a.count}; }

}  // namespace karman::perf

// Kernels call the functions of Kokkos by their full names, in one of these namespaces by its version.
namespace Kokkos {
using karman::perf::fabs;
using karman::perf::sqrt;
namespace Experimental {
using karman::perf::fabs;
using karman::perf::sqrt;
}  // namespace Experimental
}  // namespace Kokkos
