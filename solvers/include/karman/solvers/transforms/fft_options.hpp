// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of fft.hpp. Standard library only.
#pragma once

#include <string_view>

namespace karman {

/// Axis of a structured field: last, middle and first index of (k, j, i).
enum class Axis { x, y, z };

/// Axes of a transform. It is repeated (batched) over the others.
struct FftAxes {
  bool x = true,  ///< along x
      y = true,   ///< along y
      z = true;   ///< along z

  /// One axis alone.
  static FftAxes only(Axis axis) { return {axis == Axis::x, axis == Axis::y, axis == Axis::z}; }
  /// True for an axis of the transform.
  bool operator[](Axis axis) const { return axis == Axis::x ? x : axis == Axis::y ? y : z; }
};

/// Choice of the algorithm on a host. cuFFT has no options.
enum class FftPlanning {
  /// By rules, at once: passes along one axis each, within the caches, by vectors over several lines or by FFTW's plans
  /// for single ones. As fast as `measure` on x86 with AVX-512 for factors up to 7, up to twice as long elsewhere. The
  /// same bits from run to run and for any number of threads.
  estimate,
  /// By trials of FFTW of up to seconds. The choice, and with it the last bits, may differ from run to run.
  measure
};

/// Options of plans of ComplexFft and RealFft.
struct FftSetup {
  FftPlanning planning = FftPlanning::estimate;  ///< choice of the algorithm
};

/// Cosine and sine transforms of N real values into N real values, in the notation of Martucci (1994) with the factors
/// of FFTW. The sum below is the forward transform. Its backward kind inverts it up to a factor.
///
/// The basis functions are eigenvectors of the second difference between two sides. A side is closed (Neumann, on the
/// face), zero on the face, or zero at the centre of a ghost cell one spacing beyond.
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

/// Name of a kind: "dct1", ..., "halfcomplex".
std::string_view name(Trigonometric kind);

/// Implementation of the cosine and sine transforms.
enum class TrigonometricEngine {
  automatic,  ///< that of FFTW on the host, for its kinds; otherwise as `padded`
  padded      ///< Fourier transform of the line, padded with zeros to its period, between two kernels
};

/// Options of a TrigonometricTransform plan.
struct TrigonometricSetup {
  FftPlanning planning = FftPlanning::estimate;                 ///< choice of the algorithm
  TrigonometricEngine engine = TrigonometricEngine::automatic;  ///< implementation
  /// Reverses the lines: forward() reads x_{N-1-n} for x_n, backward() writes so.
  bool reversed = false;
};

}  // namespace karman
