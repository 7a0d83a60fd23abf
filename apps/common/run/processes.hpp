// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The processes that run one case together. No header of MPI, and no Kokkos.
#pragma once

#include "common/case/work_in_all.hpp"
#include <karman/core/communicator.hpp>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace karman::app {

/// Identity of a device, the same for all processes that use it; zeros: a host.
using DeviceIdentity = std::array<char, 16>;

/// How processes share devices.
struct DeviceShares {
  int processes = 0;  ///< with a device
  int devices = 0;    ///< different ones
  int most = 0;       ///< processes of one device
};

/// The shares of processes with these devices, in order of rank.
DeviceShares shares_of(std::vector<DeviceIdentity> const& devices);

/// Number of processes in the memory of a backend: the most of one device, or without devices all of this machine.
int processes_per_memory(DeviceShares const& shares, int local_size);

/// Message, with the option that allows it, where processes share a device; else empty.
std::string sharing_error(DeviceShares const& shares);

/// End of one process.
struct ProcessEnd {
  int exit_code = 0;
  bool has_line = false;  ///< it has an error to report
};

/// End of all processes.
struct CommonEnd {
  int exit_code = 0;            ///< of the reporter, else the first one that is not 0
  std::optional<int> reporter;  ///< first process with an error to report
  bool everywhere = false;      ///< all processes have one
};

/// The processes of a run. This class: the present process alone.
class Processes {
 public:
  Processes() = default;
  virtual ~Processes() = default;
  Processes(Processes const&) = delete;
  Processes& operator=(Processes const&) = delete;

  Communicator const& communicator() const { return communicator_; }
  int size() const { return communicator_.size(); }
  int rank() const { return communicator_.rank(); }
  bool is_first() const { return communicator_.is_first(); }
  /// Number of this process on its machine, and the number of processes there.
  int local_rank() const { return local_rank_; }
  int local_size() const { return local_size_; }

  /// Passes a signal on to the others, and returns one that any process has passed on; 0: none. Does not wait: callable
  /// at any time, between collective calls too, from the thread of main().
  virtual int share_signal(int mine) { return mine; }
  /// Waits for the end of all processes. A process with an error waits a few seconds: the others may wait for it
  /// elsewhere. Then the result is empty, and abort() is the only way on.
  virtual std::optional<CommonEnd> await_end(ProcessEnd const& mine) {
    CommonEnd end{mine.exit_code, {}, mine.has_line};
    if (mine.has_line) end.reporter = 0;
    return end;
  }
  /// Ends all processes at once, with this exit code.
  [[noreturn]] virtual void abort(int exit_code);

 protected:
  Communicator communicator_;
  int local_rank_ = 0, local_size_ = 1;
};

/// Sends stdout and stderr of this process nowhere while it lives, unless a launcher has started it as the first one.
/// For text that all processes print before they are joined. Without a launcher: no effect. MPI is not started.
class QuietBesideFirst {
 public:
  QuietBesideFirst();
  ~QuietBesideFirst();
  QuietBesideFirst(QuietBesideFirst const&) = delete;
  QuietBesideFirst& operator=(QuietBesideFirst const&) = delete;

 private:
  int out_ = -1, error_ = -1;  ///< the descriptors meanwhile
};

/// Entry of the environment in which a launcher (mpirun, mpiexec, srun) counts its processes.
struct Launch {
  std::string variable;  ///< the one with the number of processes
  int size = 1;
  int rank = 0;
  int programs = 1;  ///< with words of their own, as in `mpirun -n 1 PROGRAM : -n 2 PROGRAM`; counted by Open MPI alone
};

/// The launcher's entry; empty where there is none.
std::optional<Launch> launch_of_process();

/// Joins the processes that a launcher of MPI (mpirun, mpiexec, srun) has started. Their standard output is that of the
/// first one. Without a launcher, and in a build without MPI: this process alone, MPI is not started. Throws
/// std::runtime_error. Once in a program.
std::shared_ptr<Processes> join_processes();

/// Message library of this build: "Open MPI v4.1.4"; empty in a build without MPI.
std::string message_library();

/// Transport of values between the devices of these processes, or "host" between the memories of hosts. Collective.
std::string transport_name(Processes const& processes, bool on_devices);

}  // namespace karman::app
