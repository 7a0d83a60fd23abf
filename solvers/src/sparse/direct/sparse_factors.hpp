// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Interface of DirectSolver to a library, without Kokkos.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace karman::detail {

/// A square matrix in compressed rows, on the host.
template <class Number>
struct HostRows {
  int n = 0;
  std::vector<int> offsets = {0};
  std::vector<int> columns;
  std::vector<Number> values;
};

struct Factored {
  std::string_view breakdown = {};
  double reciprocal_condition = 0;
  std::int64_t entries = 0;
};

/// One factorisation, Number = double or std::complex<double>. The matrix belongs to the caller and must outlive it.
template <class Number>
class SparseFactors {
 public:
  virtual ~SparseFactors() = default;
  virtual void analyse(HostRows<Number> const& a) = 0;
  /// Peak bytes of factor(), beyond those in use after analyse(), from the analysed profile.
  virtual std::int64_t peak_bytes() const = 0;
  virtual Factored factor(HostRows<Number> const& a) = 0;
  /// x = A^-1 b.
  virtual void solve(HostRows<Number> const& a, Number const* b, Number* x) = 0;
};

/// Defined where the build has the library.
template <class Number>
std::unique_ptr<SparseFactors<Number>> make_mumps_factors();
template <class Number>
std::unique_ptr<SparseFactors<Number>> make_umfpack_factors();
template <class Number>
std::unique_ptr<SparseFactors<Number>> make_superlu_factors();

}  // namespace karman::detail
