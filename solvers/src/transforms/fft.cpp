// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/field_checks.hpp"
#include "dft_plan.hpp"
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/transforms/fft.hpp>

#include <algorithm>
#include <string>

namespace karman {

namespace {

using Extents = std::array<int, 3>;

/// Strides of a field of this shape, x contiguous.
std::array<std::int64_t, 3> strides(Extents const& extents) {
  return {std::int64_t(extents[1]) * extents[2], extents[2], 1};
}

void require_shape(Extents const& extents, FftAxes const& axes) {
  for (int extent : extents) require(extent >= 1, "Fft: every extent must be at least 1");
  require(axes.x || axes.y || axes.z, "Fft: at least one axis is needed");
}

std::array<bool, 3> in_index_order(FftAxes const& axes) { return {axes.z, axes.y, axes.x}; }

detail::DftShape shape_of(Extents const& n, Extents const& in, Extents const& out, FftAxes const& axes) {
  auto const transformed = in_index_order(axes);
  auto const in_strides = strides(in);
  auto const out_strides = strides(out);
  detail::DftShape shape;
  for (std::size_t d = 0; d < 3; ++d) {
    (transformed[d] ? shape.transformed : shape.batched).push_back({n[d], in_strides[d], out_strides[d]});
  }
  return shape;
}

double transformed_values(Extents const& n, FftAxes const& axes) {
  auto const transformed = in_index_order(axes);
  double values = 1;
  for (std::size_t d = 0; d < 3; ++d) values *= transformed[d] ? n[d] : 1;
  return values;
}

/// Shape of the spectrum of real fields.
Extents halved(Extents extents, FftAxes const& axes) {
  require_shape(extents, axes);
  std::size_t const axis = axes.x ? 2 : axes.y ? 1 : 0;
  extents[axis] = extents[axis] / 2 + 1;
  return extents;
}

}  // namespace

template <ExecutionSpace Exec, Real T>
struct Fft<Exec, T>::State {
  using Plan = detail::DftPlan<Exec, T>;
  using Kinds = std::array<detail::DftKind, 2>;  ///< forward and backward
  static constexpr Kinds complex{detail::DftKind::complex_forward, detail::DftKind::complex_backward};
  static constexpr Kinds halving{detail::DftKind::real_forward, detail::DftKind::real_backward};

  Extents extents, spectrum;
  FftAxes axes;
  /// Out of place, and for complex fields in place where that needs another plan (FFTW).
  std::vector<Plan> forward, backward;
  detail::RawMemory<Exec> work;

  State(Exec const& space, Extents const& extents_, Extents const& spectrum_, FftAxes const& axes_, Kinds const& kinds,
        FftSetup const& setup)
      : extents(extents_), spectrum(spectrum_), axes(axes_) {
    require_shape(extents, axes);
    for (bool in_place : {false, true}) {
      if (in_place && (!runs_on_host<Exec> || kinds == halving)) break;
      forward.emplace_back(space, shape_of(extents, extents, spectrum, axes), kinds[0], in_place, setup.planning);
      backward.emplace_back(space, shape_of(extents, spectrum, extents, axes), kinds[1], in_place, setup.planning);
    }
    std::vector<Plan*> all;
    for (auto* list : {&forward, &backward}) {
      for (auto& plan : *list) all.push_back(&plan);
    }
    work = detail::share_work<Exec, T>(space, all);
  }

  static std::int64_t bytes_of(Extents const& extents, Extents const& spectrum, FftAxes const& axes,
                               Kinds const& kinds) {
    require_shape(extents, axes);
    return std::max(detail::library_work_bytes<Exec, T>(shape_of(extents, extents, spectrum, axes), kinds[0]),
                    detail::library_work_bytes<Exec, T>(shape_of(extents, spectrum, extents, axes), kinds[1]));
  }

  static void execute(Exec const& space, std::vector<Plan> const& plans, void const* in, void* out) {
    plans[in == out ? plans.size() - 1 : 0].execute(space, in, out);
  }
};

template <ExecutionSpace Exec, Real T>
double Fft<Exec, T>::size() const {
  return transformed_values(state_->extents, state_->axes);
}

template <ExecutionSpace Exec, Real T>
std::int64_t Fft<Exec, T>::workspace_bytes() const {
  return static_cast<std::int64_t>(state_->work.size());
}

template <ExecutionSpace Exec, Real T>
ComplexFft<Exec, T>::ComplexFft(Exec const& space, std::array<int, 3> const& extents, FftAxes const& axes,
                                FftSetup const& setup) {
  Region const region("karman::fft::plan");
  using State = typename Fft<Exec, T>::State;
  this->state_ = {"ComplexFft", std::make_unique<State>(space, extents, extents, axes, State::complex, setup)};
}

template <ExecutionSpace Exec, Real T>
void ComplexFft<Exec, T>::forward(Exec const& space, ConstField<Exec, Kokkos::complex<T>> const& in,
                                  Field<Exec, Kokkos::complex<T>> const& out) const {
  Region const region("karman::fft::forward");
  auto const& s = *this->state_;
  detail::require_field(in, s.extents, "Fft", "the input");
  detail::require_field(out, s.extents, "Fft", "the output");
  s.execute(space, s.forward, in.data(), out.data());
}

template <ExecutionSpace Exec, Real T>
void ComplexFft<Exec, T>::backward(Exec const& space, ConstField<Exec, Kokkos::complex<T>> const& in,
                                   Field<Exec, Kokkos::complex<T>> const& out) const {
  Region const region("karman::fft::backward");
  auto const& s = *this->state_;
  detail::require_field(in, s.extents, "Fft", "the input");
  detail::require_field(out, s.extents, "Fft", "the output");
  s.execute(space, s.backward, in.data(), out.data());
}

template <ExecutionSpace Exec, Real T>
std::int64_t ComplexFft<Exec, T>::workspace_bytes(std::array<int, 3> const& extents, FftAxes const& axes) {
  using State = typename Fft<Exec, T>::State;
  return State::bytes_of(extents, extents, axes, State::complex);
}

template <ExecutionSpace Exec, Real T>
RealFft<Exec, T>::RealFft(Exec const& space, std::array<int, 3> const& extents, FftAxes const& axes,
                          FftSetup const& setup) {
  Region const region("karman::fft::plan");
  using State = typename Fft<Exec, T>::State;
  this->state_ = {"RealFft",
                  std::make_unique<State>(space, extents, halved(extents, axes), axes, State::halving, setup)};
}

template <ExecutionSpace Exec, Real T>
void RealFft<Exec, T>::forward(Exec const& space, ConstField<Exec, T> const& in,
                               Field<Exec, Kokkos::complex<T>> const& out) const {
  Region const region("karman::fft::forward");
  auto const& s = *this->state_;
  detail::require_field(in, s.extents, "Fft", "the real field");
  detail::require_field(out, s.spectrum, "Fft", "the spectrum");
  s.execute(space, s.forward, in.data(), out.data());
}

template <ExecutionSpace Exec, Real T>
void RealFft<Exec, T>::backward(Exec const& space, Field<Exec, Kokkos::complex<T>> const& in,
                                Field<Exec, T> const& out) const {
  Region const region("karman::fft::backward");
  auto const& s = *this->state_;
  detail::require_field(in, s.spectrum, "Fft", "the spectrum");
  detail::require_field(out, s.extents, "Fft", "the real field");
  s.execute(space, s.backward, in.data(), out.data());
}

template <ExecutionSpace Exec, Real T>
std::array<int, 3> RealFft<Exec, T>::spectrum_extents() const {
  return this->state_->spectrum;
}

template <ExecutionSpace Exec, Real T>
std::int64_t RealFft<Exec, T>::workspace_bytes(std::array<int, 3> const& extents, FftAxes const& axes) {
  using State = typename Fft<Exec, T>::State;
  return State::bytes_of(extents, halved(extents, axes), axes, State::halving);
}

#define KARMAN_INSTANTIATE(Exec)           \
  template class Fft<Exec, float>;         \
  template class Fft<Exec, double>;        \
  template class ComplexFft<Exec, float>;  \
  template class ComplexFft<Exec, double>; \
  template class RealFft<Exec, float>;     \
  template class RealFft<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
