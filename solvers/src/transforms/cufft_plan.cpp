// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dft_plan.hpp"

#include <cufft.h>

#include <limits>
#include <stdexcept>
#include <string>

namespace karman::detail {

namespace {

void check(cufftResult result, char const* call) {
  if (result == CUFFT_SUCCESS) return;
  throw std::runtime_error(std::string("cuFFT: ") + call + " failed with code " + std::to_string(int(result)));
}

template <class T>
cufftType type_of(DftKind kind) {
  constexpr bool single = std::is_same_v<T, float>;
  switch (kind) {
    case DftKind::real_forward: return single ? CUFFT_R2C : CUFFT_D2Z;
    case DftKind::real_backward: return single ? CUFFT_C2R : CUFFT_Z2D;
    default: return single ? CUFFT_C2C : CUFFT_Z2Z;
  }
}

/// Joins batch dimensions: cuFFT batches over one only. Two that are contiguous in memory become one; otherwise a loop
/// over calls takes the smaller one. Slowest first; the loop, if any, comes first.
std::vector<DftDimension> joined(std::vector<DftDimension> batched) {
  std::erase_if(batched, [](DftDimension const& d) { return d.n == 1; });
  if (batched.size() < 2) return batched;
  auto const& slow = batched[0];
  auto const& fast = batched[1];
  if (slow.in_stride == fast.n * fast.in_stride && slow.out_stride == fast.n * fast.out_stride) {
    return {{slow.n * fast.n, fast.in_stride, fast.out_stride}};
  }
  if (slow.n > fast.n) std::swap(batched[0], batched[1]);
  return batched;
}

/// A transform in the arguments of cuFFT.
struct CufftLayout {
  std::vector<long long> n, in_embed, out_embed;
  std::int64_t in_stride = 1, out_stride = 1;
  DftDimension batch{1, 1, 1};
  /// The loop over calls, strides in bytes.
  DftDimension calls{1, 0, 0};

  int rank() const { return static_cast<int>(n.size()); }
};

template <class T>
CufftLayout layout_of(DftShape const& shape, DftKind kind) {
  CufftLayout layout;
  auto const reals = static_cast<std::int64_t>(sizeof(T));
  std::int64_t const in_bytes = kind == DftKind::real_forward ? reals : 2 * reals;
  std::int64_t const out_bytes = kind == DftKind::real_backward ? reals : 2 * reals;
  auto batched = joined(shape.batched);
  if (batched.size() == 2) {
    layout.calls = {batched[0].n, batched[0].in_stride * in_bytes, batched[0].out_stride * out_bytes};
    batched.erase(batched.begin());
  }
  if (!batched.empty()) layout.batch = batched[0];

  // cuFFT takes the storage as the extents that the axes within the slowest would have in memory.
  for (std::size_t axis = 0; axis < shape.transformed.size(); ++axis) {
    auto const& here = shape.transformed[axis];
    layout.n.push_back(here.n);
    if (axis == 0) {
      layout.in_embed.push_back(here.n);
      layout.out_embed.push_back(here.n);
    } else {
      auto const& slower = shape.transformed[axis - 1];
      layout.in_embed.push_back(slower.in_stride / here.in_stride);
      layout.out_embed.push_back(slower.out_stride / here.out_stride);
    }
  }
  layout.in_stride = shape.transformed.back().in_stride;
  layout.out_stride = shape.transformed.back().out_stride;
  return layout;
}

}  // namespace

template <class T>
struct CufftPlan<T>::State {
  cufftHandle handle = 0;
  bool made = false;
  DftKind kind = DftKind::complex_forward;
  std::size_t work = 0;
  /// The loop over calls, strides in bytes.
  DftDimension calls{1, 0, 0};

  State() = default;
  State(State const&) = delete;
  State& operator=(State const&) = delete;
  ~State() {
    if (made) cufftDestroy(handle);
  }

  /// Without memory of its own.
  void create() {
    check(cufftCreate(&handle), "cufftCreate");
    made = true;
    check(cufftSetAutoAllocation(handle, 0), "cufftSetAutoAllocation");
  }
};

template <class T>
CufftPlan<T>::CufftPlan(DftShape const& shape, DftKind kind) : state_("CufftPlan", std::make_unique<State>()) {
  State& s = *state_;
  CufftLayout layout = layout_of<T>(shape, kind);
  s.kind = kind;
  s.calls = layout.calls;
  s.create();
  check(cufftMakePlanMany64(s.handle, layout.rank(), layout.n.data(), layout.in_embed.data(), layout.in_stride,
                            layout.batch.in_stride, layout.out_embed.data(), layout.out_stride, layout.batch.out_stride,
                            type_of<T>(kind), layout.batch.n, &s.work),
        "cufftMakePlanMany64");
}

template <class T>
std::int64_t CufftPlan<T>::work_bytes(DftShape const& shape, DftKind kind) {
  CufftLayout layout = layout_of<T>(shape, kind);
  State s;
  s.create();
  std::size_t work = 0;
  check(cufftGetSizeMany64(s.handle, layout.rank(), layout.n.data(), layout.in_embed.data(), layout.in_stride,
                           layout.batch.in_stride, layout.out_embed.data(), layout.out_stride, layout.batch.out_stride,
                           type_of<T>(kind), layout.batch.n, &work),
        "cufftGetSizeMany64");
  return static_cast<std::int64_t>(work);
}

template <class T>
std::int64_t CufftPlan<T>::work_bytes() const {
  return static_cast<std::int64_t>(state_->work);
}

template <class T>
void CufftPlan<T>::set_work(void* work) {
  check(cufftSetWorkArea(state_->handle, work), "cufftSetWorkArea");
}

template <class T>
void CufftPlan<T>::execute(void* stream, void const* in, void* out) const {
  State const& s = *state_;
  check(cufftSetStream(s.handle, static_cast<cudaStream_t>(stream)), "cufftSetStream");
  // cuFFT's interface lacks const.
  auto* from = static_cast<char*>(const_cast<void*>(in));
  auto* to = static_cast<char*>(out);
  int const direction = s.kind == DftKind::complex_backward ? CUFFT_INVERSE : CUFFT_FORWARD;
  for (std::int64_t call = 0; call < s.calls.n; ++call) {
    void* const source = from + call * s.calls.in_stride;
    void* const target = to + call * s.calls.out_stride;
    if constexpr (std::is_same_v<T, float>) {
      switch (s.kind) {
        case DftKind::real_forward:
          check(cufftExecR2C(s.handle, static_cast<cufftReal*>(source), static_cast<cufftComplex*>(target)),
                "cufftExecR2C");
          break;
        case DftKind::real_backward:
          check(cufftExecC2R(s.handle, static_cast<cufftComplex*>(source), static_cast<cufftReal*>(target)),
                "cufftExecC2R");
          break;
        default:
          check(
              cufftExecC2C(s.handle, static_cast<cufftComplex*>(source), static_cast<cufftComplex*>(target), direction),
              "cufftExecC2C");
      }
    } else {
      switch (s.kind) {
        case DftKind::real_forward:
          check(cufftExecD2Z(s.handle, static_cast<cufftDoubleReal*>(source), static_cast<cufftDoubleComplex*>(target)),
                "cufftExecD2Z");
          break;
        case DftKind::real_backward:
          check(cufftExecZ2D(s.handle, static_cast<cufftDoubleComplex*>(source), static_cast<cufftDoubleReal*>(target)),
                "cufftExecZ2D");
          break;
        default:
          check(cufftExecZ2Z(s.handle, static_cast<cufftDoubleComplex*>(source),
                             static_cast<cufftDoubleComplex*>(target), direction),
                "cufftExecZ2Z");
      }
    }
  }
}

template class CufftPlan<float>;
template class CufftPlan<double>;

}  // namespace karman::detail
