// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fourier, cosine and sine transforms along the axes of structured fields: FFTW on the host, cuFFT on NVIDIA devices.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/plan_state.hpp>
#include <karman/core/types.hpp>
#include <karman/solvers/transforms/fft_options.hpp>

#include <array>
#include <cstdint>

namespace karman {

/// Discrete Fourier transform along one, two or three axes, without a factor, the common part of ComplexFft and
/// RealFft:
///
///     forward   X_m = sum_n x_n exp(-2 pi i m n / N)
///     backward  x_n = sum_m X_m exp(+2 pi i m n / N)
///
/// Backward after forward multiplies by size(). Any extents from 1; products of 2, 3, 5 and 7 are fastest.
/// \par Cost
/// One pass of 2 sizeof(complex) bytes per value and axis; about 5 log2(N) flops per value. Half of both for real
/// fields. On a device, a transform along y alone takes min(nz, nx) launches; all others take one.
/// \par Synchrony
/// Asynchronous on `space`. The constructor plans and allocates, also in several threads at a time; forward() and
/// backward() allocate nothing. One plan serves one instance at a time. Plans may be moved, not copied.
/// \throws std::invalid_argument for extents that are not positive, no axis, or other shapes
/// \throws std::runtime_error for a refusal of FFTW or cuFFT
/// \par Source
/// M. Frigo, S. G. Johnson, The Design and Implementation of FFTW3, 2005.
template <ExecutionSpace Exec, Real T>
class Fft {
 public:
  using execution_space = Exec;  ///< execution space of the plan
  using real = T;                ///< real type of the fields

  /// Product of the extents along the axes of the transform.
  double size() const;
  /// Bytes of the plan in the memory of `Exec`: work area of cuFFT; 0 on a host. Memory within FFTW and the buffers of
  /// the threads are not counted. The static member of the same name of both classes gives them before the plan is
  /// made. On a device it is the prediction of cuFFT, which the plan may miss a little.
  std::int64_t workspace_bytes() const;

 protected:
  Fft() = default;

  struct State;
  detail::PlanState<State> state_;  ///< data of the plan
};

/// Fft of complex fields.
/// \par Views
/// Field<Exec, Kokkos::complex<T>> of shape (nz, ny, nx) = `extents`.
/// \par Aliasing
/// out may be the View in. Otherwise they must not overlap, and in keeps its values.
template <ExecutionSpace Exec, Real T>
class ComplexFft final : public Fft<Exec, T> {
 public:
  /// Plans the transform.
  /// \param space instance of the allocations
  /// \param extents shape (nz, ny, nx) of the fields
  /// \param axes axes of the transform
  /// \param setup options
  ComplexFft(Exec const& space, std::array<int, 3> const& extents, FftAxes const& axes, FftSetup const& setup = {});

  /// Forward transform.
  void forward(Exec const& space, ConstField<Exec, Kokkos::complex<T>> const& in,
               Field<Exec, Kokkos::complex<T>> const& out) const;
  /// Backward transform.
  void backward(Exec const& space, ConstField<Exec, Kokkos::complex<T>> const& in,
                Field<Exec, Kokkos::complex<T>> const& out) const;

  using Fft<Exec, T>::workspace_bytes;
  /// Bytes before the plan is made.
  /// \param extents shape (nz, ny, nx) of the fields
  /// \param axes axes of the transform
  static std::int64_t workspace_bytes(std::array<int, 3> const& extents, FftAxes const& axes);
};

/// Fft of real fields. One half of the complex result is stored; the other half follows by conjugation. The halved axis
/// is the fastest one of the transform (x before y before z).
/// \par Views
/// The real field has shape (nz, ny, nx) = `extents`, the spectrum spectrum_extents(): N / 2 + 1 values along the
/// halved axis.
/// \par Aliasing
/// Input and output must not overlap. forward() keeps its input. backward() uses its input as workspace: the spectrum
/// is lost.
template <ExecutionSpace Exec, Real T>
class RealFft final : public Fft<Exec, T> {
 public:
  /// As ComplexFft::ComplexFft(); `extents` are the extents of the real fields.
  RealFft(Exec const& space, std::array<int, 3> const& extents, FftAxes const& axes, FftSetup const& setup = {});

  /// Forward transform.
  void forward(Exec const& space, ConstField<Exec, T> const& in, Field<Exec, Kokkos::complex<T>> const& out) const;
  /// Backward transform; overwrites `in`.
  void backward(Exec const& space, Field<Exec, Kokkos::complex<T>> const& in, Field<Exec, T> const& out) const;

  /// Shape of the spectrum.
  std::array<int, 3> spectrum_extents() const;

  using Fft<Exec, T>::workspace_bytes;
  /// As ComplexFft::workspace_bytes(); `extents` are the extents of the real fields.
  static std::int64_t workspace_bytes(std::array<int, 3> const& extents, FftAxes const& axes);
};

/// Cosine or sine transform along one axis of real fields, batched over the other two.
/// \par Views
/// Field<Exec, T> of shape (nz, ny, nx) = `extents`.
/// \par Cost
/// On the host, that of the transform of FFTW. With `padded`, two passes over the field and a Fourier transform of
/// lines of the period of the kind (2 N for dct2). It works in slabs: the workspace stays below 64 MiB or one plane.
/// \par Synchrony
/// As Fft.
/// \par Aliasing
/// out may be the View in. Otherwise they must not overlap, and in keeps its values.
/// \throws std::invalid_argument as Fft
/// \throws std::runtime_error as Fft
/// \par Source
/// S. A. Martucci, IEEE Trans. Signal Process. 42, 1994. Solution of Poisson's equation: U. Schumann, R. A. Sweet, J.
/// Comput. Phys. 75, 1988.
template <ExecutionSpace Exec, Real T>
class TrigonometricTransform {
 public:
  using execution_space = Exec;  ///< execution space of the plan
  using real = T;                ///< real type of the fields

  /// Plans the transform.
  /// \param space instance of the allocations
  /// \param extents shape (nz, ny, nx) of the fields
  /// \param axis axis of the transform
  /// \param kind sum of the forward transform
  /// \param setup options
  TrigonometricTransform(Exec const& space, std::array<int, 3> const& extents, Axis axis, Trigonometric kind,
                         TrigonometricSetup const& setup = {});

  /// Forward transform.
  void forward(Exec const& space, ConstField<Exec, T> const& in, Field<Exec, T> const& out) const;
  /// Backward transform.
  void backward(Exec const& space, ConstField<Exec, T> const& in, Field<Exec, T> const& out) const;

  /// Factor of backward after forward: 2 N for most kinds.
  double size() const;
  /// Bytes of the plan in the memory of `Exec`: slabs, tables and the work area of cuFFT. Memory within FFTW is not
  /// counted, so the transforms of FFTW itself have 0.
  std::int64_t workspace_bytes() const;
  /// The same before the plan is made. On a device the work area is the prediction of cuFFT, which the plan may miss a
  /// little.
  /// \param extents shape (nz, ny, nx) of the fields
  /// \param axis axis of the transform
  /// \param kind sum of the forward transform
  /// \param setup options
  static std::int64_t workspace_bytes(std::array<int, 3> const& extents, Axis axis, Trigonometric kind,
                                      TrigonometricSetup const& setup = {});

 private:
  struct State;
  detail::PlanState<State> state_;  ///< data of the plan
};

#define KARMAN_EXTERN(Exec)                                  \
  extern template class Fft<Exec, float>;                    \
  extern template class Fft<Exec, double>;                   \
  extern template class ComplexFft<Exec, float>;             \
  extern template class ComplexFft<Exec, double>;            \
  extern template class RealFft<Exec, float>;                \
  extern template class RealFft<Exec, double>;               \
  extern template class TrigonometricTransform<Exec, float>; \
  extern template class TrigonometricTransform<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
