// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Fourier, cosine and sine transforms along the axes of structured fields: FFTW on the host, cuFFT on NVIDIA devices.
#pragma once

#include <karman/core/backend.hpp>
#include <karman/core/types.hpp>

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

namespace karman {

/// An axis of a structured field: the last, the middle and the first index of (k, j, i).
enum class Axis { x, y, z };

/// The axes along which a transform runs; it is repeated (batched) over the others.
struct FftAxes {
  bool x = true, y = true, z = true;

  static FftAxes only(Axis axis) { return {axis == Axis::x, axis == Axis::y, axis == Axis::z}; }
  bool operator[](Axis axis) const { return axis == Axis::x ? x : axis == Axis::y ? y : z; }
};

/// How FFTW chooses its algorithm. cuFFT has one way only.
enum class FftPlanning {
  estimate,  ///< by rules, at once; the same choice, and so the same bits, every time
  measure    ///< by trying, which may take seconds; faster transforms, and the choice may differ from run to run
};

/// What is settled when a plan is made.
struct FftSetup {
  FftPlanning planning = FftPlanning::estimate;
};

/// The discrete Fourier transform of complex fields along one, two or three axes:
///   forward   X_m = sum_n x_n exp(-2 pi i m n / N),   backward   x_n = sum_m X_m exp(+2 pi i m n / N)
/// along each of the axes, without a factor: backward after forward multiplies by size().
///
/// Views: Field<Exec, Kokkos::complex<T>> of shape (nz, ny, nx) = `extents`; out may be in (the same View), otherwise
/// in is kept and must not overlap out. Any extents from 1; products of 2, 3, 5 and 7 are fastest.
/// Cost: a pass of 2 sizeof(complex) bytes a value for each axis, about 5 log2(N) flops a value. On a device a
/// transform along y alone is min(nz, nx) launches, all others are one.
/// Asynchronous on `space`. Everything is planned and allocated by the constructor, which may be called from several
/// threads at a time; forward() and backward() allocate nothing. A plan may be moved, not copied, and serves one
/// instance at a time. Throws std::invalid_argument for extents that are not positive, no axis, other shapes;
/// std::runtime_error when FFTW or cuFFT refuses. Source: M. Frigo, S. G. Johnson, The Design and Implementation of
/// FFTW3, 2005.
template <ExecutionSpace Exec, Real T>
class ComplexFft {
 public:
  using execution_space = Exec;
  using real = T;

  /// `extents`: (nz, ny, nx) of the fields.
  ComplexFft(Exec const& space, std::array<int, 3> const& extents, FftAxes const& axes, FftSetup const& setup = {});
  ComplexFft(ComplexFft&&) noexcept;
  ComplexFft& operator=(ComplexFft&&) noexcept;
  ~ComplexFft();

  void forward(Exec const& space, ConstField<Exec, Kokkos::complex<T>> const& in,
               Field<Exec, Kokkos::complex<T>> const& out) const;
  void backward(Exec const& space, ConstField<Exec, Kokkos::complex<T>> const& in,
                Field<Exec, Kokkos::complex<T>> const& out) const;

  /// Product of the extents of the transformed axes.
  double size() const;
  /// Memory of the plan in the memory of `Exec`.
  std::int64_t workspace_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The same for real fields: of the complex result only one half is kept, the other follows by conjugation. The halved
/// axis is the fastest of the transformed ones (x before y before z); along it the spectrum has N / 2 + 1 values.
///
/// Views: the real field has shape (nz, ny, nx) = `extents`, the spectrum shape spectrum_extents(). forward() keeps
/// its input; backward() uses its input as workspace: the spectrum is not kept. Input and output must not overlap.
/// Cost: as ComplexFft, half the bytes. Synchrony, planning, errors: as ComplexFft.
template <ExecutionSpace Exec, Real T>
class RealFft {
 public:
  using execution_space = Exec;
  using real = T;

  RealFft(Exec const& space, std::array<int, 3> const& extents, FftAxes const& axes, FftSetup const& setup = {});
  RealFft(RealFft&&) noexcept;
  RealFft& operator=(RealFft&&) noexcept;
  ~RealFft();

  void forward(Exec const& space, ConstField<Exec, T> const& in, Field<Exec, Kokkos::complex<T>> const& out) const;
  void backward(Exec const& space, Field<Exec, Kokkos::complex<T>> const& in, Field<Exec, T> const& out) const;

  std::array<int, 3> spectrum_extents() const;
  double size() const;
  std::int64_t workspace_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Real transforms of N real values into N real values, in the notation of Martucci (1994) and with the factors of
/// FFTW. Forward is the sum below, backward is the sum that undoes it up to a factor; with it the backward kind.
/// The basis functions are those of the second difference between two sides, each of which is: closed (Neumann, on
/// the face), zero on the face, or zero at the centre of a ghost cell one spacing beyond.
enum class Trigonometric {
  dct1,  ///< x_0 + (-1)^k x_{N-1} + 2 sum_{0<n<N-1} x_n cos(pi n k / (N-1)), N >= 2; backward dct1: mirrored at nodes
  dct2,  ///< 2 sum x_n cos(pi (n+1/2) k / N); backward dct3: closed, closed
  dct3,  ///< x_0 + 2 sum_{n>0} x_n cos(pi n (k+1/2) / N); backward dct2
  dct4,  ///< 2 sum x_n cos(pi (n+1/2) (k+1/2) / N); backward dct4: closed, zero on the face
  dst1,  ///< 2 sum x_n sin(pi (n+1) (k+1) / (N+1)); backward dst1: zero at both ghost centres
  dst2,  ///< 2 sum x_n sin(pi (n+1/2) (k+1) / N); backward dst3: zero on both faces
  dst3,  ///< (-1)^k x_{N-1} + 2 sum_{n<N-1} x_n sin(pi (n+1) (k+1/2) / N); backward dst2
  dst4,  ///< 2 sum x_n sin(pi (n+1/2) (k+1/2) / N); backward dst4: zero on the face, closed
  dst5,  ///< 2 sum x_n sin(pi (n+1) (k+1) / (N+1/2)); backward dst5: zero at the ghost centre, zero on the face
  dst6,  ///< 2 sum x_n sin(pi (n+1/2) (k+1) / (N+1/2)); backward dst7
  dst7,  ///< 2 sum x_n sin(pi (n+1) (k+1/2) / (N+1/2)); backward dst6: zero at the ghost centre, closed
  halfcomplex  ///< real Fourier transform, r_0, r_1, ..., r_{N/2}, i_{(N+1)/2-1}, ..., i_1; backward its inverse
};

/// "dct1", ..., "halfcomplex".
std::string_view name(Trigonometric kind);

/// How the trigonometric transforms are computed.
enum class TrigonometricEngine {
  automatic,  ///< FFTW's own on the host, where it has the kind; otherwise as `padded`
  padded      ///< Karman's steps around a Fourier transform of the line, padded with zeros to its period
};

/// What is settled when a plan is made.
struct TrigonometricSetup {
  FftPlanning planning = FftPlanning::estimate;
  TrigonometricEngine engine = TrigonometricEngine::automatic;
  /// Takes the lines from their other end: forward() reads x_{N-1-n} for x_n, backward() writes so.
  bool reversed = false;
};

/// A trigonometric transform along one axis of real fields, batched over the other two.
///
/// Views: Field<Exec, T> of shape (nz, ny, nx) = `extents`; out may be in (the same View), otherwise in is kept and
/// must not overlap out. Cost: on the host that of FFTW's transform; with `padded` two passes over the field beside a
/// Fourier transform of lines of the kind's period (2 N for dct2), in slabs of bounded size, so that its workspace
/// stays below 64 MiB or one plane. Synchrony, planning, errors: as ComplexFft.
/// Source: S. A. Martucci, IEEE Trans. Signal Process. 42, 1994; for the solution of Poisson's equation U. Schumann,
/// R. A. Sweet, J. Comput. Phys. 75, 1988.
template <ExecutionSpace Exec, Real T>
class TrigonometricTransform {
 public:
  using execution_space = Exec;
  using real = T;

  TrigonometricTransform(Exec const& space, std::array<int, 3> const& extents, Axis axis, Trigonometric kind,
                         TrigonometricSetup const& setup = {});
  TrigonometricTransform(TrigonometricTransform&&) noexcept;
  TrigonometricTransform& operator=(TrigonometricTransform&&) noexcept;
  ~TrigonometricTransform();

  void forward(Exec const& space, ConstField<Exec, T> const& in, Field<Exec, T> const& out) const;
  void backward(Exec const& space, ConstField<Exec, T> const& in, Field<Exec, T> const& out) const;

  /// backward after forward multiplies by this: 2 N for most kinds.
  double size() const;
  std::int64_t workspace_bytes() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

#define KARMAN_EXTERN(Exec)                                  \
  extern template class ComplexFft<Exec, float>;             \
  extern template class ComplexFft<Exec, double>;            \
  extern template class RealFft<Exec, float>;                \
  extern template class RealFft<Exec, double>;               \
  extern template class TrigonometricTransform<Exec, float>; \
  extern template class TrigonometricTransform<Exec, double>;
KARMAN_FOR_EACH_BACKEND(KARMAN_EXTERN)
#undef KARMAN_EXTERN

}  // namespace karman
