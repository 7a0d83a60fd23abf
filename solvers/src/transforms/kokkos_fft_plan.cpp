// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dft_plan.hpp"

#include <KokkosFFT.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace karman::detail {

namespace {

/// Boxes of up to three transformed axes, one after the other without gaps.
struct PackedBoxes {
  /// Extents of input and output: batch, then transformed axes, slowest first, padded with ones on the left.
  std::array<std::size_t, 4> in{1, 1, 1, 1}, out{1, 1, 1, 1};
  std::size_t transformed = 1;

  std::size_t values() const {
    std::size_t read = 1, written = 1;
    for (std::size_t d = 0; d < 4; ++d) {
      read *= in[d];
      written *= out[d];
    }
    return std::max(read, written);
  }
};

/// The packed boxes of a shape; empty where kokkos-fft cannot do the transform as it is. Anything else kokkos-fft would
/// copy, in every call, to newly allocated memory. Its sizes have 32 bits.
std::optional<PackedBoxes> packed(DftShape const& shape, DftKind kind) {
  PackedBoxes boxes;
  boxes.transformed = shape.transformed.size();
  std::int64_t in_stride = 1, out_stride = 1;
  std::size_t place = 4;
  for (auto const* list : {&shape.transformed, &shape.batched}) {
    for (auto d = list->rbegin(); d != list->rend(); ++d) {
      if (d->n > 1 && (d->in_stride != in_stride || d->out_stride != out_stride)) return std::nullopt;
      bool const halved = list == &shape.transformed && d == list->rbegin();
      std::int64_t const in = halved && kind == DftKind::real_backward ? d->n / 2 + 1 : d->n;
      std::int64_t const out = halved && kind == DftKind::real_forward ? d->n / 2 + 1 : d->n;
      in_stride *= in;
      out_stride *= out;
      if (std::max(in_stride, out_stride) > std::numeric_limits<int>::max()) return std::nullopt;
      if (list == &shape.transformed) --place;
      boxes.in[list == &shape.transformed ? place : 0] *= static_cast<std::size_t>(in);
      boxes.out[list == &shape.transformed ? place : 0] *= static_cast<std::size_t>(out);
    }
  }
  return boxes;
}

/// A plan of kokkos-fft of any types.
class KokkosFftPlan {
 public:
  KokkosFftPlan() = default;
  KokkosFftPlan(KokkosFftPlan const&) = delete;
  KokkosFftPlan& operator=(KokkosFftPlan const&) = delete;
  virtual ~KokkosFftPlan() = default;

  /// Runs on the instance of the plan.
  virtual void execute(void const* in, void* out) const = 0;
  virtual std::int64_t work_bytes() const = 0;
  virtual void set_work(void* work) = 0;
};

template <ExecutionSpace Exec, class In, class Out>
class KokkosFftPlanOf final : public KokkosFftPlan {
 public:
  /// `in` and `out` are the same address for a transform in place. They are aligned like the addresses of execute().
  KokkosFftPlanOf(Exec const& space, PackedBoxes const& boxes, KokkosFFT::Direction direction, void* in, void* out)
      : boxes_(boxes),
        plan_(space, values<In>(in, boxes.in), values<Out>(out, boxes.out), direction, boxes.transformed) {}

  void execute(void const* in, void* out) const override {
    // Its interface lacks const.
    KokkosFFT::execute(plan_, values<In>(const_cast<void*>(in), boxes_.in), values<Out>(out, boxes_.out),
                       KokkosFFT::Normalization::none);
  }

  std::int64_t work_bytes() const override { return static_cast<std::int64_t>(plan_.workspace_size(1)); }

  void set_work(void* work) override { plan_.set_work_area(Bytes(static_cast<char*>(work), plan_.workspace_size(1))); }

 private:
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  using Bytes = Kokkos::View<char*, typename Exec::memory_space, Unmanaged>;
  template <class Value>
  using Values = Kokkos::View<Value****, Kokkos::LayoutRight, typename Exec::memory_space, Unmanaged>;

  template <class Value>
  static Values<Value> values(void* address, std::array<std::size_t, 4> const& extents) {
    return Values<Value>(static_cast<Value*>(address), extents[0], extents[1], extents[2], extents[3]);
  }

  PackedBoxes boxes_;
  KokkosFFT::DynPlan<Exec, Values<In>, Values<Out>> plan_;
};

template <ExecutionSpace Exec, Real T>
std::unique_ptr<KokkosFftPlan> make_kokkos_fft_plan(Exec const& space, PackedBoxes const& boxes, DftKind kind, void* in,
                                                    void* out) {
  using Complex = Kokkos::complex<T>;
  using KokkosFFT::Direction;
  switch (kind) {
    case DftKind::real_forward:
      return std::make_unique<KokkosFftPlanOf<Exec, T, Complex>>(space, boxes, Direction::forward, in, out);
    case DftKind::real_backward:
      return std::make_unique<KokkosFftPlanOf<Exec, Complex, T>>(space, boxes, Direction::backward, in, out);
    default: break;
  }
  auto const direction = kind == DftKind::complex_forward ? Direction::forward : Direction::backward;
  return std::make_unique<KokkosFftPlanOf<Exec, Complex, Complex>>(space, boxes, direction, in, out);
}

/// Null where kokkos-fft cannot do the transform.
template <ExecutionSpace Exec, Real T>
std::unique_ptr<KokkosFftPlan> kokkos_fft_plan(Exec const& space, DftShape const& shape, DftKind kind, bool in_place,
                                               FftPlanning planning) {
  // For FFTW it plans by estimate only, and does real transforms in place only with padded rows.
  if (runs_on_host<Exec> && planning != FftPlanning::estimate) return nullptr;
  bool const real = kind == DftKind::real_forward || kind == DftKind::real_backward;
  auto const boxes = packed(shape, kind);
  if (!boxes || (in_place && real)) return nullptr;
  // FFTW is planned with memory of this size. cuFFT needs none: there the addresses only have to differ.
  std::size_t const bytes = runs_on_host<Exec> ? (boxes->values() * 2 * sizeof(T) + 255) / 256 * 256 : 256;
  auto const memory = raw_memory(space, 2 * static_cast<std::int64_t>(bytes), "karman::fft::planned_for");
  char* const in = memory.data();
  char* const out = in_place ? in : in + bytes;
  if constexpr (runs_on_host<Exec>) {
    FftwPlanner<T> const planner(fftw_threads(space));
    return make_kokkos_fft_plan<Exec, T>(space, *boxes, kind, in, out);
  } else {
    return make_kokkos_fft_plan<Exec, T>(space, *boxes, kind, in, out);
  }
}

}  // namespace

template <ExecutionSpace Exec, Real T>
struct DftPlan<Exec, T>::State {
  /// The instance of the kokkos-fft plans.
  Exec space;
  std::unique_ptr<KokkosFftPlan> kokkos_fft;
  LibraryPlan<Exec, T> library;

  bool kokkos_fft_takes(Exec const& where, void const* in, void const* out) const {
    if (kokkos_fft == nullptr) return false;
    if constexpr (runs_on_host<Exec>) {
      (void)where;
      return fftw_aligned<T>(in) && fftw_aligned<T>(out);
    } else {
      (void)in, (void)out;
      return where == space;
    }
  }
};

template <ExecutionSpace Exec, Real T>
DftPlan<Exec, T>::DftPlan(Exec const& space, DftShape const& shape, DftKind kind, bool in_place, FftPlanning planning)
    : state_("DftPlan",
             std::unique_ptr<State>(new State{space, kokkos_fft_plan<Exec, T>(space, shape, kind, in_place, planning),
                                              LibraryPlan<Exec, T>(space, shape, kind, in_place, planning)})) {}

template <ExecutionSpace Exec, Real T>
void DftPlan<Exec, T>::execute(Exec const& space, void const* in, void* out) const {
  if (state_->kokkos_fft_takes(space, in, out)) return state_->kokkos_fft->execute(in, out);
  state_->library.execute(space, in, out);
}

template <ExecutionSpace Exec, Real T>
std::int64_t DftPlan<Exec, T>::work_bytes() const {
  std::int64_t const library = state_->library.work_bytes();
  return state_->kokkos_fft == nullptr ? library : std::max(library, state_->kokkos_fft->work_bytes());
}

template <ExecutionSpace Exec, Real T>
void DftPlan<Exec, T>::set_work(void* work) {
  state_->library.set_work(work);
  if (state_->kokkos_fft != nullptr) state_->kokkos_fft->set_work(work);
}

#define KARMAN_INSTANTIATE(Exec)       \
  template class DftPlan<Exec, float>; \
  template class DftPlan<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman::detail
