// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common/field_checks.hpp"
#include "padded_transform.hpp"
#include <karman/core/compat.hpp>
#include <karman/core/error.hpp>
#include <karman/core/profiling.hpp>
#include <karman/solvers/transforms/fft.hpp>

#include <algorithm>
#include <string>

namespace karman {

std::string_view name(Trigonometric kind) {
  switch (kind) {
    case Trigonometric::dct1: return "dct1";
    case Trigonometric::dct2: return "dct2";
    case Trigonometric::dct3: return "dct3";
    case Trigonometric::dct4: return "dct4";
    case Trigonometric::dst1: return "dst1";
    case Trigonometric::dst2: return "dst2";
    case Trigonometric::dst3: return "dst3";
    case Trigonometric::dst4: return "dst4";
    case Trigonometric::dst5: return "dst5";
    case Trigonometric::dst6: return "dst6";
    case Trigonometric::dst7: return "dst7";
    case Trigonometric::halfcomplex: return "halfcomplex";
  }
  return "unknown";
}

namespace {

bool library_has(Trigonometric kind) {
  return kind != Trigonometric::dst5 && kind != Trigonometric::dst6 && kind != Trigonometric::dst7;
}

}  // namespace

template <ExecutionSpace Exec, Real T>
struct TrigonometricTransform<Exec, T>::State {
  std::array<int, 3> extents;
  double size = 1;
  /// Forward and backward; out of place, then in place.
  std::vector<detail::HostPlan<Exec, T>> library;
  /// Forward and backward.
  std::vector<detail::PaddedTransform<Exec, T>> padded;
  detail::RawMemory<Exec> work, plan_work;
  std::int64_t bytes = 0;

  State(Exec const& space, std::array<int, 3> const& extents_, Axis axis, Trigonometric kind,
        TrigonometricSetup const& setup)
      : extents(extents_) {
    auto const lines = checked_lines(extents, axis, kind);
    size = static_cast<double>(kind == Trigonometric::halfcomplex ? lines.n : detail::sum_of(kind, lines.n).period);
    if constexpr (runs_on_host<Exec>) {
      if (from_library(kind, setup)) {
        detail::DftShape const shape{{{lines.n, lines.stride, lines.stride}},
                                     {{lines.slow, lines.slow_stride, lines.slow_stride},
                                      {lines.inner, lines.inner_stride, lines.inner_stride}}};
        for (bool forward : {true, false}) {
          for (bool in_place : {false, true}) {
            library.emplace_back(space, shape, kind, forward, in_place, setup.planning);
          }
        }
        return;
      }
    }
    padded.emplace_back(space, extents, axis, kind, false, setup.reversed, false, setup.planning);
    padded.emplace_back(space, extents, axis, detail::backward_kind(kind), true, false, setup.reversed, setup.planning);
    work = detail::raw_memory(space, std::max(padded[0].work_bytes(), padded[1].work_bytes()), "karman::fft::lines");
    for (auto& transform : padded) transform.use_work(work);
    plan_work = detail::share_work<Exec, T>(space, {&padded[0].plan(), &padded[1].plan()});
    bytes =
        static_cast<std::int64_t>(work.size() + plan_work.size()) + padded[0].table_bytes() + padded[1].table_bytes();
  }

  static detail::LineLayout checked_lines(std::array<int, 3> const& extents, Axis axis, Trigonometric kind) {
    for (int extent : extents) require(extent >= 1, "TrigonometricTransform: every extent must be at least 1");
    auto const lines = detail::lines_of(extents, axis);
    require(kind != Trigonometric::dct1 || lines.n >= 2, "TrigonometricTransform: dct1 needs at least 2 values");
    return lines;
  }

  static bool from_library(Trigonometric kind, TrigonometricSetup const& setup) {
    return runs_on_host<Exec> && setup.engine == TrigonometricEngine::automatic && library_has(kind) && !setup.reversed;
  }

  static std::int64_t bytes_of(std::array<int, 3> const& extents, Axis axis, Trigonometric kind,
                               TrigonometricSetup const& setup) {
    checked_lines(extents, axis, kind);
    if (from_library(kind, setup)) return 0;
    std::int64_t lines = 0, plan = 0, tables = 0;
    for (bool const inverse : {false, true}) {
      detail::PaddedLayout const one(extents, axis, inverse ? detail::backward_kind(kind) : kind, inverse, sizeof(T));
      detail::PaddedDft const dft = one.dft();
      lines = std::max(lines, one.work_bytes());
      plan = std::max(plan, detail::library_work_bytes<Exec, T>(dft.shape, dft.kind));
      tables += one.table_bytes();
    }
    return lines + plan + tables;
  }

  void run(Exec const& space, std::size_t direction, ConstField<Exec, T> const& in, Field<Exec, T> const& out) const {
    detail::require_field(in, extents, "TrigonometricTransform", "the input");
    detail::require_field(out, extents, "TrigonometricTransform", "the output");
    if constexpr (runs_on_host<Exec>) {
      if (!library.empty()) {
        return library[2 * direction + (in.data() == out.data() ? 1 : 0)].execute(space, in.data(), out.data());
      }
    }
    padded[direction].execute(space, in.data(), out.data());
  }
};

template <ExecutionSpace Exec, Real T>
TrigonometricTransform<Exec, T>::TrigonometricTransform(Exec const& space, std::array<int, 3> const& extents, Axis axis,
                                                        Trigonometric kind, TrigonometricSetup const& setup) {
  Region const region("karman::fft::plan");
  state_ = {"TrigonometricTransform", std::make_unique<State>(space, extents, axis, kind, setup)};
}

template <ExecutionSpace Exec, Real T>
void TrigonometricTransform<Exec, T>::forward(Exec const& space, ConstField<Exec, T> const& in,
                                              Field<Exec, T> const& out) const {
  Region const region("karman::fft::forward");
  state_->run(space, 0, in, out);
}

template <ExecutionSpace Exec, Real T>
void TrigonometricTransform<Exec, T>::backward(Exec const& space, ConstField<Exec, T> const& in,
                                               Field<Exec, T> const& out) const {
  Region const region("karman::fft::backward");
  state_->run(space, 1, in, out);
}

template <ExecutionSpace Exec, Real T>
double TrigonometricTransform<Exec, T>::size() const {
  return state_->size;
}

template <ExecutionSpace Exec, Real T>
std::int64_t TrigonometricTransform<Exec, T>::workspace_bytes() const {
  return state_->bytes;
}

template <ExecutionSpace Exec, Real T>
std::int64_t TrigonometricTransform<Exec, T>::workspace_bytes(std::array<int, 3> const& extents, Axis axis,
                                                              Trigonometric kind, TrigonometricSetup const& setup) {
  return State::bytes_of(extents, axis, kind, setup);
}

#define KARMAN_INSTANTIATE(Exec)                      \
  template class TrigonometricTransform<Exec, float>; \
  template class TrigonometricTransform<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_INSTANTIATE)
#undef KARMAN_INSTANTIATE

}  // namespace karman
