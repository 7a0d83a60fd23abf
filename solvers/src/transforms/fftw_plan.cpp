// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fftw_plan.hpp"

#include "fftw_functions.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>

namespace karman::detail {

namespace {

std::vector<fftw_iodim64> fftw_dimensions(std::vector<DftDimension> const& list) {
  std::vector<fftw_iodim64> result;
  for (auto const& d : list) result.push_back({d.n, d.in_stride, d.out_stride});
  return result;
}

/// Bytes from the first to the last value, with every value counted as complex.
template <class T>
std::int64_t fftw_span(DftShape const& shape, bool in) {
  std::int64_t last = 1;
  for (auto const* list : {&shape.transformed, &shape.batched}) {
    for (auto const& d : *list) last += (d.n - 1) * (in ? d.in_stride : d.out_stride);
  }
  return (last + 1) * 2 * static_cast<std::int64_t>(sizeof(T));
}

fftw_r2r_kind r2r_kind(Trigonometric kind, bool forward) {
  switch (kind) {
    case Trigonometric::dct1: return FFTW_REDFT00;
    case Trigonometric::dct2: return forward ? FFTW_REDFT10 : FFTW_REDFT01;
    case Trigonometric::dct3: return forward ? FFTW_REDFT01 : FFTW_REDFT10;
    case Trigonometric::dct4: return FFTW_REDFT11;
    case Trigonometric::dst1: return FFTW_RODFT00;
    case Trigonometric::dst2: return forward ? FFTW_RODFT10 : FFTW_RODFT01;
    case Trigonometric::dst3: return forward ? FFTW_RODFT01 : FFTW_RODFT10;
    case Trigonometric::dst4: return FFTW_RODFT11;
    case Trigonometric::halfcomplex: return forward ? FFTW_R2HC : FFTW_HC2R;
    default: break;
  }
  throw std::invalid_argument("FFTW has no transform of this kind");
}

}  // namespace

std::mutex& fftw_planner_mutex() {
  static std::mutex mutex;
  return mutex;
}

template <class T>
FftwPlanner<T>::FftwPlanner(int threads, FftPlanning planning)
    : lock_(fftw_planner_mutex()), wisdom_(nullptr, std::free) {
  static bool const ready = [] {
    // The enclosing program may plan at the same time.
    Fftw<T>::thread_safe();
    return Fftw<T>::init_threads() != 0;
  }();
  if (!ready) throw std::runtime_error("FFTW cannot start its threads");
  before_ = Fftw<T>::get_threads();
  Fftw<T>::set_threads(threads);
  if (planning == FftPlanning::measure) return;
  wisdom_.reset(Fftw<T>::wisdom());
  Fftw<T>::forget_wisdom();
}

template <class T>
FftwPlanner<T>::~FftwPlanner() {
  Fftw<T>::set_threads(before_);
  if (wisdom_) Fftw<T>::add_wisdom(wisdom_.get());
}

template <class T>
bool fftw_aligned(void const* address) {
  // FFTW's interface lacks const.
  return Fftw<T>::alignment_of(static_cast<T*>(const_cast<void*>(address))) == 0;
}

template <class T>
FftwTransform<T>::FftwTransform(DftKind kind)
    : call_(kind == DftKind::real_forward    ? Call::r2c
            : kind == DftKind::real_backward ? Call::c2r
                                             : Call::dft),
      sign_(kind == DftKind::complex_forward ? FFTW_FORWARD : FFTW_BACKWARD) {}

template <class T>
FftwTransform<T>::FftwTransform(Trigonometric kind, bool forward) : call_(Call::r2r), kind_(r2r_kind(kind, forward)) {}

template <class T>
typename Fftw<T>::Plan FftwTransform<T>::plan(DftShape const& shape, void* in, void* out, unsigned flags) const {
  using Complex = typename Fftw<T>::Complex;
  auto const n = fftw_dimensions(shape.transformed);
  auto const batch = fftw_dimensions(shape.batched);
  int const rank = static_cast<int>(n.size());
  int const batches = static_cast<int>(batch.size());
  std::vector<fftw_r2r_kind> const kinds(n.size(), kind_);
  auto* const real_in = static_cast<T*>(in);
  auto* const real_out = static_cast<T*>(out);
  auto* const complex_in = static_cast<Complex*>(in);
  auto* const complex_out = static_cast<Complex*>(out);
  Plan result = nullptr;
  switch (call_) {
    case Call::dft:
      result = Fftw<T>::plan_dft(rank, n.data(), batches, batch.data(), complex_in, complex_out, sign_, flags);
      break;
    case Call::r2c:
      result = Fftw<T>::plan_dft_r2c(rank, n.data(), batches, batch.data(), real_in, complex_out, flags);
      break;
    case Call::c2r:
      result = Fftw<T>::plan_dft_c2r(rank, n.data(), batches, batch.data(), complex_in, real_out, flags);
      break;
    case Call::r2r:
      result = Fftw<T>::plan_r2r(rank, n.data(), batches, batch.data(), real_in, real_out, kinds.data(), flags);
      break;
  }
  if (result == nullptr) throw std::runtime_error("FFTW has no plan for this transform");
  return result;
}

template <class T>
struct FftwPlan<T>::State {
  FftwTransform<T> transform;
  /// For addresses that suit the processor's vector instructions, and for all others.
  std::array<FftwOwned<T>, 2> plans;

  State(FftwTransform<T> const& transform_, DftShape const& shape, bool in_place, FftPlanning planning, int threads)
      : transform(transform_) {
    double values = 1;
    for (auto const* list : {&shape.transformed, &shape.batched}) {
      for (auto const& d : *list) values *= static_cast<double>(d.n);
    }
    // The start of threads costs more than a small transform.
    FftwPlanner<T> const planner(values < 8192 ? 1 : threads, planning);
    std::int64_t const in_bytes = fftw_span<T>(shape, true);
    std::int64_t const out_bytes = fftw_span<T>(shape, false);
    FftwMemory<T> const in(in_place ? std::max(in_bytes, out_bytes) : in_bytes);
    FftwMemory<T> const separate(in_place ? 1 : out_bytes);
    void* const out = in_place ? in.data() : separate.data();
    unsigned const keep = transform.overwrites_input() || in_place ? 0u : unsigned(FFTW_PRESERVE_INPUT);
    unsigned const effort = planning == FftPlanning::measure ? FFTW_MEASURE : FFTW_ESTIMATE;
    plans[0].reset(transform.plan(shape, in.data(), out, keep | effort));
    plans[1].reset(transform.plan(shape, in.data(), out, keep | FFTW_ESTIMATE | FFTW_UNALIGNED));
  }
};

template <class T>
FftwPlan<T>::FftwPlan(DftShape const& shape, DftKind kind, bool in_place, FftPlanning planning, int threads)
    : state_("FftwPlan", std::make_unique<State>(FftwTransform<T>(kind), shape, in_place, planning, threads)) {}

template <class T>
FftwPlan<T>::FftwPlan(DftShape const& shape, Trigonometric kind, bool forward, bool in_place, FftPlanning planning,
                      int threads)
    : state_("FftwPlan", std::make_unique<State>(FftwTransform<T>(kind, forward), shape, in_place, planning, threads)) {
}

template <class T>
void FftwPlan<T>::execute(void const* in, void* out) const {
  // FFTW's interface lacks const; plans that must keep their input do so.
  void* const from = const_cast<void*>(in);
  bool const aligned = fftw_aligned<T>(in) && fftw_aligned<T>(out);
  state_->transform.execute(state_->plans[aligned ? 0 : 1].get(), from, out);
}

template class FftwPlanner<float>;
template class FftwPlanner<double>;
template bool fftw_aligned<float>(void const*);
template bool fftw_aligned<double>(void const*);
template class FftwTransform<float>;
template class FftwTransform<double>;
template class FftwPlan<float>;
template class FftwPlan<double>;

}  // namespace karman::detail
