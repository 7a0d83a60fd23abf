// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_check.hpp"
#include "tridiagonal_peers.hpp"

#include <cusparse.h>

#include <limits>
#include <stdexcept>

namespace karman::perf {

namespace {

void cusparse_check(cusparseStatus_t status) {
  if (status != CUSPARSE_STATUS_SUCCESS) throw std::runtime_error(cusparseGetErrorString(status));
}

/// The routines by type.
template <class T>
struct Routines;
#define KARMAN_ROUTINES(T, letter)                                                                 \
  template <>                                                                                      \
  struct Routines<T> {                                                                             \
    static constexpr auto strided_size = cusparse##letter##gtsv2StridedBatch_bufferSizeExt;        \
    static constexpr auto strided = cusparse##letter##gtsv2StridedBatch;                           \
    static constexpr auto interleaved_size = cusparse##letter##gtsvInterleavedBatch_bufferSizeExt; \
    static constexpr auto interleaved = cusparse##letter##gtsvInterleavedBatch;                    \
    static constexpr auto no_pivoting_size = cusparse##letter##gtsv2_nopivot_bufferSizeExt;        \
    static constexpr auto no_pivoting = cusparse##letter##gtsv2_nopivot;                           \
    static constexpr auto pivoting_size = cusparse##letter##gtsv2_bufferSizeExt;                   \
    static constexpr auto pivoting = cusparse##letter##gtsv2;                                      \
  };
KARMAN_ROUTINES(float, S)
KARMAN_ROUTINES(double, D)
#undef KARMAN_ROUTINES

template <class T>
class CusparseTridiagonal final : public TridiagonalImplementation<Kokkos::Cuda, T> {
 public:
  using Exec = Kokkos::Cuda;
  using Batch = TridiagonalBatch<Exec, T>;
  using Array = typename Batch::Array;

  CusparseTridiagonal(Exec const& space, Batch const& batch, Cusparse routine)
      : routine_(routine),
        rows_(narrow(batch.size.rows)),
        systems_(narrow(batch.size.systems)),
        lower_(batch.lower),
        diagonal_(batch.diagonal),
        upper_(batch.upper) {
    bool const one = routine == Cusparse::no_pivoting || routine == Cusparse::pivoting;
    if (batch.size.shared || (one && systems_ != 1) || (interleaved() != batch.size.interleaved && systems_ > 1)) {
      throw std::invalid_argument("cuSPARSE has no such routine");
    }
    cusparse_check(cusparseCreate(&handle_));
    cusparse_check(cusparseSetStream(handle_, space.cuda_stream()));
    if (interleaved()) {
      // cuSPARSE may overwrite the matrix.
      lower_ = allocate<Array>(space, "karman::perf::lower", batch.lower.extent(0));
      diagonal_ = allocate<Array>(space, "karman::perf::diagonal", batch.lower.extent(0));
      upper_ = allocate<Array>(space, "karman::perf::upper", batch.lower.extent(0));
    }
    std::size_t bytes = 0;
    cusparse_check(ask(batch, &bytes));
    workspace_ = allocate<Kokkos::View<char*, typename Exec::memory_space>>(space, "karman::perf::workspace",
                                                                            std::max<std::size_t>(bytes, 1));
  }
  ~CusparseTridiagonal() override { cusparseDestroy(handle_); }

  void load(Exec const& space, Batch const& batch) override {
    Kokkos::deep_copy(space, batch.solution, batch.rhs);
    if (!interleaved()) return;
    Kokkos::deep_copy(space, lower_, batch.lower);
    Kokkos::deep_copy(space, diagonal_, batch.diagonal);
    Kokkos::deep_copy(space, upper_, batch.upper);
  }

  void run(Exec const&, Batch const& batch) override { cusparse_check(call(batch)); }

 private:
  using R = Routines<T>;
  static int narrow(std::int64_t n) {
    if (n > std::numeric_limits<int>::max()) throw std::invalid_argument("cuSPARSE: more than 2^31 - 1 rows");
    return int(n);
  }
  bool interleaved() const {
    return routine_ == Cusparse::interleaved_thomas || routine_ == Cusparse::interleaved_lu ||
           routine_ == Cusparse::interleaved_qr;
  }
  /// cuSPARSE's number of an interleaved algorithm.
  int algorithm() const { return int(routine_) - int(Cusparse::interleaved_thomas); }

  cusparseStatus_t ask(Batch const& batch, std::size_t* bytes) {
    T* const x = batch.solution.data();
    switch (routine_) {
      case Cusparse::strided_batch:
        return R::strided_size(handle_, rows_, lower_.data(), diagonal_.data(), upper_.data(), x, systems_, rows_,
                               bytes);
      case Cusparse::no_pivoting:
        return R::no_pivoting_size(handle_, rows_, 1, lower_.data(), diagonal_.data(), upper_.data(), x, rows_, bytes);
      case Cusparse::pivoting:
        return R::pivoting_size(handle_, rows_, 1, lower_.data(), diagonal_.data(), upper_.data(), x, rows_, bytes);
      default:
        return R::interleaved_size(handle_, algorithm(), rows_, lower_.data(), diagonal_.data(), upper_.data(), x,
                                   systems_, bytes);
    }
  }

  cusparseStatus_t call(Batch const& batch) {
    T* const x = batch.solution.data();
    void* const buffer = workspace_.data();
    switch (routine_) {
      case Cusparse::strided_batch:
        return R::strided(handle_, rows_, lower_.data(), diagonal_.data(), upper_.data(), x, systems_, rows_, buffer);
      case Cusparse::no_pivoting:
        return R::no_pivoting(handle_, rows_, 1, lower_.data(), diagonal_.data(), upper_.data(), x, rows_, buffer);
      case Cusparse::pivoting:
        return R::pivoting(handle_, rows_, 1, lower_.data(), diagonal_.data(), upper_.data(), x, rows_, buffer);
      default:
        return R::interleaved(handle_, algorithm(), rows_, lower_.data(), diagonal_.data(), upper_.data(), x, systems_,
                              buffer);
    }
  }

  Cusparse routine_;
  int rows_, systems_;
  cusparseHandle_t handle_ = nullptr;
  Array lower_, diagonal_, upper_;
  Kokkos::View<char*, typename Exec::memory_space> workspace_;
};

}  // namespace

template <class Exec, class T>
TridiagonalMaker<Exec, T> cusparse_tridiagonal(Cusparse routine) {
  return [routine](Exec const& space, TridiagonalBatch<Exec, T> const& batch) {
    return std::make_unique<CusparseTridiagonal<T>>(space, batch, routine);
  };
}

template TridiagonalMaker<Kokkos::Cuda, float> cusparse_tridiagonal<Kokkos::Cuda, float>(Cusparse);
template TridiagonalMaker<Kokkos::Cuda, double> cusparse_tridiagonal<Kokkos::Cuda, double>(Cusparse);

}  // namespace karman::perf
