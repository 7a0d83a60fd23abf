// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The functions of FFTW in both precisions under one name. Independent of Kokkos.
#pragma once

#include "fftw_plan.hpp"

#include <fftw3.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <vector>

namespace karman::detail {

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
    static constexpr auto* wisdom = prefix##_export_wisdom_to_string;       \
    static constexpr auto* add_wisdom = prefix##_import_wisdom_from_string; \
    static constexpr auto* forget_wisdom = prefix##_forget_wisdom;          \
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
std::mutex& fftw_planner_mutex();

/// Memory that suits the processor's vector instructions.
template <class T>
class FftwMemory {
 public:
  FftwMemory() = default;
  explicit FftwMemory(std::int64_t bytes) : data_(Fftw<T>::malloc(static_cast<std::size_t>(bytes))) {
    if (data_ == nullptr) throw std::bad_alloc();
  }
  char* data() const { return static_cast<char*>(data_.get()); }

 private:
  struct Free {
    void operator()(void* data) const { Fftw<T>::free(data); }
  };
  std::unique_ptr<void, Free> data_;
};

/// A plan of FFTW that destroys itself. Its planner locks itself, once FftwPlanner has been used.
template <class T>
struct FftwDestroy {
  void operator()(typename Fftw<T>::Plan plan) const { Fftw<T>::destroy(plan); }
};
template <class T>
using FftwOwned = std::unique_ptr<std::remove_pointer_t<typename Fftw<T>::Plan>, FftwDestroy<T>>;

/// A kind of transform by FFTW, and the calls that plan and run it.
template <class T>
class FftwTransform {
 public:
  using Plan = typename Fftw<T>::Plan;

  explicit FftwTransform(DftKind kind);
  /// Not for dst5, dst6, dst7.
  FftwTransform(Trigonometric kind, bool forward);

  /// Types of the values on both sides.
  bool complex_in() const { return call_ == Call::dft || call_ == Call::c2r; }
  bool complex_out() const { return call_ == Call::dft || call_ == Call::r2c; }
  /// Sign of the exponent of a complex transform: - forward, + otherwise.
  bool forward() const { return sign_ == FFTW_FORWARD; }
  /// Whether FFTW overwrites the input of such a transform unless told otherwise.
  bool overwrites_input() const { return call_ == Call::c2r; }

  /// The planner is locked by the caller. \throws std::runtime_error where FFTW has no plan
  Plan plan(DftShape const& shape, void* in, void* out, unsigned flags) const;
  void execute(Plan plan, void* in, void* out) const {
    using Complex = typename Fftw<T>::Complex;
    switch (call_) {
      case Call::dft: return Fftw<T>::execute_dft(plan, static_cast<Complex*>(in), static_cast<Complex*>(out));
      case Call::r2c: return Fftw<T>::execute_dft_r2c(plan, static_cast<T*>(in), static_cast<Complex*>(out));
      case Call::c2r: return Fftw<T>::execute_dft_c2r(plan, static_cast<Complex*>(in), static_cast<T*>(out));
      case Call::r2r: return Fftw<T>::execute_r2r(plan, static_cast<T*>(in), static_cast<T*>(out));
    }
  }

 private:
  enum class Call { dft, r2c, c2r, r2r };
  Call call_ = Call::dft;
  int sign_ = FFTW_FORWARD;
  fftw_r2r_kind kind_ = FFTW_R2HC;
};

}  // namespace karman::detail
