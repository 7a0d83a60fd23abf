// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hdf5_driver.hpp"

#if __has_include(<H5FDdevelop.h>)  // HDF5 1.14 declares the interface of drivers here
#include <H5FDdevelop.h>
#endif

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>

namespace karman::detail {
namespace {

/// Settings in the file access list.
struct Settings {
  int* error;
};

/// The library's part comes first: the library refers to the file by a pointer to it.
struct DriverFile {
  H5FD_t base;
  int descriptor;
  int* error;
  haddr_t end_of_allocation;
  haddr_t end_of_file;  ///< in the view of the library
};

constexpr haddr_t most_bytes = static_cast<haddr_t>(std::numeric_limits<off_t>::max());

DriverFile* file_of(H5FD_t* base) { return reinterpret_cast<DriverFile*>(base); }
DriverFile const* file_of(H5FD_t const* base) { return reinterpret_cast<DriverFile const*>(base); }

H5FD_t* open_file(char const* name, unsigned flags, hid_t access, haddr_t) {
  auto const* settings = static_cast<Settings const*>(H5Pget_driver_info(access));
  if (settings == nullptr) return nullptr;
  int mode = (flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY;
  if ((flags & H5F_ACC_TRUNC) != 0) mode |= O_TRUNC;
  if ((flags & H5F_ACC_CREAT) != 0) mode |= O_CREAT;
  if ((flags & H5F_ACC_EXCL) != 0) mode |= O_EXCL;
  int const descriptor = ::open(name, mode | O_CLOEXEC, 0666);
  struct stat status{};
  if (descriptor < 0 || ::fstat(descriptor, &status) != 0) {
    *settings->error = errno;
    if (descriptor >= 0) ::close(descriptor);
    return nullptr;
  }
  // Marks a temporary file as in use. Where locks do not exist, the process number in its name must suffice.
  static_cast<void>(::flock(descriptor, LOCK_EX | LOCK_NB));
  auto* const file = new (std::nothrow) DriverFile{};
  if (file == nullptr) {
    ::close(descriptor);
    return nullptr;
  }
  file->descriptor = descriptor;
  file->error = settings->error;
  file->end_of_file = static_cast<haddr_t>(status.st_size);
  return &file->base;
}

herr_t close_file(H5FD_t* base) {
  DriverFile* const file = file_of(base);
  if (::close(file->descriptor) != 0 && *file->error == 0) *file->error = errno;
  delete file;
  return 0;
}

herr_t query(H5FD_t const*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
#ifdef H5FD_FEAT_DEFAULT_VFD_COMPATIBLE
  *flags |= H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
#endif
  return 0;
}

haddr_t end_of_allocation(H5FD_t const* base, H5FD_mem_t) { return file_of(base)->end_of_allocation; }

herr_t set_end_of_allocation(H5FD_t* base, H5FD_mem_t, haddr_t address) {
  file_of(base)->end_of_allocation = address;
  return 0;
}

haddr_t end_of_file(H5FD_t const* base, H5FD_mem_t) { return file_of(base)->end_of_file; }

herr_t read_bytes(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void* buffer) {
  if (address > most_bytes || size > most_bytes - address) return -1;
  auto* to = static_cast<char*>(buffer);
  while (size > 0) {
    ssize_t const got = ::pread(file_of(base)->descriptor, to, size, static_cast<off_t>(address));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -1;
    if (got == 0) {  // zeros beyond the end, as in the default driver
      std::memset(to, 0, size);
      break;
    }
    to += got;
    address += static_cast<haddr_t>(got);
    size -= static_cast<std::size_t>(got);
  }
  return 0;
}

herr_t write_bytes(H5FD_t* base, H5FD_mem_t, hid_t, haddr_t address, std::size_t size, void const* buffer) {
  if (address > most_bytes || size > most_bytes - address) return -1;
  DriverFile* const file = file_of(base);
  auto const* from = static_cast<char const*>(buffer);
  file->end_of_file = std::max(file->end_of_file, address + size);
  while (size > 0 && *file->error == 0) {
    ssize_t const written = ::pwrite(file->descriptor, from, size, static_cast<off_t>(address));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      *file->error = written < 0 ? errno : ENOSPC;
      break;
    }
    from += written;
    address += static_cast<haddr_t>(written);
    size -= static_cast<std::size_t>(written);
  }
  return 0;
}

herr_t truncate_file(H5FD_t* base, hid_t, hbool_t) {
  DriverFile* const file = file_of(base);
  if (file->end_of_file == file->end_of_allocation) return 0;
  if (*file->error == 0 && ::ftruncate(file->descriptor, static_cast<off_t>(file->end_of_allocation)) != 0) {
    *file->error = errno;
  }
  file->end_of_file = file->end_of_allocation;
  return 0;
}

H5FD_class_t driver_class() {
  H5FD_class_t driver{};
#ifdef H5FD_CLASS_VERSION
  driver.version = H5FD_CLASS_VERSION;
  driver.value = static_cast<H5FD_class_value_t>(510);  // from the range for drivers that are not distributed
#endif
  driver.name = "karman_checked";
  driver.maxaddr = most_bytes;
  driver.fc_degree = H5F_CLOSE_WEAK;
  driver.fapl_size = sizeof(Settings);
  driver.open = open_file;
  driver.close = close_file;
  driver.query = query;
  driver.get_eoa = end_of_allocation;
  driver.set_eoa = set_end_of_allocation;
  driver.get_eof = end_of_file;
  driver.read = read_bytes;
  driver.write = write_bytes;
  driver.truncate = truncate_file;
  constexpr H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
  static_assert(sizeof map == sizeof driver.fl_map);
  std::copy(std::begin(map), std::end(map), std::begin(driver.fl_map));
  return driver;
}

}  // namespace

herr_t use_checked_driver(hid_t access, int* error) {
  static H5FD_class_t const driver = driver_class();
  hid_t const id = H5FDregister(&driver);
  if (id < 0) return -1;
  Settings const settings{error};
  herr_t const set = H5Pset_driver(access, id, &settings);
  H5FDunregister(id);  // the list and the file keep a reference
  return set;
}

}  // namespace karman::detail
