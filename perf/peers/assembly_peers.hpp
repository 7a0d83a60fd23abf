// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Assembly methods of finite-element codes, with the data that each computes in advance.
#pragma once

#include "../assembly_problem.hpp"

namespace karman::perf {

/// One triangle per thread, atomic additions through a map of entries, in the mesh's own order.
template <class Exec, Equation equation, class T>
AssemblyMaker<Exec, equation, T> element_atomics();

/// One pass over all triangles for each colour, in which triangles of other colours are skipped. Some eight colours,
/// found one after the other in the order of the mesh.
template <class Exec, Equation equation, class T>
AssemblyMaker<Exec, equation, T> colors_with_gaps();

/// Nine values per triangle. Then every entry sums its own by a precomputed list with numbers of 64 bits. PETSc does so
/// for matrices in coordinate form (MatSetValuesCOO).
template <class Exec, Equation equation, class T>
AssemblyMaker<Exec, equation, T> coordinate_form();

/// Kokkos' ScatterView over the values: a copy for every thread on a host, atomic additions on a device.
template <class Exec, Equation equation, class T>
AssemblyMaker<Exec, equation, T> scatter_view();

}  // namespace karman::perf
