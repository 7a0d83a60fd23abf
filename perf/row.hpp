// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Interface from the device side of karman-perf (with Kokkos) to the host side (with Google Benchmark).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace karman {
class Communicator;
}

namespace karman::perf {

/// Further numbers of an operation by name, such as its iterations.
using Figures = std::vector<std::pair<std::string, double>>;

/// A prepared operation with its data in the memory of its backend.
class Work {
 public:
  Work() = default;
  Work(Work const&) = delete;
  Work& operator=(Work const&) = delete;
  virtual ~Work() = default;

  /// Runs the operation on data with a known answer. Returns an empty text when the answer is right, otherwise the
  /// expected and the found value. With `spoil` the answer is altered first, so that a sound check must refuse it.
  virtual std::string check(bool spoil) = 0;

  /// Seconds of `calls` successive operations between two fences of the execution space.
  virtual double time(int calls) = 0;

  /// Least memory traffic of one operation, where it is known only after check(); 0: as in the row.
  virtual double bytes() const { return 0; }

  /// Counters of the row besides its rates; known after check().
  virtual Figures figures() const { return {}; }
};

/// One line of the comparison.
struct Row {
  std::string family;     ///< "copy", "reductions", "sor"
  std::string algorithm;  ///< "max", "packed", ...
  std::string backend;    ///< as karman::name(Backend)
  std::string precision;  ///< "f32" or "f64"
  std::string size;       ///< "16777216" or "1024x1024x256"
  std::string peer;       ///< author of the implementation, empty for Karman

  std::string unit;           ///< counted items: "elements", "cells"
  double units = 0;           ///< number of items per operation
  double bytes = 0;           ///< least memory traffic of one operation (traffic.hpp)
  double flops = 0;           ///< floating-point operations, where counted
  double memory_bytes = 0;    ///< memory of the row on its backend
  bool back_to_back = false;  ///< leaves its result in place, so that successive calls need no fence
  bool yardstick = false;     ///< the row that defines 100 percent on its backend
  bool peak = false;          ///< the row that defines the peak of arithmetic on its backend in its precision

  std::function<std::unique_ptr<Work>()> prepare;

  /// <family>/<algorithm>/<backend>/<precision>/<size>, and /peer:<name> for a peer.
  std::string name() const {
    std::string result = family + '/' + algorithm + '/' + backend + '/' + precision + '/' + size;
    if (!peer.empty()) result += "/peer:" + peer;
    return result;
  }
};

/// Selection of rows of the family "scaling".
struct ScalingSelection {
  Communicator const* processes = nullptr;  ///< that measure the rows; null: there are none
  std::vector<std::string> solvers{};       ///< empty: all
  int cells = 0;                            ///< along each axis; 0: chosen
};

/// Selection of rows.
struct Selection {
  bool quick = false;          ///< sizes for a run of two minutes instead of the full comparison
  ScalingSelection scaling{};  ///< rows of several processes
};

/// The row on this number of threads of a host backend, in a program of its own: a runtime of OpenMP keeps the number
/// that it starts with. Family and algorithm are given; the answer is checked in that program.
Row on_threads(Row const& row, std::string const& family, int threads);

/// Measures one row on request, see on_threads(): writes the outcome of the check, and for every line of the input the
/// seconds of one operation. Returns the exit code. Throws std::invalid_argument for an unknown row.
int serve(std::string const& row, bool spoil);

/// All rows of this build in running order: every backend, Karman's row before its peers.
std::vector<Row> all_rows(Selection const& selection);

}  // namespace karman::perf
