// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fill_count.hpp"
#include "matrix_checks.hpp"
#include "sparse_factors.hpp"
#include <karman/solvers/detail/csr_checks.hpp>

// The header of SuperLU's C library declares functions for both kinds of numbers.
#include <slu_ddefs.h>
#include <slu_zdefs.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace karman::detail {

namespace {

/// SuperLU's functions for one kind of number.
template <class Number>
struct Superlu;

template <>
struct Superlu<double> {
  static constexpr Dtype_t kind = SLU_D;
  static void columns(SuperMatrix* a, int n, int entries, double const* values, int const* rows, int const* offsets) {
    dCreate_CompCol_Matrix(a, n, n, entries, const_cast<double*>(values), const_cast<int*>(rows),
                           const_cast<int*>(offsets), SLU_NC, kind, SLU_GE);
  }
  static void dense(SuperMatrix* b, int n, double* values) {
    dCreate_Dense_Matrix(b, n, 1, values, n, SLU_DN, kind, SLU_GE);
  }
  static void factor(superlu_options_t* options, SuperMatrix* a, int* tree, int* column_order, int* row_order,
                     SuperMatrix* lower, SuperMatrix* upper, GlobalLU_t* global, SuperLUStat_t* stat, int* info) {
    dgstrf(options, a, sp_ienv(2), sp_ienv(1), tree, nullptr, 0, column_order, row_order, lower, upper, global, stat,
           info);
  }
  static void solve(SuperMatrix* lower, SuperMatrix* upper, int* column_order, int* row_order, SuperMatrix* b,
                    SuperLUStat_t* stat, int* info) {
    dgstrs(TRANS, lower, upper, column_order, row_order, b, stat, info);
  }
};

template <>
struct Superlu<std::complex<double>> {
  static constexpr Dtype_t kind = SLU_Z;
  static doublecomplex* same(std::complex<double> const* a) {
    return reinterpret_cast<doublecomplex*>(const_cast<std::complex<double>*>(a));
  }
  static void columns(SuperMatrix* a, int n, int entries, std::complex<double> const* values, int const* rows,
                      int const* offsets) {
    zCreate_CompCol_Matrix(a, n, n, entries, same(values), const_cast<int*>(rows), const_cast<int*>(offsets), SLU_NC,
                           kind, SLU_GE);
  }
  static void dense(SuperMatrix* b, int n, std::complex<double>* values) {
    zCreate_Dense_Matrix(b, n, 1, same(values), n, SLU_DN, kind, SLU_GE);
  }
  static void factor(superlu_options_t* options, SuperMatrix* a, int* tree, int* column_order, int* row_order,
                     SuperMatrix* lower, SuperMatrix* upper, GlobalLU_t* global, SuperLUStat_t* stat, int* info) {
    zgstrf(options, a, sp_ienv(2), sp_ienv(1), tree, nullptr, 0, column_order, row_order, lower, upper, global, stat,
           info);
  }
  static void solve(SuperMatrix* lower, SuperMatrix* upper, int* column_order, int* row_order, SuperMatrix* b,
                    SuperLUStat_t* stat, int* info) {
    zgstrs(TRANS, lower, upper, column_order, row_order, b, stat, info);
  }
};

/// Counters that every call of SuperLU requires.
struct Statistics {
  SuperLUStat_t stat;
  Statistics() { StatInit(&stat); }
  ~Statistics() { StatFree(&stat); }
  Statistics(Statistics const&) = delete;
  Statistics& operator=(Statistics const&) = delete;
};

/// The rows of A are given as columns: SuperLU factors A^T and solves with its transpose.
template <class Number>
class SuperluFactors final : public SparseFactors<Number> {
 public:
  using Calls = Superlu<Number>;

  SuperluFactors() {
    set_default_options(&options_);
    // Profiles of finite elements are symmetric: order by A + A^T, and keep pivots on the diagonal where they are large
    // enough.
    options_.ColPerm = MMD_AT_PLUS_A;
    options_.SymmetricMode = YES;
    options_.DiagPivotThresh = 0.01;
  }
  SuperluFactors(SuperluFactors const&) = delete;
  SuperluFactors& operator=(SuperluFactors const&) = delete;
  ~SuperluFactors() override { invalidate(); }

  void analyse(HostRows<Number> const& a) override {
    invalidate();
    require_profile(a.offsets, a.columns, a.n, "DirectSolver");
    auto const n = static_cast<std::size_t>(a.n);
    column_order_.resize(n);
    row_order_.resize(n);
    tree_.resize(n);
    fill_order_.clear();
    fill_ = 0;
    if (a.columns.empty()) return;
    SuperMatrix matrix;
    Calls::columns(&matrix, a.n, static_cast<int>(a.values.size()), a.values.data(), a.columns.data(),
                   a.offsets.data());
    get_perm_c(options_.ColPerm, &matrix, column_order_.data());
    Destroy_SuperMatrix_Store(&matrix);
    fill_order_ = column_order_;
    fill_ = count_fill(a.n, a.offsets, a.columns, fill_order_);
  }

  /// SuperLU copies an array that was too small: at the peak one of the two factors is there twice.
  std::int64_t peak_bytes() const override {
    return bytes_an_entry * 3 * fill_ + bytes_a_row * static_cast<std::int64_t>(fill_order_.size());
  }

  Factored factor(HostRows<Number> const& a) override {
    invalidate();
    if (a.n == 0) return {};
    if (a.columns.empty()) return {"the matrix is singular"};
    SuperMatrix matrix, permuted;
    Calls::columns(&matrix, a.n, static_cast<int>(a.values.size()), a.values.data(), a.columns.data(),
                   a.offsets.data());
    // SuperLU postorders the elimination tree and changes the order of columns accordingly.
    column_order_ = fill_order_;
    sp_preorder(&options_, &matrix, column_order_.data(), tree_.data(), &permuted);
    Statistics statistics;
    GlobalLU_t global;
    int info = 0;
    Calls::factor(&options_, &permuted, tree_.data(), column_order_.data(), row_order_.data(), &lower_, &upper_,
                  &global, &statistics.stat, &info);
    Destroy_CompCol_Permuted(&permuted);
    Destroy_SuperMatrix_Store(&matrix);
    if (info > a.n) throw std::runtime_error("DirectSolver: SuperLU has not enough memory for the factors");
    if (info < 0) throw std::runtime_error("DirectSolver: SuperLU failed with status " + std::to_string(info));
    has_factors_ = true;
    Factored result;
    if (info > 0) {
      result.breakdown = "the matrix is singular";
      return result;
    }
    auto const* const l = static_cast<SCformat const*>(lower_.Store);
    auto const* const u = static_cast<NCformat const*>(upper_.Store);
    result.entries = std::int64_t(l->nnz) + u->nnz;
    result.reciprocal_condition = pivot_ratio(a.n);
    // SuperLU detects only pivots that are exactly zero.
    if (!(result.reciprocal_condition > std::numeric_limits<double>::min()))
      result.breakdown = "the matrix is singular";
    return result;
  }

  void solve(HostRows<Number> const& a, Number const* b, Number* x) override {
    if (a.n == 0) return;
    std::copy(b, b + a.n, x);
    SuperMatrix right;
    Calls::dense(&right, a.n, x);
    Statistics statistics;
    int info = 0;
    Calls::solve(&lower_, &upper_, column_order_.data(), row_order_.data(), &right, &statistics.stat, &info);
    Destroy_SuperMatrix_Store(&right);
    if (info != 0) throw std::runtime_error("DirectSolver: SuperLU failed with status " + std::to_string(info));
  }

 private:
  /// Ratio of the smallest to the largest pivot. Pivots are the diagonal of U, which lies with the supernodes of L.
  double pivot_ratio(int n) const {
    auto const* const l = static_cast<SCformat const*>(lower_.Store);
    auto const* const values = static_cast<Number const*>(l->nzval);
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (int column = 0; column < n; ++column) {
      int const first = l->sup_to_col[l->col_to_sup[column]];
      double const pivot = std::abs(values[l->nzval_colptr[column] + (column - first)]);
      least = std::min(least, pivot);
      most = std::max(most, pivot);
    }
    return most > 0 ? least / most : 0;
  }

  void invalidate() {
    if (!has_factors_) return;
    Destroy_SuperNode_Matrix(&lower_);
    Destroy_CompCol_Matrix(&upper_);
    has_factors_ = false;
  }

  superlu_options_t options_;
  /// Measured with SuperLU 5.3 on plane meshes of 400 to 90 000 nodes: a row of the active panel, the subscripts, the
  /// permuted matrix.
  static constexpr std::int64_t bytes_an_entry = sizeof(Number) + sizeof(int);
  static constexpr std::int64_t bytes_a_row = 32 * sizeof(Number) + 64;
  std::vector<int> fill_order_, column_order_, row_order_, tree_;
  std::int64_t fill_ = 0;  ///< entries of each factor, where pivots stay on the diagonal
  SuperMatrix lower_{}, upper_{};
  bool has_factors_ = false;
};

}  // namespace

template <class Number>
std::unique_ptr<SparseFactors<Number>> make_superlu_factors() {
  return std::make_unique<SuperluFactors<Number>>();
}
template std::unique_ptr<SparseFactors<double>> make_superlu_factors();
template std::unique_ptr<SparseFactors<std::complex<double>>> make_superlu_factors();

}  // namespace karman::detail
