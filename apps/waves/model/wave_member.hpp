// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// One component in a running solve.
#pragma once

#include "incident_field.hpp"
#include "wave_fields.hpp"
#include "wave_model.hpp"

namespace karman::waves {

/// State of a component in a running solve.
template <ExecutionSpace Exec, class Real>
struct WaveMember {
  using Incident = Kokkos::View<IncidentEdge const*, typename Exec::memory_space>;

  Elevation<Exec, Real> elevation;
  WaveFields<Exec> fields;
  double period = 0, omega = 0;
  IncidentField incident = {};
  Incident edges = Incident();  ///< of `incident`; "= Incident()": see Graph
  WaveReport report = {};
};

}  // namespace karman::waves
