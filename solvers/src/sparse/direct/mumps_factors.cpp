// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_memory.hpp"
#include "matrix_checks.hpp"
#include "nested_dissection.hpp"
#include "sparse_factors.hpp"
#include <karman/solvers/detail/csr_checks.hpp>

#include <dmumps_c.h>
#include <zmumps_c.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <string>

namespace karman::detail {

namespace {

/// MUMPS's functions for one kind of number.
template <class Number>
struct Mumps;

template <>
struct Mumps<double> {
  using Instance = DMUMPS_STRUC_C;
  static void call(Instance& instance) { dmumps_c(&instance); }
  static double* same(double const* a) { return const_cast<double*>(a); }
};

template <>
struct Mumps<std::complex<double>> {
  using Instance = ZMUMPS_STRUC_C;
  static void call(Instance& instance) { zmumps_c(&instance); }
  static ZMUMPS_COMPLEX* same(std::complex<double> const* a) {
    return reinterpret_cast<ZMUMPS_COMPLEX*>(const_cast<std::complex<double>*>(a));
  }
};

/// MUMPS and METIS keep variables of their own between the lines of a call.
std::mutex one_at_a_time;

/// Values of the manual of MUMPS 5.5, its counts from 1.
enum Job { job_begin = -1, job_end = -2, job_analyse = 1, job_factor = 2, job_solve = 3 };
constexpr int any_matrix = 0, symmetric_matrix = 2;
constexpr int singular_profile = -6, too_few_integers = -8, too_few_numbers = -9, singular = -10, no_memory = -13;
constexpr int no_memory_for_analysis = -7, no_memory_for_integers = -5;

/// L D L^T for symmetric values, else L U, both with pivots inside fronts.
template <class Number>
class MumpsFactors final : public SparseFactors<Number> {
 public:
  using Calls = Mumps<Number>;

  MumpsFactors() = default;
  MumpsFactors(MumpsFactors const&) = delete;
  MumpsFactors& operator=(MumpsFactors const&) = delete;
  ~MumpsFactors() override {
    std::scoped_lock const lock(one_at_a_time);
    end();
  }

  void analyse(HostRows<Number> const& a) override {
    std::scoped_lock const lock(one_at_a_time);
    end();
    peak_ = 0;
    require_profile(a.offsets, a.columns, a.n, "DirectSolver");
    if (a.columns.empty()) return;
    symmetric_profile_ = has_symmetric_profile(a);
    order_ = nested_dissection(a.n, a.offsets, a.columns);
    for (int& place : order_) ++place;
    begin(a, symmetric_profile_);
  }

  std::int64_t peak_bytes() const override { return peak_; }

  Factored factor(HostRows<Number> const& a) override {
    std::scoped_lock const lock(one_at_a_time);
    Factored result;
    if (a.n == 0) return result;
    result.breakdown = "the matrix is singular";
    if (a.columns.empty()) return result;
    bool const symmetric = symmetric_profile_ && has_symmetric_values(a);
    if (symmetric != symmetric_) {
      end();
      begin(a, symmetric);
      require_host_memory(peak_, "DirectSolver: the factors");
    }
    if (singular_) return result;
    take_values(a);
    call(job_factor);
    // Pivots that were put off need more than the symbolic phase foresaw.
    constexpr int most_percent = 3200;
    while ((status() == too_few_numbers || status() == too_few_integers) && more_percent() < most_percent) {
      more_percent() = std::max(40, 2 * more_percent());
      require_host_memory(peak_ + peak_ / 100 * more_percent(), "DirectSolver: the factors");
      call(job_factor);
    }
    if (status() == singular) return result;
    check();
    result.entries = integer(instance_.infog[29 - 1]);
    // Undocumented, but there in 5.2 to 5.7: the smallest and the largest pivot.
    double const least = instance_.dkeep[20 - 1], most = instance_.dkeep[21 - 1];
    result.reciprocal_condition = most > 0 ? least / most : 0;
    if (result.reciprocal_condition > std::numeric_limits<double>::min()) result.breakdown = {};
    return result;
  }

  void solve(HostRows<Number> const& a, Number const* b, Number* x) override {
    if (a.n == 0) return;
    std::scoped_lock const lock(one_at_a_time);
    std::copy(b, b + a.n, x);
    instance_.rhs = Calls::same(x);
    instance_.nrhs = 1;
    instance_.lrhs = a.n;
    call(job_solve);
    check();
  }

 private:
  int status() const { return instance_.infog[1 - 1]; }
  /// MUMPS gives numbers beyond the range of int in millions, negative.
  static std::int64_t integer(std::int64_t given) { return given < 0 ? -1'000'000 * given : given; }
  auto& more_percent() { return instance_.icntl[14 - 1]; }

  void call(Job job) {
    instance_.job = job;
    Calls::call(instance_);
  }

  void check() const {
    switch (status()) {
      case no_memory_for_integers:
      case no_memory_for_analysis:
      case no_memory:
      case too_few_integers:
      case too_few_numbers: throw std::runtime_error("DirectSolver: MUMPS has not enough memory for the factors");
      default:
        if (status() < 0) {
          throw std::runtime_error("DirectSolver: MUMPS failed with status " + std::to_string(status()) + ", " +
                                   std::to_string(instance_.infog[2 - 1]));
        }
    }
  }

  /// An instance for a kind of matrices, with the symbolic phase.
  void begin(HostRows<Number> const& a, bool symmetric) {
    instance_ = {};
    instance_.sym = symmetric ? symmetric_matrix : any_matrix;
    instance_.par = 1;
    constexpr int communicator_of_all = -987654;
    instance_.comm_fortran = communicator_of_all;
    call(job_begin);
    begun_ = true;
    check();
    symmetric_ = symmetric;
    singular_ = false;
    for (int output : {1, 2, 3, 4}) instance_.icntl[output - 1] = 0;
    instance_.icntl[6 - 1] = 0;   // no permutation that depends on values
    instance_.icntl[7 - 1] = 1;   // the order given
    instance_.icntl[12 - 1] = 1;  // of single unknowns
    constexpr int row_and_column_scaling = 7;
    instance_.icntl[8 - 1] = row_and_column_scaling;
    instance_.perm_in = order_.data();
    make_coordinates(a);
    call(job_analyse);
    if (status() == singular_profile) {
      singular_ = true;
      return;
    }
    check();
    peak_ = foreseen_bytes();
  }

  /// Workspaces of MUMPS, the lower triangle, and constants measured with MUMPS 5.5 beyond trimmed memory, on plane
  /// meshes of 3600 to 560 000 nodes. The reserve of MUMPS for pivots that are put off is address space that it does
  /// not touch.
  std::int64_t foreseen_bytes() {
    constexpr std::int64_t number = sizeof(Number), constant = 1'500'000;
    std::int64_t const numbers = integer(instance_.info[8 - 1]) * 100 / (100 + more_percent());
    std::int64_t const put_off = symmetric_ ? numbers / 50 : numbers / 10;
    std::int64_t const integers = integer(instance_.info[7 - 1]);
    std::int64_t const copied = symmetric_ ? static_cast<std::int64_t>(rows_.size()) : 0;
    std::int64_t const counted = (numbers + put_off + copied) * number + integers * 4;
    return counted + counted / 20 + instance_.n * ((symmetric_ ? 7 : 10) * number) + constant;
  }

  /// Entries of the lower triangle, or all, counted from 1.
  void make_coordinates(HostRows<Number> const& a) {
    rows_.clear();
    columns_.clear();
    std::size_t const most = symmetric_ ? (a.columns.size() + order_.size()) / 2 + 1 : a.columns.size();
    rows_.reserve(most);
    columns_.reserve(most);
    for (int row = 0; row < a.n; ++row) {
      for (int e = a.offsets[row]; e < a.offsets[row + 1]; ++e) {
        if (symmetric_ && a.columns[e] > row) break;
        rows_.push_back(row + 1);
        columns_.push_back(a.columns[e] + 1);
      }
    }
    instance_.n = a.n;
    instance_.nnz = static_cast<MUMPS_INT8>(rows_.size());
    instance_.irn = rows_.data();
    instance_.jcn = columns_.data();
  }

  void take_values(HostRows<Number> const& a) {
    if (!symmetric_) {
      instance_.a = Calls::same(a.values.data());
      return;
    }
    lower_.clear();
    lower_.reserve(rows_.size());
    for (int row = 0; row < a.n; ++row) {
      for (int e = a.offsets[row]; e < a.offsets[row + 1] && a.columns[e] <= row; ++e) lower_.push_back(a.values[e]);
    }
    instance_.a = Calls::same(lower_.data());
  }

  void end() {
    if (begun_) call(job_end);
    begun_ = false;
  }

  typename Calls::Instance instance_{};
  bool begun_ = false, symmetric_profile_ = false, symmetric_ = false, singular_ = false;
  std::int64_t peak_ = 0;
  std::vector<MUMPS_INT> order_, rows_, columns_;  ///< counted from 1
  std::vector<Number> lower_;
};

}  // namespace

template <class Number>
std::unique_ptr<SparseFactors<Number>> make_mumps_factors() {
  return std::make_unique<MumpsFactors<Number>>();
}
template std::unique_ptr<SparseFactors<double>> make_mumps_factors();
template std::unique_ptr<SparseFactors<std::complex<double>>> make_mumps_factors();

}  // namespace karman::detail
