// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// HDF5 file driver for writing, with which a full disk cannot break the library.
#pragma once

#include <hdf5.h>

namespace karman::detail {

/// Makes files opened with `access` use a driver for one plain POSIX file. The first write that the system refuses
/// stores its error number in `*error`. Later writes are dropped and appear to succeed. (HDF5 1.10 cannot close a file
/// after a reported failure, and crashes when the program ends.) So `*error` must be checked after every call. It must
/// outlive the file. The file format is that of the default driver. Returns the result of H5Pset_driver.
herr_t use_checked_driver(hid_t access, int* error);

}  // namespace karman::detail
