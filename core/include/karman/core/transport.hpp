// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Ways of values between processes. Standard library only.
#pragma once

#include <string_view>

namespace karman {

/// How values pass between processes.
enum class Transport {
  none,    ///< no neighbours
  host,    ///< messages between memories of hosts
  staged,  ///< devices, through pinned memory of the hosts
  direct,  ///< devices, whose memory the message library reads and writes itself
  nccl     ///< devices, by NCCL
};

/// "none", "host", "staged", "direct" or "nccl".
std::string_view name(Transport transport);

}  // namespace karman
