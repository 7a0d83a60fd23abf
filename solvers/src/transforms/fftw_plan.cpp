// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dft_plan.hpp"

#include <fftw3.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace karman::detail {

namespace {

/// The functions of one precision under one name.
template <class T>
struct Fftw;

#define KARMAN_FFTW(T, prefix)                                              \
  template <>                                                               \
  struct Fftw<T> {                                                          \
    using Plan = prefix##_plan;                                             \
    using Complex = prefix##_complex;                                       \
    static constexpr auto* init_threads = prefix##_init_threads;            \
    static constexpr auto* get_threads = prefix##_planner_nthreads;         \
    static constexpr auto* set_threads = prefix##_plan_with_nthreads;       \
    static constexpr auto* thread_safe = prefix##_make_planner_thread_safe; \
    static constexpr auto* malloc = prefix##_malloc;                        \
    static constexpr auto* free = prefix##_free;                            \
    static constexpr auto* alignment_of = prefix##_alignment_of;            \
    static constexpr auto* plan_dft = prefix##_plan_guru64_dft;             \
    static constexpr auto* plan_dft_r2c = prefix##_plan_guru64_dft_r2c;     \
    static constexpr auto* plan_dft_c2r = prefix##_plan_guru64_dft_c2r;     \
    static constexpr auto* plan_r2r = prefix##_plan_guru64_r2r;             \
    static constexpr auto* destroy = prefix##_destroy_plan;                 \
    static constexpr auto* execute_dft = prefix##_execute_dft;              \
    static constexpr auto* execute_dft_r2c = prefix##_execute_dft_r2c;      \
    static constexpr auto* execute_dft_c2r = prefix##_execute_dft_c2r;      \
    static constexpr auto* execute_r2r = prefix##_execute_r2r;              \
  };
KARMAN_FFTW(double, fftw)
KARMAN_FFTW(float, fftwf)
#undef KARMAN_FFTW

/// The planner of FFTW has one state for the whole program.
std::mutex& planner() {
  static std::mutex mutex;
  return mutex;
}

std::vector<fftw_iodim64> dimensions(std::vector<DftDimension> const& list) {
  std::vector<fftw_iodim64> result;
  for (auto const& d : list) result.push_back({d.n, d.in_stride, d.out_stride});
  return result;
}

/// Memory for the planner: real scratch; addresses alone for FFTW_ESTIMATE.
template <class T>
class Scratch {
 public:
  explicit Scratch(std::int64_t bytes) : data_(Fftw<T>::malloc(static_cast<std::size_t>(bytes))) {
    if (data_ == nullptr) throw std::bad_alloc();
  }
  ~Scratch() { Fftw<T>::free(data_); }
  Scratch(Scratch const&) = delete;
  Scratch& operator=(Scratch const&) = delete;
  void* data() const { return data_; }

 private:
  void* data_;
};

/// Bytes from the first to the last value, with room for complex numbers throughout.
template <class T>
std::int64_t span(DftShape const& shape, bool in) {
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

template <class T>
FftwPlanner<T>::FftwPlanner(int threads) : lock_(planner()) {
  static bool const ready = [] {
    // The enclosing program may plan at the same time.
    Fftw<T>::thread_safe();
    return Fftw<T>::init_threads() != 0;
  }();
  if (!ready) throw std::runtime_error("FFTW cannot start its threads");
  before_ = Fftw<T>::get_threads();
  Fftw<T>::set_threads(threads);
}

template <class T>
FftwPlanner<T>::~FftwPlanner() {
  Fftw<T>::set_threads(before_);
}

template <class T>
bool fftw_aligned(void const* address) {
  // FFTW's interface lacks const.
  return Fftw<T>::alignment_of(static_cast<T*>(const_cast<void*>(address))) == 0;
}

template <class T>
struct FftwPlan<T>::State {
  enum class Call { dft, r2c, c2r, r2r };
  Call call = Call::dft;
  /// For addresses that suit the processor's vector instructions, and for all others.
  std::array<typename Fftw<T>::Plan, 2> plans{};

  State() = default;
  State(State const&) = delete;
  State& operator=(State const&) = delete;
  ~State() {
    std::lock_guard const lock(planner());
    for (auto& plan : plans) {
      if (plan != nullptr) Fftw<T>::destroy(plan);
    }
  }

  /// `plan(in, out, flags)` makes one with FFTW.
  template <class Plan>
  void make(DftShape const& shape, bool in_place, FftPlanning planning, int threads, Plan const& plan) {
    double values = 1;
    for (auto const* list : {&shape.transformed, &shape.batched}) {
      for (auto const& d : *list) values *= static_cast<double>(d.n);
    }
    // The start of threads costs more than a small transform.
    FftwPlanner<T> const planner(values < 8192 ? 1 : threads);
    std::int64_t const in_bytes = span<T>(shape, true);
    std::int64_t const out_bytes = span<T>(shape, false);
    Scratch<T> const in(in_place ? std::max(in_bytes, out_bytes) : in_bytes);
    Scratch<T> const separate(in_place ? 1 : out_bytes);
    void* const out = in_place ? in.data() : separate.data();
    unsigned const keep = call == Call::c2r || in_place ? 0u : unsigned(FFTW_PRESERVE_INPUT);
    unsigned const effort = planning == FftPlanning::measure ? FFTW_MEASURE : FFTW_ESTIMATE;
    plans[0] = plan(in.data(), out, keep | effort);
    plans[1] = plan(in.data(), out, keep | FFTW_ESTIMATE | FFTW_UNALIGNED);
    if (plans[0] == nullptr || plans[1] == nullptr) throw std::runtime_error("FFTW has no plan for this transform");
  }
};

template <class T>
FftwPlan<T>::FftwPlan(DftShape const& shape, DftKind kind, bool in_place, FftPlanning planning, int threads)
    : state_(std::make_unique<State>()) {
  using Call = typename State::Call;
  using Complex = typename Fftw<T>::Complex;
  auto const n = dimensions(shape.transformed);
  auto const batch = dimensions(shape.batched);
  int const rank = static_cast<int>(n.size());
  int const batches = static_cast<int>(batch.size());
  state_->call = kind == DftKind::real_forward ? Call::r2c : kind == DftKind::real_backward ? Call::c2r : Call::dft;
  state_->make(shape, in_place, planning, threads, [&](void* in, void* out, unsigned flags) {
    switch (state_->call) {
      case Call::r2c:
        return Fftw<T>::plan_dft_r2c(rank, n.data(), batches, batch.data(), static_cast<T*>(in),
                                     static_cast<Complex*>(out), flags);
      case Call::c2r:
        return Fftw<T>::plan_dft_c2r(rank, n.data(), batches, batch.data(), static_cast<Complex*>(in),
                                     static_cast<T*>(out), flags);
      default: break;
    }
    int const sign = kind == DftKind::complex_forward ? FFTW_FORWARD : FFTW_BACKWARD;
    return Fftw<T>::plan_dft(rank, n.data(), batches, batch.data(), static_cast<Complex*>(in),
                             static_cast<Complex*>(out), sign, flags);
  });
}

template <class T>
FftwPlan<T>::FftwPlan(DftShape const& shape, Trigonometric kind, bool forward, bool in_place, FftPlanning planning,
                      int threads)
    : state_(std::make_unique<State>()) {
  auto const n = dimensions(shape.transformed);
  auto const batch = dimensions(shape.batched);
  std::vector<fftw_r2r_kind> const kinds(n.size(), r2r_kind(kind, forward));
  state_->call = State::Call::r2r;
  state_->make(shape, in_place, planning, threads, [&](void* in, void* out, unsigned flags) {
    return Fftw<T>::plan_r2r(static_cast<int>(n.size()), n.data(), static_cast<int>(batch.size()), batch.data(),
                             static_cast<T*>(in), static_cast<T*>(out), kinds.data(), flags);
  });
}

template <class T>
FftwPlan<T>::FftwPlan(FftwPlan&&) noexcept = default;
template <class T>
FftwPlan<T>& FftwPlan<T>::operator=(FftwPlan&&) noexcept = default;
template <class T>
FftwPlan<T>::~FftwPlan() = default;

template <class T>
void FftwPlan<T>::execute(void const* in, void* out) const {
  using Call = typename State::Call;
  using Complex = typename Fftw<T>::Complex;
  // FFTW's interface lacks const; plans that must keep their input do so.
  void* const from = const_cast<void*>(in);
  bool const aligned = fftw_aligned<T>(in) && fftw_aligned<T>(out);
  auto const plan = state_->plans[aligned ? 0 : 1];
  switch (state_->call) {
    case Call::dft: return Fftw<T>::execute_dft(plan, static_cast<Complex*>(from), static_cast<Complex*>(out));
    case Call::r2c: return Fftw<T>::execute_dft_r2c(plan, static_cast<T*>(from), static_cast<Complex*>(out));
    case Call::c2r: return Fftw<T>::execute_dft_c2r(plan, static_cast<Complex*>(from), static_cast<T*>(out));
    case Call::r2r: return Fftw<T>::execute_r2r(plan, static_cast<T*>(from), static_cast<T*>(out));
  }
}

template class FftwPlanner<float>;
template class FftwPlanner<double>;
template bool fftw_aligned<float>(void const*);
template bool fftw_aligned<double>(void const*);
template class FftwPlan<float>;
template class FftwPlan<double>;

}  // namespace karman::detail
