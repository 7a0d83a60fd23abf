// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Options of direct_solver.hpp. Standard library only.
#pragma once

#include <string_view>

namespace karman {

/// Libraries that a build may have behind DirectSolver.
enum class DirectLibrary {
  automatic,  ///< the first that this build has of MUMPS, UMFPACK and SuperLU
  mumps,      ///< MUMPS with an order by METIS, CeCILL-C and Apache-2.0
  umfpack,    ///< SuiteSparse UMFPACK, GPL-2.0 or later: a program that is passed on with it is bound by that licence
  superlu     ///< SuperLU, BSD-3-Clause
};

/// \return readable name of a library
std::string_view name(DirectLibrary library);

}  // namespace karman
