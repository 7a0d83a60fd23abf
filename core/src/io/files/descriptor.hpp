// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// File descriptors that close themselves.
#pragma once

#include <unistd.h>

namespace karman::detail {

/// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor const&) = delete;
  Descriptor& operator=(Descriptor const&) = delete;
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  int get() const { return value_; }
  explicit operator bool() const { return value_ >= 0; }

 private:
  int value_;
};

}  // namespace karman::detail
