// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// How HDF5 reaches the disk when Karman writes: a file driver under which a full disk cannot break the library.
#pragma once

#include <hdf5.h>

namespace karman::detail {

/// Makes files opened with `access` go through a driver for one plain POSIX file. The first write that the system
/// refuses puts its error number into `*error`; from then on writes are dropped and succeed as far as HDF5 can tell.
/// (HDF5 1.10 that is told of the failure cannot close the file any more and crashes when the program ends.) So
/// `*error` must be looked at after every call. It outlives the file. Files are those of the default driver.
/// Returns what H5Pset_driver returns.
herr_t use_checked_driver(hid_t access, int* error);

}  // namespace karman::detail
